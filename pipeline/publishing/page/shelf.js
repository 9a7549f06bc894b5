"use strict";
// Stored data (found words, settings), and data that is loaded on demand.

// ---------------------------------------------------------------- kept in this browser

/**
 * localStorage, or memory where the browser denies it or has no room: then `volatile` is true. Every key starts with
 * `bee:`.
 */
const shelf = (() => {
  const memory = new Map(); // what could not be stored, and hides what is stored
  const own = (keys) => keys.filter((key) => key.startsWith("bee:")).map((key) => key.slice(4));
  const there = () => {
    try {
      return localStorage;
    } catch {
      return null;
    }
  };
  return {
    volatile: false,
    get: (key) => memory.get(key) ?? there()?.getItem(`bee:${key}`) ?? null,
    set(key, value) {
      try {
        localStorage.setItem(`bee:${key}`, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
        this.volatile = true;
      }
    },
    drop(key) {
      memory.delete(key);
      there()?.removeItem(`bee:${key}`);
    },
    keys: () => [...new Set([...own(Object.keys(there() ?? {})), ...memory.keys()])].sort(),
  };
})();

/** Whether a text can be the letters of a puzzle. */
const areLetters = (text) => /^[a-z]+$/.test(text) && text.length === rules().letters && new Set(text).size === text.length;
/** What a puzzle is stored under: the day of a puzzle of the day, else its letters. */
const idOf = (puzzle) => puzzle.date ?? puzzle.letters;
const isId = (text) => isDate(text) || areLetters(text);
const wordsOf = (text) => (text ?? "").split(" ").filter((word) => /^[a-z]+$/.test(word));
/** The found words of a puzzle, in the order of finding. */
const readFound = (id) => new Set(wordsOf(shelf.get(`found:${id}`)));

/** Store a new set of found words, together with those that another tab found meanwhile. */
function addFound(id, words) {
  const found = new Set([...readFound(id), ...words]);
  if (found.size) shelf.set(`found:${id}`, [...found].join(" "));
  return found;
}

/** The ids of all puzzles with found words. */
const playedIds = () => shelf.keys().filter((key) => key.startsWith("found:")).map((key) => key.slice(6)).filter(isId);

const RECENT = 30;
const sorted = (given) => (isDate(given) ? given : given[0] + [...given.slice(1)].sort().join(""));
/** Puzzles in their order, each only once: days, and letters in the order in which they were given. */
const once = (ids) => ids.filter((id, at) => isId(id) && ids.findIndex((other) => isId(other) && sorted(other) === sorted(id)) === at);
const opened = () => once((shelf.get("recent") ?? shelf.get("last") ?? "").split(" "));
const setOpened = (ids) => shelf.set("recent", once(ids).slice(0, RECENT).join(" "));
const remember = (given) => setOpened([given, ...opened()]);
/** The puzzles that were opened, the last one first, and then all others with found words. */
const recent = () => once([...opened(), ...playedIds().reverse()]);

/** What a stored value must be like, by the kind of its key. */
const SHAPES = {
  found: (value, id) => isId(id) && /^[a-z]+( [a-z]+)*$/.test(value),
  on: (value, id) => isDate(id) && isDate(value),
  recent: (value) => /^[a-z0-9 -]*$/.test(value),
  last: (value) => /^[a-z]*$/.test(value),
  set: (value, id) => /^[a-z-]+$/.test(id) && value.length < 100,
};

/**
 * Set every stored value aside that cannot be read, under `damaged:KEY`, and keep the words that can be read of it.
 * Returns the keys. An export has them, and nothing writes over them.
 */
function setAside() {
  const aside = [];
  for (const key of shelf.keys()) {
    const [, kind, id] = /^(\w+):?(.*)$/.exec(key) ?? [];
    const value = shelf.get(key);
    if (!Object.hasOwn(SHAPES, kind) || SHAPES[kind](value, id)) continue;
    let name = `damaged:${key}`;
    while (shelf.get(name) !== null) name += "+";
    shelf.set(name, value);
    if (shelf.volatile) return aside; // no room: what is stored stays where it is
    shelf.drop(key);
    if (kind === "found" && isId(id)) addFound(id, wordsOf(value));
    aside.push(key);
  }
  return aside;
}

/** All stored data, as text that `takeIn` reads. */
const keptText = () => JSON.stringify({ beeWordlist: 1, kept: Object.fromEntries(shelf.keys().map((key) => [key, shelf.get(key)])) }, null, 1);

/**
 * Import a file: found words are added, days that were played in time too, settings are replaced. Returns the number of
 * puzzles. Throws a message if it is not an export.
 */
function takeIn(text) {
  let kept;
  try {
    kept = JSON.parse(text);
  } catch {
    throw new Error("This file is not an export of this page: it is not JSON.");
  }
  if (kept?.beeWordlist !== 1 || typeof kept.kept !== "object") throw new Error("This file is not an export of this page.");
  let puzzles = 0;
  for (const [key, value] of Object.entries(kept.kept ?? {})) {
    const [, kind, id] = /^(\w+):?(.*)$/.exec(key) ?? [];
    if (typeof value !== "string" || !Object.hasOwn(SHAPES, kind)) continue;
    if (kind === "found" && isId(id)) {
      addFound(id, wordsOf(value));
      puzzles++;
    } else if (kind === "recent" || kind === "last") {
      setOpened([...opened(), ...value.split(" ")]);
    } else if (SHAPES[kind](value, id) && (kind === "set" || shelf.get(key) !== id)) shelf.set(key, value);
  }
  return puzzles;
}

// ---------------------------------------------------------------- loaded when it is needed

const loaded = new Map();

/**
 * Load a data file once, as a script: a page opened from a folder may load no other data. Data of another release than
 * words.js is refused. The promise is rejected with a sentence that says what to do.
 */
async function load(name, value) {
  await loadScript(name);
  if (value()?.of === beeWords.id) return value();
  loaded.delete(name);
  throw new Error(`words.js and ${name} are from different releases. Reload the page.`);
}

/** Load a script of this build once. */
function loadScript(name) {
  if (!loaded.has(name)) {
    const promise = new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = `${name}?v=${beeWords.build}`;
      script.onerror = () => failed(new Error(`${name} did not load. Check the network connection, or that the file is in the same folder as this page.`));
      script.onload = () => done();
      document.head.append(script);
    });
    loaded.set(name, promise);
    promise.catch(() => loaded.delete(name));
  }
  return loaded.get(name);
}

const loadMore = () => load("more.js", () => globalThis.beeMore);
const loadRecord = () => loadMore().then(() => load("record.js", () => globalThis.beeRecord));
const loadKin = () => load("kin.js", () => globalThis.beeKin);
const loadPuzzles = () => load("puzzles.js", () => globalThis.beePuzzles);
const loadGlosses = (letter) => load(`gloss-${letter}.js`, () => globalThis[`beeGloss_${letter}`]);

/** The glosses of many words, word to [[part, gloss, rude, form, base], …]; nothing where the release has none. */
async function glossesOf(words) {
  if (!beeWords.glosses) return new Map();
  const letters = [...new Set(words.map((word) => word[0]))];
  const shards = new Map(await Promise.all(letters.map(async (letter) => [letter, (await loadGlosses(letter)).words])));
  return new Map(
    words.filter((word) => Object.hasOwn(shards.get(word[0]), word)).map((word) => [word, shards.get(word[0])[word]]),
  );
}

// ---------------------------------------------------------------- offline

/** Save the page for offline use, and offer a new release when there is one. `report` receives the messages. */
async function keepOffline(report, offer) {
  if (!("serviceWorker" in navigator) || location.protocol === "file:") return;
  try {
    const known = Boolean(navigator.serviceWorker.controller);
    const registration = await navigator.serviceWorker.register("sw.js");
    const waiting = () => registration.waiting && navigator.serviceWorker.controller && offer(() => registration.waiting.postMessage("take over"));
    waiting();
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", waiting));
    navigator.serviceWorker.addEventListener("controllerchange", () => known && location.reload());
    navigator.serviceWorker.addEventListener("message", ({ data }) => data?.kept && report(data));
    const ready = await navigator.serviceWorker.ready;
    // The rest is fetched after the first answer, so that it does not slow it down.
    if (!navigator.connection?.saveData) ready.active.postMessage("keep all");
    addEventListener("visibilitychange", () => document.hidden || registration.update().catch(() => null));
  } catch {
    report({ failed: true });
  }
}

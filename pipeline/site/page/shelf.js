"use strict";
// Stored data (found words and settings), and data that is loaded on demand.

// ---------------------------------------------------------------- kept in this browser

/**
 * localStorage, or memory for values that the browser does not store, because it does not allow it, has no room, or the
 * key is locked. Every key starts with `bee:`.
 */
const shelf = (() => {
  const memory = new Map(); // takes precedence over stored values
  const locked = new Set();
  const own = (keys) => keys.filter((key) => key.startsWith("bee:")).map((key) => key.slice(4));
  const tried = (act, otherwise) => {
    try {
      return act(localStorage);
    } catch {
      return otherwise;
    }
  };
  return {
    /** Whether a value is only in memory. */
    volatile: () => memory.size > 0,
    get: (key) => memory.get(key) ?? tried((store) => store.getItem(`bee:${key}`), null),
    /** Store a value; returns whether the browser stored it. */
    set(key, value) {
      const stored = !locked.has(key) && tried((store) => (store.setItem(`bee:${key}`, value), true), false);
      if (stored) memory.delete(key);
      else memory.set(key, value);
      return stored;
    },
    drop(key) {
      memory.delete(key);
      locked.delete(key);
      tried((store) => store.removeItem(`bee:${key}`));
    },
    /** Never overwrite the value that is stored under a key. */
    lock: (key) => locked.add(key),
    keys: () => [...new Set([...tried((store) => own(Object.keys(store)), []), ...memory.keys()])].sort(),
  };
})();

/** Whether a text can be the letters of a puzzle. */
const areLetters = (text) => /^[a-z]+$/.test(text) && text.length === rules().letters && new Set(text).size === text.length;
/** The id under which a puzzle is stored: its day for a puzzle of the day, otherwise its letters. */
const idOf = (puzzle) => puzzle.date ?? puzzle.letters;
const isId = (text) => isDate(text) || areLetters(text);
const wordsOf = (text) => (text ?? "").toLowerCase().split(/\s+/).filter((word) => /^[a-z]+$/.test(word));
/** The found words of a puzzle, in the order in which they were found. */
const readFound = (id) => new Set(wordsOf(shelf.get(`found:${id}`)));

/** Store found words in addition to those that are stored, some of which may come from another tab. */
function addFound(id, words) {
  const found = new Set([...readFound(id), ...words]);
  if (found.size) shelf.set(`found:${id}`, [...found].join(" "));
  return found;
}

const idsOf = (kind) => shelf.keys().filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1)).filter(isId);
/** The ids of all puzzles with found words. */
const playedIds = () => idsOf("found");
/** The ids of all puzzles whose answers were shown. */
const revealedIds = () => idsOf("answers");

const RECENT = 30;
const sorted = (given) => (isDate(given) ? given : given[0] + [...given.slice(1)].sort().join(""));
/** Ids of puzzles in their order, each only once: days, and letters in the order in which they were typed. */
const once = (ids) => ids.filter((id, at) => isId(id) && ids.findIndex((other) => isId(other) && sorted(other) === sorted(id)) === at);
const opened = () => once((shelf.get("recent") ?? "").split(" "));
const setOpened = (ids) => shelf.set("recent", once(ids).slice(0, RECENT).join(" "));
const remember = (given) => setOpened([given, ...opened()]);
/** The puzzles that were opened, the last one first, followed by all others with found words. */
const recent = () => once([...opened(), ...playedIds().reverse()]);

/** For each kind of key, a function that returns whether a stored value is valid. */
const SHAPES = {
  found: (value, id) => isId(id) && wordsOf(value).length > 0 && wordsOf(value).length === value.trim().split(/\s+/).length,
  on: (value, id) => isDate(id) && isDate(value),
  answers: (value, id) => isId(id) && ["shown", "solved"].includes(value),
  hints: (value, id) => isId(id) && /^[a-z]* [0-3] ([a-z]\d+|[a-z]{2})?$/.test(value),
  recent: (value) => /^[a-z0-9 -]*$/.test(value),
  set: (value, id) => /^[a-z-]+$/.test(id) && value.length < 100,
};

const readable = (kind, id, value) => typeof value === "string" && SHAPES[kind](value, id);
/** The kind of a key, one of `SHAPES`, and what follows it; [] for other keys. */
function kindOf(key) {
  const [, kind, id] = /^(\w+):?(.*)$/.exec(key) ?? [];
  return Object.hasOwn(SHAPES, kind) ? [kind, id] : [];
}

/** Store a value that cannot be read under `damaged:KEY`; returns whether the browser stored it. */
function storeDamaged(key, value) {
  let name = `damaged:${key}`;
  while (![null, value].includes(shelf.get(name))) name += "+";
  return shelf.set(name, value);
}

/**
 * Move every stored value that cannot be read to another key, and keep those of its words that can be read. Returns the
 * keys. An export contains these values, and nothing overwrites them: a value that cannot be moved for lack of room stays
 * where it is.
 */
function setDamagedAside() {
  const aside = [];
  for (const key of shelf.keys()) {
    const [kind, id] = kindOf(key);
    const value = shelf.get(key);
    if (!kind || readable(kind, id, value)) continue;
    aside.push(key);
    if (storeDamaged(key, value)) shelf.drop(key);
    else shelf.lock(key);
    if (kind === "found" && isId(id) && wordsOf(value).length) shelf.set(key, wordsOf(value).join(" "));
  }
  return aside;
}

/** All stored data, as text that `importText` reads. */
const exportText = () => JSON.stringify({ beeWordlist: 1, kept: Object.fromEntries(shelf.keys().map((key) => [key, shelf.get(key)])) }, null, 1);

/**
 * Import a file: found words, days that were played in time, and hints of puzzles without hints are added, and the rest
 * is replaced. Values that cannot be read are stored separately. Returns the numbers of puzzles and of unread entries. Throws a message if the text is not
 * an export.
 */
function importText(text) {
  let kept;
  try {
    kept = JSON.parse(text);
  } catch {
    throw new Error("This file is not an export of this page: it is not JSON.");
  }
  if (kept?.beeWordlist !== 1 || !kept.kept || typeof kept.kept !== "object" || Array.isArray(kept.kept)) {
    throw new Error("This file is not an export of this page.");
  }
  let puzzles = 0,
    unread = 0;
  for (const [key, value] of Object.entries(kept.kept)) {
    const [kind, id] = kindOf(key);
    if (!kind) continue;
    if (!readable(kind, id, value)) {
      storeDamaged(key, typeof value === "string" ? value : JSON.stringify(value));
      unread++;
    }
    if (kind === "found" && isId(id) && wordsOf(`${value}`).length) {
      addFound(id, wordsOf(`${value}`));
      puzzles++;
    } else if (!readable(kind, id, value)) continue;
    else if (kind === "recent") setOpened([...opened(), ...value.split(" ")]);
    else if (!(kind === "hints" && shelf.get(key) !== null) && !(kind === "on" && shelf.get(key) === id)) shelf.set(key, value);
  }
  return { puzzles, unread };
}

// ---------------------------------------------------------------- loaded when it is needed

const loaded = new Map();

/** Load a data file of the release once. The promise is rejected with a sentence that says what to do. */
function load(name) {
  if (!loaded.has(name)) {
    loaded.set(name, fetchData(name));
    loaded.get(name).catch(() => loaded.delete(name));
  }
  return loaded.get(name);
}

/** What a data file has, in the words of a player. */
const CONTENTS = { "words.json": "The list", "more.json": "The rest of the list", "puzzles.json": "The practice puzzles" };
const contentsOf = (name) => CONTENTS[name] ?? "What is known about these words";

async function fetchData(name) {
  let data;
  try {
    const answer = await fetch(`${name}?v=${build}`);
    data = answer.ok ? await answer.json() : {};
  } catch {
    throw new Error(`${contentsOf(name)} did not load. Check the network connection, then try again.`);
  }
  if (!data.id || (globalThis.beeWords && data.id !== beeWords.id)) throw new Error(`${contentsOf(name)} is not there, or from another release. Reload the page.`);
  return data;
}

/** What the release says about a word, or null. The word is in the file with the last name that is not after it. */
async function knownOf(word) {
  const name = beeWords.files.findLast((first) => first <= word);
  const { words } = name ? await load(`words/${name}.json`) : { words: {} };
  return Object.hasOwn(words, word) ? words[word] : null;
}

/** What is known about words, by word; and what is wrong, if a file did not load ("" if all did). */
async function factsOf(words) {
  const known = await Promise.allSettled(words.map(knownOf));
  const wrong = known.find(({ status }) => status === "rejected")?.reason.message ?? "";
  return { facts: new Map(words.map((word, at) => [word, known[at].value]).filter(([, facts]) => facts)), wrong };
}

// ---------------------------------------------------------------- offline

/** Ask the worker that saves files for something. */
const askWorker = async (what) => (await navigator.serviceWorker.ready).active.postMessage(what);

/** Save the page for offline use, and offer a new release if there is one. `report` receives the progress. */
async function keepOffline(report, offer) {
  if (!("serviceWorker" in navigator)) return;
  try {
    const known = Boolean(navigator.serviceWorker.controller);
    const registration = await navigator.serviceWorker.register("sw.js");
    const waiting = () => registration.waiting && navigator.serviceWorker.controller && offer(() => registration.waiting.postMessage("take over"));
    waiting();
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", waiting));
    if (known) registration.update().catch(() => null); // browsers check for updates themselves, but not on every visit
    navigator.serviceWorker.addEventListener("controllerchange", () => known && location.reload());
    navigator.serviceWorker.addEventListener("message", ({ data }) => data?.kept && report(data));
    // The rest is fetched only now, so that it does not slow down the first answer.
    await askWorker({ keep: [] });
    addEventListener("visibilitychange", () => document.hidden || registration.update().catch(() => null));
  } catch {
    report({ failed: true });
  }
}

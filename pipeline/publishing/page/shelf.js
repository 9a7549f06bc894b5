"use strict";
// Stored data (found words, settings), and data that is loaded on demand.

// ---------------------------------------------------------------- kept in this browser

/** localStorage, or memory if the browser denies it. Every key starts with `bee:`. */
const shelf = (() => {
  const memory = new Map();
  const tried = (act, otherwise) => {
    try {
      return act();
    } catch {
      return otherwise();
    }
  };
  const own = (keys) => keys.filter((key) => key.startsWith("bee:")).map((key) => key.slice(4));
  return {
    get: (key) => tried(() => localStorage.getItem(`bee:${key}`), () => memory.get(key) ?? null),
    set: (key, value) => tried(() => localStorage.setItem(`bee:${key}`, value), () => memory.set(key, value)),
    drop: (key) => tried(() => localStorage.removeItem(`bee:${key}`), () => memory.delete(key)),
    keys: () => tried(() => own(Object.keys(localStorage)), () => [...memory.keys()]),
  };
})();

/** Whether a text can be the letters of a puzzle. */
const areLetters = (text) => /^[a-z]+$/.test(text) && text.length === rules().letters;
/** The letters of a key of found words, or "". */
const lettersOf = (key) => (key.startsWith("found:") && areLetters(key.slice(6)) ? key.slice(6) : "");
const foundKey = (puzzle) => `found:${puzzle.letters}`;
const wordsOf = (text) => (text ?? "").split(" ").filter((word) => /^[a-z]+$/.test(word));
const readFound = (puzzle) => new Set(wordsOf(shelf.get(foundKey(puzzle))));

function writeFound(puzzle, found) {
  if (found.size) shelf.set(foundKey(puzzle), [...found].join(" "));
  else shelf.drop(foundKey(puzzle));
}

/** The puzzles that were played, letters and the order they were given in: the last one first, the others A to Z. */
function played() {
  const given = areLetters(shelf.get("last") ?? "") ? shelf.get("last") : "";
  const last = given && given[0] + [...given.slice(1)].sort().join("");
  const others = shelf.keys().map(lettersOf).filter((letters) => letters && letters !== last);
  return [...(last ? [{ letters: last, given }] : []), ...others.sort().map((letters) => ({ letters, given: letters }))];
}

/** All stored data, as text that `takeIn` reads. */
const keptText = () =>
  JSON.stringify({ beeWordlist: 1, kept: Object.fromEntries(shelf.keys().sort().map((key) => [key, shelf.get(key)])) }, null, 1);

/** Import a file: found words are added, settings are replaced. Throws a message if it is not an export. */
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
    if (typeof value !== "string") continue;
    if (lettersOf(key)) {
      shelf.set(key, [...new Set([...wordsOf(shelf.get(key)), ...wordsOf(value)])].join(" "));
      puzzles++;
    } else if (/^(set:[a-z-]+|last)$/.test(key)) shelf.set(key, value);
  }
  return puzzles;
}

// ---------------------------------------------------------------- loaded when it is needed

const loaded = new Map();

/**
 * Load a data file once, as a script: a page opened from a folder may load no other data. Data of another release than
 * words.js is refused. The promise is rejected with a sentence that says what to do.
 */
function load(name, value) {
  if (!loaded.has(name)) {
    const promise = new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = `${name}?v=${beeWords.build}`;
      script.onerror = () => failed(new Error(`${name} did not load. Check the network connection, or that the file is in the same folder as this page.`));
      script.onload = () =>
        value()?.of === beeWords.id
          ? done(value())
          : failed(new Error(`words.js and ${name} are from different releases. Reload the page.`));
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

// What this browser keeps: a record for each puzzle, the puzzles opened last, and settings. Runs in Node without a page,
// too, where everything is kept in memory. Offers isVolatile, dropAll, idOf, isId, readGame, changeGame, dropGame,
// playedIds, remember, recent, setting, setSetting, setDamagedAside, exportText, importText.

import { RULES } from "./game.js";
import { isDate } from "./days.js";

/**
 * localStorage, or memory for what the browser does not store, because it does not allow it or has no room. Every key starts
 * with `bee:`: game:ID, recent, set:NAME, and damaged:KEY for values that could not be read.
 */
const memory = new Map(); // takes precedence over stored values

function tried(act, otherwise) {
  try {
    return act(localStorage);
  } catch {
    return otherwise;
  }
}

const stored = (key) => tried((store) => store.getItem(`bee:${key}`), null);
const get = (key) => memory.get(key) ?? stored(key);

function set(key, value) {
  if (tried((store) => (store.setItem(`bee:${key}`, value), true), false)) memory.delete(key);
  else memory.set(key, value);
}

function drop(key) {
  memory.delete(key);
  tried((store) => store.removeItem(`bee:${key}`));
}

function keys() {
  const stored = tried((store) => Object.keys(store), []).filter((key) => key.startsWith("bee:"));
  return [...new Set([...stored.map((key) => key.slice(4)), ...memory.keys()])].sort();
}

/** Whether something is only in memory. */
export const isVolatile = () => memory.size > 0;

export function dropAll() {
  for (const key of keys()) drop(key);
}

// ---------------------------------------------------------------- puzzles

const areLetters = (text) => /^[a-z]+$/.test(text) && text.length === RULES.letters && new Set(text).size === text.length;
/** The id under which a puzzle is kept: its day for a puzzle of the day, otherwise its letters. */
export const idOf = (puzzle) => puzzle.date ?? puzzle.letters;
export const isId = (text) => isDate(text) || areLetters(text);

const isWord = (text) => typeof text === "string" && /^[a-z]+$/.test(text);
/** For each part of a record, its value at first, and whether a value can be read. */
const PARTS = {
  /** The found words, in the order in which they were found. */
  found: [[], (value) => Array.isArray(value) && value.every(isWord)],
  /** How much was told about each word: 1, its clue; 2, its first letters; 3, all its letters. */
  told: [{}, (value) => isRecord(value) && Object.entries(value).every(([word, much]) => isWord(word) && [1, 2, 3].includes(much))],
  /** The word whose clue is shown above the ring, or "". */
  pinned: ["", (value) => value === "" || isWord(value)],
  /** Whether the grid was looked at. */
  grid: [false, (value) => typeof value === "boolean"],
  /** Whether the answers were "shown" to a player, or "solved" for a solver; "" if not. */
  seen: ["", (value) => ["", "shown", "solved"].includes(value)],
  /** The day on which the first word was found, or "". */
  on: ["", (value) => value === "" || isDate(value)],
};
const isRecord = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const newGame = () => Object.fromEntries(Object.entries(PARTS).map(([part, [value]]) => [part, value]));

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isReadable = (game) => isRecord(game) && Object.entries(PARTS).every(([part, [, fits]]) => fits(game[part]));

/** The record of a puzzle, from its id: what is stored, perhaps by another tab, and what is only in memory. */
export function readGame(id) {
  const key = `game:${id}`;
  return [stored(key), memory.get(key)].map(parsed).filter(isReadable).reduce(joined, newGame());
}

/** Two records of a puzzle as one: what was found and told in either. The rest is that of the second one, if it has it. */
function joined(one, other) {
  const told = { ...one.told };
  for (const [word, much] of Object.entries(other.told)) told[word] = Math.max(much, told[word] ?? 0);
  const found = [...new Set([...one.found, ...other.found])];
  const seen = other.seen || one.seen;
  return {
    found,
    told,
    pinned: other.pinned || one.pinned,
    grid: one.grid || other.grid,
    seen: seen && found.length ? "shown" : seen, // who found words is no solver
    on: [one.on, other.on].filter(Boolean).sort()[0] ?? "",
  };
}

/** Change parts of the record of a puzzle, keep it, and return it. What another tab found and was told stays in it. */
export function changeGame(id, parts) {
  const game = joined(readGame(id), { ...newGame(), ...parts });
  set(`game:${id}`, JSON.stringify(game));
  return game;
}

export const dropGame = (id) => drop(`game:${id}`);

/** The ids of all puzzles that have a record. */
export const playedIds = () => keys().filter((key) => key.startsWith("game:")).map((key) => key.slice(5)).filter(isId);

// ---------------------------------------------------------------- the puzzles opened last

const RECENT = 30;
const sorted = (given) => (isDate(given) ? given : given[0] + [...given.slice(1)].sort().join(""));
/** Ids of puzzles in their order, each only once: days, and letters in the order in which they were typed. */
const once = (ids) => ids.filter((id, at) => isId(id) && ids.findIndex((other) => isId(other) && sorted(other) === sorted(id)) === at);
const opened = () => once((get("recent") ?? "").split(" "));
const setOpened = (ids) => set("recent", once(ids).slice(0, RECENT).join(" "));

/** Keep that a puzzle was opened: its day, or its letters as they were typed. */
export const remember = (given) => setOpened([given, ...opened()]);
/** The puzzles that were opened, the last one first, followed by all others that have a record. */
export const recent = () => once([...opened(), ...playedIds().reverse()]);

// ---------------------------------------------------------------- settings

export const setting = (name, otherwise = "") => get(`set:${name}`) ?? otherwise;
export const setSetting = (name, value) => set(`set:${name}`, `${value}`);

// ---------------------------------------------------------------- damage, export and import

/** For each kind of key, whether a text can be read. */
const KINDS = {
  game: (text, id) => isId(id) && isReadable(parsed(text)),
  recent: (text, id) => id === "" && /^[a-z0-9 -]*$/.test(text),
  set: (text, id) => /^[a-z-]+$/.test(id) && text.length < 100,
};

function kindOf(key) {
  const [, kind, id] = /^(\w+):?(.*)$/.exec(key) ?? [];
  return Object.hasOwn(KINDS, kind) ? [kind, id] : [];
}

function setAside(key, text) {
  let name = `damaged:${key}`;
  while (![null, text].includes(get(name))) name += "+";
  set(name, text);
}

/** Move every value that cannot be read to another key, which an export contains. Returns their keys. */
export function setDamagedAside() {
  const damaged = keys().filter((key) => {
    const [kind, id] = kindOf(key);
    return kind && !KINDS[kind](get(key), id);
  });
  for (const key of damaged) {
    const text = get(key);
    drop(key); // first, so that there is room
    setAside(key, text);
    if (isVolatile()) tried((store) => store.setItem(`bee:${key}`, text)); // there is none: it stays where it was, too
  }
  return damaged;
}

/** Everything that is kept, as text that `importText` reads. */
export const exportText = () => JSON.stringify({ beeWords: 1, kept: Object.fromEntries(keys().map((key) => [key, get(key)])) }, null, 1);

/**
 * Import a file: records of puzzles are joined with those that are here, and settings are replaced. Values that cannot be
 * read are set aside. Returns the numbers of puzzles and of unread values. Throws an Error if the text is not an export.
 */
export function importText(text) {
  const file = parsed(text);
  if (file?.beeWords !== 1 || !isRecord(file.kept)) throw new Error("This file is not an export of this page.");
  let puzzles = 0,
    unread = 0;
  for (const [key, value] of Object.entries(file.kept)) {
    const [kind, id] = kindOf(key);
    if (!kind && /^damaged:/.test(key)) setAside(key.slice(8), `${value}`);
    if (!kind) continue;
    if (typeof value !== "string" || !KINDS[kind](value, id)) {
      setAside(key, typeof value === "string" ? value : JSON.stringify(value));
      unread++;
    } else if (kind === "game") {
      set(key, JSON.stringify(joined(readGame(id), parsed(value))));
      puzzles++;
    } else if (kind === "recent") setOpened([...opened(), ...value.split(" ")]);
    else set(key, value);
  }
  return { puzzles, unread };
}

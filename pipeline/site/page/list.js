// The release: its words, what is known about each, and its puzzles. Offers build, load, list, loadList, isWhole,
// moreWords, entryOf, isListed, isDoubtful, isShown, isOffensive, everyEntry, wordsOf, answersOf, isComplete, filesOf,
// factsOf, relativesOf, definition, byRarity, recordText, firstDay, dayPuzzle, practice, levelOf, puzzleOf, keptPuzzle,
// nameOf.

import { compare, byRank, indexed, inPlay, isPangram, mask, readPuzzle, solve } from "./game.js";
import { dateName, dayName, isDate, puzzleDay } from "./days.js";
import { setting } from "./saved.js";

export const build = new URL(import.meta.url).searchParams.get("v") ?? "";

// ---------------------------------------------------------------- loading

const loaded = new Map();

/** Load a data file of the release once. Rejects with a sentence that says what to do. */
export function load(name) {
  if (!loaded.has(name)) {
    loaded.set(name, fetchData(name));
    loaded.get(name).catch(() => loaded.delete(name));
  }
  return loaded.get(name);
}

/** What a data file has, in the words of a player. */
const CONTENTS = { "words.json": "The list", "more.json": "The rest of the list", "puzzles.json": "The practice puzzles" };

async function fetchData(name) {
  const what = CONTENTS[name] ?? "What is known about these words";
  let data;
  try {
    const answer = await fetch(`${name}?v=${build}`);
    data = answer.ok ? await answer.json() : {};
  } catch {
    throw new Error(`${what} did not load. Check the network connection, then try again.`);
  }
  if (!data.id || (list && data.id !== list.id)) throw new Error(`${what} is not there, or from another release. Reload the page.`);
  return data;
}

/** words.json: the words that most puzzles need, and what the release says about itself. null until it is loaded. */
export let list = null;

export async function loadList() {
  list = await load("words.json");
  take(list);
}

let whole = false;
/** Whether the rest of the list is loaded: words with S, or E and R, and doubtful words. */
export const isWhole = () => whole;

let reading = null;
/** Load the rest of the list. */
export function moreWords() {
  reading ??= readMore().catch((error) => {
    reading = null;
    throw error;
  });
  return reading;
}

async function readMore() {
  const more = await load("more.json");
  take(more);
  indexed(more.guesses, guesses);
  whole = true;
}

// ---------------------------------------------------------------- words

const entries = new Map(); // by word
const index = new Map(); // words by their letters
const guesses = new Map(); // pangrams that can be guessed, the likeliest first, by their letters
const offensive = new Map(); // the words that each filter leaves out, by its name

function take({ core, likely, review = {}, hidden }) {
  const taken = Object.entries(review).map(([word, p]) => ({ word, tier: "review", p }));
  for (const [tier, words] of Object.entries({ core, likely })) taken.push(...words.split(" ").filter(Boolean).map((word) => ({ word, tier })));
  for (const entry of taken) entries.set(entry.word, entry);
  indexed(taken.map(({ word }) => word), index);
  for (const [name, words] of Object.entries(hidden)) offensive.set(name, new Set([...(offensive.get(name) ?? []), ...words]));
}

/** The entry of a word that is on the list or doubtful: its word, tier, and p if it is doubtful. */
export const entryOf = (word) => entries.get(word);
export const isListed = ({ tier }) => tier === "core" || tier === "likely";
/** Whether a word may be accepted, but is neither on the list nor a guess. */
export const isDoubtful = ({ tier, guess }) => tier === "review" && !guess;
/** Whether the player's filter shows a word. */
export const isShown = (word) => !offensive.get(setting("filter"))?.has(word);
/** Whether some readers find a word offensive. */
export const isOffensive = (word) => [...offensive.values()].some((words) => words.has(word));

/** All entries that the filter shows, A to Z. */
export const everyEntry = () => [...entries.values()].filter(({ word }) => isShown(word)).sort((one, other) => compare(one.word, other.word));

/**
 * The words that a puzzle's letters spell and the filter shows: `answers` by rank, `maybe` (doubtful words, the likeliest
 * first), and `hidden` (answers that the filter hides). A puzzle always has a pangram. If no answer is one, the likeliest
 * other pangram is an answer, as a `guess`. Until the rest of the list is loaded, some words may be missing.
 */
export function wordsOf(puzzle) {
  const spelled = solve(index, puzzle).map(entryOf);
  const answers = spelled.filter((entry) => isListed(entry) && isShown(entry.word));
  const guessed = answers.some(({ word }) => isPangram(word)) ? undefined : guesses.get(mask(puzzle.letters))?.find(isShown);
  if (guessed) answers.push({ word: guessed, tier: "review", guess: true });
  const maybe = spelled.filter((entry) => isDoubtful(entry) && isShown(entry.word) && entry.word !== guessed);
  return {
    answers: answers.sort((one, other) => byRank(one.word, other.word)),
    maybe: maybe.sort((one, other) => other.p - one.p || compare(one.word, other.word)),
    hidden: spelled.filter((entry) => isListed(entry) && !isShown(entry.word)),
  };
}

/** The answers of a puzzle as words. */
export const answersOf = (puzzle) => wordsOf(puzzle).answers.map(({ word }) => word);

/** Whether all words of a puzzle are loaded. */
export const isComplete = (puzzle) => whole || inPlay(puzzle.letters);

// ---------------------------------------------------------------- what is known about a word

/** The files with what is known about words. A word is in the file with the last name that is not after it. */
const fileOf = (word) => list.files.findLast((first) => first <= word);
export const filesOf = (words) => [...new Set(words.map(fileOf).filter(Boolean))].map((name) => `words/${name}.json`);

async function knownOf(word) {
  const name = fileOf(word);
  const { words } = name ? await load(`words/${name}.json`) : { words: {} };
  return Object.hasOwn(words, word) ? words[word] : null;
}

/** What is known about words, by word; and what is wrong, if a file did not load ("" if all did). */
export async function factsOf(words) {
  const known = await Promise.allSettled(words.map(knownOf));
  const wrong = known.find(({ status }) => status === "rejected")?.reason.message ?? "";
  return { facts: new Map(words.map((word, at) => [word, known[at].value]).filter(([, facts]) => facts)), wrong };
}

/** The base of a word, and the other forms of it, among the words of the list whose file is loaded with this word. */
export async function relativesOf(word) {
  const { words } = await load(filesOf([word])[0]);
  const basesOf = (one) => (words[one]?.senses ?? []).map(({ base }) => base).filter(Boolean);
  const roots = new Set([word, ...basesOf(word)]);
  const related = Object.keys(words).filter((one) => isListed(words[one]) && isShown(one) && basesOf(one).some((base) => roots.has(base)));
  return [...new Set([...basesOf(word), ...related])].filter((one) => one !== word);
}

/** A definition in one line, like `glosses.line` in the Python package. */
export function definition(senses) {
  const groups = [];
  for (const { pos, gloss, form, base } of senses) {
    const what = base ? `${form} of ${base}: ` : "";
    if (groups.at(-1)?.what === what) groups.at(-1).says.push(`${pos}, ${gloss}`);
    else groups.push({ what, says: [`${pos}, ${gloss}`] });
  }
  return groups.map(({ what, says }) => what + says.join("; ")).join(" · ");
}

/** The rarest word first, by how common words are; the longer of equally common ones. */
export const byRarity = (facts) => (one, other) => {
  const hardness = (word) => facts.get(word)?.hardness ?? 0;
  const accepted = (word) => facts.get(word)?.record?.accepted ?? 0;
  return hardness(other) - hardness(one) || accepted(one) - accepted(other) || other.length - one.length || compare(one, other);
};

/** How often and when official puzzles accepted or refused a word, as a sentence. Texts of dates sort like dates. */
export function recordText(record) {
  if (!record) return "No official puzzle had its letters yet.";
  const { offered, accepted, last_accepted: last, last_refused: refused } = record;
  const times = (number) => (offered === 1 ? "once, on" : `${number} times, last on`);
  if (!accepted) return `Refused ${times(offered)} ${dateName(refused)}.`;
  const later = refused > last ? `, but refused on ${dateName(refused)}` : "";
  return `Accepted ${times(`${accepted} of ${offered}`)} ${dateName(last)}${later}.`;
}

// ---------------------------------------------------------------- puzzles

/** The first day with a puzzle. */
export const firstDay = () => Object.keys(list.daily)[0] ?? puzzleDay();

/** The puzzle of a day, with its date and level. Throws a sentence if the day has no puzzle. */
export function dayPuzzle(date) {
  const first = firstDay();
  if (!isDate(date)) throw new Error(`“${date}” is not a date like ${puzzleDay()}.`);
  if (date < first) throw new Error(`The first puzzle of the day is for ${dayName(first)}.`);
  if (date > puzzleDay()) throw new Error(`The puzzle for ${dayName(date)} appears on that day.`);
  if (!list.daily[date]) throw new Error(`This release of the list has no puzzle for ${dayName(date)}.`);
  const [letters, level] = list.daily[date];
  return { ...readPuzzle(letters), date, level };
}

const LEVELS = ["easy", "medium", "hard"];

/** The letters for practice, by level. No puzzle of the day of this release has the same letters in any order. */
export const practice = () => load("puzzles.json");

/** The level of letters for practice; "" for other letters, and null if the puzzles do not load. */
export async function levelOf({ letters }) {
  const puzzles = await practice().catch(() => null);
  return puzzles && (LEVELS.find((level) => puzzles[level].includes(letters)) ?? "");
}

/** The puzzle that an address names. Rejects with a sentence if there is none, or if no word of the list fits its letters. */
export async function puzzleOf(text) {
  const [given, date] = text.split("/");
  if (given === "daily") return dayPuzzle(date ?? puzzleDay());
  const puzzle = readPuzzle(given);
  if (!answersOf(puzzle).length) {
    if (!inPlay(puzzle.letters)) await moreWords();
    const { answers, hidden } = wordsOf(puzzle);
    if (!answers.some(isListed) && !hidden.length) throw new Error(`The list has no words for ${nameOf(puzzle)}. Are the letters right, and is the center first?`);
  }
  return puzzle;
}

/** A puzzle that this browser keeps, by its id, ready to be counted; null if there is none. */
export async function keptPuzzle(id) {
  try {
    if (isDate(id)) return dayPuzzle(id);
    if (!inPlay(id)) await moreWords();
    return readPuzzle(id);
  } catch {
    return null;
  }
}

/** The name of a puzzle: its day, or its letters, center first. */
export const nameOf = (puzzle) => (puzzle.date ? dayName(puzzle.date) : `${puzzle.given[0]} ${puzzle.given.slice(1)}`.toUpperCase());

// A curated word list for the Spelling Bee, with a solver. Runs in browsers and in Node.
import { core, likely, notForFamilies, review, unsafe, version } from "./data.js";

const LETTERS = 7;
const MIN_LENGTH = 4;
const MAX_LENGTH = 19;
const PANGRAM_BONUS = 7;

export { core, likely, review, version };
export const tiers = ["core", "likely", "review", "refused"];
export const words = [...core, ...likely].sort();
export const safe = without(unsafe);
export const family = without(notForFamilies);

function without(unwanted) {
  const left = new Set(unwanted);
  return words.filter((word) => !left.has(word));
}

export function solve(letters, list = words) {
  const puzzle = readPuzzle(letters);
  const isAnswer = (word) =>
    word.includes(puzzle[0]) &&
    word.length >= MIN_LENGTH &&
    word.length <= MAX_LENGTH &&
    [...word].every((letter) => puzzle.includes(letter));
  return [...list].filter(isAnswer).sort(pangramsFirst);
}

function pangramsFirst(one, other) {
  const byKind = isPangram(other) - isPangram(one);
  return byKind || other.length - one.length || (one < other ? -1 : 1);
}

/** Returns the letters of a puzzle in lower case and without blanks; throws an Error if they are not a puzzle. */
function readPuzzle(letters) {
  if (typeof letters !== "string") throw new Error('The letters of a puzzle must be text, such as "vctaoen".');
  const puzzle = [...letters.replace(/\s/g, "").toLowerCase()];
  const wrong = puzzle.find((letter) => !/^[a-z]$/.test(letter));
  if (wrong) throw new Error(`"${wrong}" is not a letter from a to z.`);
  if (puzzle.length !== LETTERS) {
    throw new Error(`A puzzle has seven letters, center first; you gave ${puzzle.length.toLocaleString("en-US")}.`);
  }
  const repeated = puzzle.find((letter, position) => puzzle.indexOf(letter) < position);
  if (repeated) throw new Error(`The letter "${repeated}" is there twice; a puzzle has seven different letters.`);
  return puzzle;
}

export function isPangram(word) {
  return new Set(word).size === LETTERS;
}

export function score(word) {
  const points = word.length <= MIN_LENGTH ? 1 : word.length;
  return isPangram(word) ? points + PANGRAM_BONUS : points;
}

export function whyUnplayable(word) {
  const characters = [...word];
  const wrong = characters.find((character) => !/^[a-z]$/.test(character));
  if (wrong) return `"${wrong}" is not a letter from a to z`;
  if (word.length < MIN_LENGTH) return `too short: an answer has at least ${MIN_LENGTH} letters`;
  if (word.length > MAX_LENGTH) return `too long: no answer has more than ${MAX_LENGTH} letters`;
  const different = new Set(word).size;
  return different > LETTERS ? `${different} different letters: a puzzle has ${LETTERS}` : "";
}

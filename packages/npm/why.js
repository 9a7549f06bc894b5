// What the list says about single words. Needs Node, because it reads a compressed file next to this one.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { whyUnplayable, words } from "./index.js";

const FILE = new URL("./words.jsonl.gz", import.meta.url);
const MAX_NEAR = 3;
const WHY_UNKNOWN = "no puzzle has accepted it, and no ordinary dictionary has it";

let cachedLines;

/** Returns the entries of all words, A to Z, each as a line of JSON. */
function readLines() {
  if (cachedLines) return cachedLines;
  try {
    cachedLines = gunzipSync(readFileSync(FILE)).toString().split("\n");
  } catch (error) {
    throw new Error(`Cannot read ${FILE.pathname} (${error.message}). Install bee-wordlist again.`, { cause: error });
  }
  return cachedLines;
}

/** Returns the entry of a word, or undefined. The lines are sorted, so only one of them is parsed. */
function findEntry(word) {
  const lines = readLines();
  const start = `{"word":"${word}"`;
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle] < start) low = middle + 1;
    else high = middle;
  }
  const entry = low < lines.length ? JSON.parse(lines[low]) : undefined;
  return entry?.word === word ? entry : undefined;
}

export function why(word) {
  word = word.trim().toLowerCase();
  const rule = whyUnplayable(word);
  const entry = rule ? undefined : findEntry(word);
  return explain(entry ?? { word, tier: rule ? "unplayable" : "unknown", because: rule || WHY_UNKNOWN, near: nearWords(word) });
}

export function define(word) {
  return findEntry(word.trim().toLowerCase())?.definition ?? "";
}

export function* entries() {
  for (const line of readLines()) yield explain(JSON.parse(line));
}

function explain(entry) {
  const { word, tier, p = null, because, flags = [], near = [] } = entry;
  const { offered, accepted, first_accepted = null, last_accepted = null, last_refused = null } = entry;
  const record = offered ? { offered, accepted, first_accepted, last_accepted, last_refused } : null;
  const listed = tier === "core" || tier === "likely";
  return { word, tier, listed, p, because, flags, record, near };
}

/** Returns up to three words of the list that are one or two edits away, the closest first. */
function nearWords(word) {
  const limit = word.length < 6 ? 1 : 2;
  const found = [];
  for (const other of words) {
    if (Math.abs(other.length - word.length) > limit) continue;
    const edits = countEdits(word, other);
    if (edits <= limit) found.push({ other, edits });
  }
  return found
    .sort((one, two) => one.edits - two.edits)
    .slice(0, MAX_NEAR)
    .map(({ other }) => other);
}

/** Returns how many letters must be inserted, deleted or replaced to make one word of another. */
function countEdits(word, other) {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= word.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const replaced = row[column - 1] + (word[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column] + 1, next[column - 1] + 1));
    }
    row = next;
  }
  return row[other.length];
}

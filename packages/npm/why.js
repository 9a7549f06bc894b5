// What the list says about single words. Needs Node, because it reads a compressed file next to this one.
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { nearWords, whyUnplayable } from "./game.js";
import { words } from "./index.js";

const FILE = new URL("./words.jsonl.gz", import.meta.url);
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
  return explain(entry ?? { word, tier: rule ? "unplayable" : "unknown", because: rule || WHY_UNKNOWN, near: nearWords(word, words) });
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

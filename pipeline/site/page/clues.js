// What hints say about words: counts, the grid, pairs, and clues. Where the Python package computes the same thing, tests
// compare the results. Runs in Node without a page. Offers summary, bingo, grid, startLines, BLANK, clue, clueOf.

import { count, isPangram, isPerfect, pointsOf } from "./game.js";

/** Numbers of words: "29 words, 123 points, 2 pangrams (1 perfect)". */
export function summary(words) {
  const flawless = words.filter(isPerfect).length;
  const numbers = [count(words.length, "word"), count(pointsOf(words), "point"), count(words.filter(isPangram).length, "pangram")];
  return numbers.join(", ") + (flawless ? ` (${flawless} perfect)` : "");
}

/** Whether every letter of a puzzle starts some word. */
export const bingo = (words, puzzle) => [...puzzle.letters].every((letter) => words.some((word) => word[0] === letter));

/**
 * The numbers of words by first letter and length, as rows of cells. The first row is the header; the last row and column
 * have sums. `all` determines the rows and columns; a cell is `-` if `all` has no word for it.
 */
export function grid(words, all = words) {
  const lengths = [...new Set(all.map((word) => word.length))].sort((one, other) => one - other);
  const firsts = [...new Set(all.map((word) => word[0]))].sort();
  const cell = (fits) => (all.some(fits) ? words.filter(fits).length : "-");
  const row = (title, starts) => [
    title,
    ...lengths.map((length) => cell((word) => starts(word) && word.length === length)),
    words.filter(starts).length,
  ];
  return [["", ...lengths, "Σ"], ...firsts.map((first) => row(first, (word) => word[0] === first)), row("Σ", () => true)];
}

/** The numbers of words by their first two letters, one line for each first letter: [["CA-1", "CO-2"], ["OC-1"]]. */
export function startLines(words) {
  const lines = new Map();
  const counts = new Map();
  for (const word of [...words].sort()) {
    const start = word.slice(0, 2);
    counts.set(start, (counts.get(start) ?? 0) + 1);
  }
  for (const [start, number] of counts) {
    const line = lines.get(start[0]) ?? lines.set(start[0], []).get(start[0]);
    line.push(`${start.toUpperCase()}-${number}`);
  }
  return [...lines.values()];
}

// ---------------------------------------------------------------- clues

export const BLANK = "▢▢▢▢";

/** The part of a word that its family shares: the word without a common ending. */
const stem = (word) => (word.length > 5 ? word.replace(/(?:ies|ing|ness|ed|er|est|ly|es|s|e|y)$/, "") : word.replace(/[ey]$/, ""));

/** Whether a word of a gloss would reveal another word: it is the same, of the same family, or a part of it. */
function givesAway(token, word) {
  if (token === word) return true;
  if (token.length < 3) return false;
  const root = stem(word);
  let shared = 0;
  while (shared < Math.min(token.length, word.length) && token[shared] === word[shared]) shared++;
  return (
    token.startsWith(root) ||
    (root.length > 3 && token.includes(root)) ||
    (shared >= 4 && shared >= 0.6 * Math.min(token.length, word.length)) ||
    (token.length > 3 && (word.startsWith(stem(token)) || word.endsWith(token)))
  );
}

/**
 * A gloss in which the word itself, its family, and the words in `others` are replaced by blanks. `base` is that of
 * the form, if the gloss is that of a base.
 */
export function clue(gloss, word, base = "", others = new Set()) {
  const hidden = [word, base].filter(Boolean);
  const secret = (token) => others.has(token) || hidden.some((one) => givesAway(token, one));
  return gloss.replace(/\p{L}+/gu, (token) => (secret(token.toLowerCase()) ? BLANK : token));
}

/** Words that say little in a clue. */
const LITTLE = new Set(
  ("something someone somebody anything person people thing things act state quality property condition process manner way being " +
    "having that which with from about into more most very make made makes making cause become used able capable relating related " +
    "pertaining given other another certain kind type form some this such than when your their done doing without instance " +
    "the and for not its his her one who any are was has had can may way act get got out off two").split(" "),
);

/** The clue of a word, from its first sense that says enough; "" if there is none. */
export function clueOf(senses, word, others = new Set()) {
  for (const { pos, gloss, form, base = "" } of senses) {
    const text = clue(gloss, word, base, others);
    const helpful = new Set((text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((token) => !LITTLE.has(token)));
    if (helpful.size > text.includes(BLANK)) return `${form || pos}: ${text}`;
  }
  return "";
}


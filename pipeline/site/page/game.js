// The game, as `pipeline.words` has it in Python: letters, points, ranks, spelling, and words that resemble one. Runs in
// browsers and in Node without a page: the npm package carries this file. Offers RULES, mask, readPuzzle, lettersSoFar,
// inPlay, whyUnplayable, strangers, notSpelled, spells, isPangram, isPerfect, starred, score, pointsOf, count, compare,
// byRank, ranks, rankAt, isGenius, indexed, solve, nearWords.

export const RULES = {
  letters: 7,
  shortest: 4,
  longest: 19,
  bonus: 7,
  ranks: { Beginner: 0, "Good Start": 2, "Moving Up": 5, Good: 8, Solid: 15, Nice: 25, Great: 40, Amazing: 50, Genius: 70, "Queen Bee": 100 },
};

// ---------------------------------------------------------------- letters

/** The letters of a word as a set of 26 bits. */
export function mask(word) {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) - 97);
  return bits;
}

const withoutSeparators = (text) => text.toLowerCase().replace(/[\s,;:/|-]+/g, "");

/**
 * Returns the puzzle of seven letters, center first: `letters` has the outer letters sorted, `given` has all letters in the
 * order in which they were typed. Throws an Error with a sentence that says what is wrong.
 */
export function readPuzzle(text) {
  if (typeof text !== "string") throw new Error('The letters of a puzzle must be text, such as "vctaoen".');
  const given = withoutSeparators(text);
  if (given.length > 26) throw new Error(`A puzzle has seven letters, center first; you gave ${given.length.toLocaleString("en-US")}.`);
  const wrong = [...given].find((letter) => !/^[a-z]$/.test(letter));
  if (wrong) throw new Error(`"${wrong}" is not a letter from a to z.`);
  const twice = [...given].find((letter, at) => given.indexOf(letter) < at);
  if (twice) throw new Error(`The letter "${twice}" is in "${given}" twice; seven different letters are needed.`);
  if (given.length !== RULES.letters) {
    throw new Error(`A puzzle has seven letters, center first; ${given ? `"${given}" has ${given.length}` : "you gave none"}.`);
  }
  const outer = [...given.slice(1)].sort().join("");
  return { center: given[0], outer, letters: given[0] + outer, given };
}

/** What is wrong with letters while they are typed, or how many are missing; "" if nothing is. */
export function lettersSoFar(text) {
  const missing = RULES.letters - withoutSeparators(text).length;
  try {
    readPuzzle(text);
    return "";
  } catch (error) {
    if (missing < 1 || !error.message.startsWith("A puzzle has")) return error.message;
    return missing < RULES.letters ? `${count(missing, "more letter")}` : "";
  }
}

/** Whether letters have neither S nor both E and R, as almost all official puzzles and all of ours. */
export const inPlay = (letters) => !letters.includes("s") && !(letters.includes("e") && letters.includes("r"));

// ---------------------------------------------------------------- words

/** Returns why no puzzle can have a word in lower case, and the word to try if accents are all that is wrong; "" if one can. */
export function whyUnplayable(word) {
  const wrong = [...word.normalize("NFC")].find((letter) => !/^[a-z]$/.test(letter));
  if (wrong) {
    const plain = word.normalize("NFKD").replace(/[\p{Mn}\p{Cf}]/gu, "");
    const advice = plain !== word && /^[a-z]+$/.test(plain) && !whyUnplayable(plain) ? `; try ${plain}` : "";
    return `${wrong === " " ? "a space" : wrong} is no letter of the game${advice}`;
  }
  if (word.length < RULES.shortest) return `too short: an answer has at least ${RULES.shortest} letters`;
  if (word.length > RULES.longest) return `too long: no answer has more than ${RULES.longest} letters`;
  const different = new Set(word).size;
  return different > RULES.letters ? `${different} different letters: a puzzle has ${RULES.letters}` : "";
}

/** The letters of a word that a puzzle does not have, sorted. */
export const strangers = (word, puzzle) => [...new Set(word)].filter((letter) => !puzzle.letters.includes(letter)).sort();

/** Why the letters of a puzzle do not spell a word; "" if they do. */
export function notSpelled(word, puzzle) {
  const strange = strangers(word, puzzle);
  if (strange.length) return `it has letters that the puzzle lacks: ${strange.join(", ").toUpperCase()}`;
  return word.includes(puzzle.center) ? "" : `it lacks the center letter ${puzzle.center.toUpperCase()}`;
}

/** Whether a puzzle's letters spell a word that some puzzle can have. */
export const spells = (puzzle, word) => !notSpelled(word, puzzle) && !whyUnplayable(word);

export const isPangram = (word) => new Set(word).size === RULES.letters;
export const isPerfect = (word) => isPangram(word) && word.length === RULES.letters;
export const starred = (word) => (isPerfect(word) ? " **" : isPangram(word) ? " *" : "");

/** The points of a word: 1 for four letters, otherwise its length, and 7 more for a pangram. */
export const score = (word) => (word.length <= RULES.shortest ? 1 : word.length) + (isPangram(word) ? RULES.bonus : 0);
export const pointsOf = (words) => words.reduce((sum, word) => sum + score(word), 0);

/** A number followed by its noun. */
export const count = (number, noun) => `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;

export const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
/** Pangrams first, then the longest first, then A to Z. */
export const byRank = (one, other) => isPangram(other) - isPangram(one) || other.length - one.length || compare(one, other);

// ---------------------------------------------------------------- ranks

/** The ranks of a puzzle whose answers have `most` points, with the points that each needs. Half a point is rounded up. */
export const ranks = (most) =>
  Object.entries(RULES.ranks).map(([name, percent]) => ({ name, needed: Math.floor((percent / 100) * most + 0.5) }));

/** The ranks, the position of the one that some points reach, and the next one, if there is one. */
export function rankAt(points, most) {
  const steps = ranks(most);
  const at = most ? steps.findLastIndex((step) => points >= step.needed) : 0;
  return { steps, at, next: steps.find((step) => step.needed > points) };
}

/** Whether a rank, by its position, is Genius or above. */
export const isGenius = (at) => at >= Object.keys(RULES.ranks).indexOf("Genius");

// ---------------------------------------------------------------- solving

/** Words by the set of their letters, so that a puzzle needs 64 look-ups. They are added to `index`, if that is given. */
export function indexed(words, index = new Map()) {
  for (const word of words) {
    const bits = mask(word);
    if (index.has(bits)) index.get(bits).push(word);
    else index.set(bits, [word]);
  }
  return index;
}

/** Every word that a puzzle's letters spell: those whose letters are the center with any of the outer letters. */
export function solve(index, puzzle) {
  const center = mask(puzzle.center),
    outer = mask(puzzle.outer),
    found = [];
  for (let subset = outer; ; subset = (subset - 1) & outer) {
    found.push(...(index.get(subset | center) ?? []));
    if (!subset) return found;
  }
}

// ---------------------------------------------------------------- near misses

const MAX_NEAR = 5;

/** The words that are one edit away from an unknown one, or two from six letters on; the closest first. */
export function nearWords(word, words) {
  const limit = word.length < 6 ? 1 : 2;
  return words
    .filter((other) => Math.abs(other.length - word.length) <= limit)
    .map((other) => ({ other, edits: countEdits(word, other) }))
    .filter(({ edits }) => edits <= limit)
    .sort((one, two) => one.edits - two.edits || compare(one.other, two.other))
    .slice(0, MAX_NEAR)
    .map(({ other }) => other);
}

/** How many letters must be inserted, deleted, replaced, or swapped with the next one, to make one word of another. */
function countEdits(word, other) {
  let before = [],
    row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= word.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[line - 1] === other[column - 1];
      const isSwapped = column > 1 && word[line - 1] === other[column - 2] && word[line - 2] === other[column - 1];
      const swapped = isSwapped ? before[column - 2] + 1 : Infinity;
      next.push(Math.min(row[column - 1] + !isSame, row[column] + 1, next[column - 1] + 1, swapped));
    }
    [before, row] = [row, next];
  }
  return row[other.length];
}

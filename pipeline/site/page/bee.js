"use strict";
// The game without a page: the glossary, the list, the solver, hints, clues and puzzles.
// It uses the names of the Python package's glossary. Where both compute the same thing, tests run this file under Node and
// compare the results.

// ---------------------------------------------------------------- the glossary

const TIERS = ["core", "likely", "review", "refused"];
const listed = (entry) => TIERS.indexOf(entry.tier) < 2;
/** Whether a word may be accepted, but is neither on the list nor a guess. */
const doubtful = ({ tier, guess }) => tier === "review" && !guess;
/** The rules of the game, from words.json: letters, shortest, longest, bonus, and ranks as [name, percent]. */
const rules = () => beeWords.rules;
const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const inWords = (number) => NUMBERS[number] ?? `${number}`;

/** The letters of a word as a set of 26 bits. */
function mask(word) {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) - 97);
  return bits;
}

const pangram = (word) => new Set(word).size === rules().letters;
const perfect = (word) => pangram(word) && word.length === rules().letters;
const score = (word) => (word.length <= rules().shortest ? 1 : word.length) + (pangram(word) ? rules().bonus : 0);
const starred = (word) => (perfect(word) ? " **" : pangram(word) ? " *" : "");
const pointsOf = (words) => words.reduce((sum, word) => sum + score(word), 0);
const count = (number, noun) => `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;

/**
 * Returns the puzzle of seven letters, center first; throws a sentence that says what is wrong with them.
 * `letters` has the outer letters sorted, `given` has all letters in the order in which they were typed.
 */
function readPuzzle(text) {
  const given = text.toLowerCase().replace(/[\s,;:/|-]+/g, "");
  const wrong = [...given].find((letter) => !/[a-z]/.test(letter));
  if (wrong) throw new Error(`“${wrong}” is not a letter from a to z.`);
  const twice = [...given].find((letter, at) => given.indexOf(letter) < at);
  const needed = inWords(rules().letters);
  if (twice) throw new Error(`The letter “${twice}” occurs twice; ${needed} different letters are needed.`);
  if (given.length !== rules().letters) {
    const got = given ? `“${given}” has ${given.length}` : "you gave none";
    throw new Error(`A puzzle has ${needed} letters, center first; ${got}.`);
  }
  const outer = [...given.slice(1)].sort().join("");
  return { center: given[0], outer, letters: given[0] + outer, given };
}

/** Whether letters have neither S nor both E and R, as almost all official puzzles and all of ours: `words.in_play`. */
const inPlay = (letters) => !letters.includes("s") && !(letters.includes("e") && letters.includes("r"));

/** What is wrong with letters while they are typed, or how many are missing; "" if nothing is. */
function lettersSoFar(text) {
  const missing = rules().letters - text.replace(/[\s,;:/|-]+/g, "").length;
  try {
    readPuzzle(text);
    return "";
  } catch (error) {
    if (missing < 1 || !error.message.startsWith("A puzzle has")) return error.message;
    return missing < rules().letters ? `${inWords(missing)} more letter${missing === 1 ? "" : "s"}`.replace(/^./, (first) => first.toUpperCase()) : "";
  }
}

/** The rule that keeps a text from being an answer of any puzzle, or "". */
function ruleBroken(word) {
  if (!/^[a-z]+$/.test(word)) return "it has characters other than the letters a to z";
  const { letters, shortest, longest } = rules();
  if (word.length < shortest) return `it is too short: ${inWords(shortest)} letters are needed`;
  if (word.length > longest) return `it is too long: the list has words of up to ${longest} letters`;
  if (new Set(word).size > letters) return `it has more than ${inWords(letters)} different letters`;
  return "";
}

/** The letters of a word that a puzzle does not have, sorted. */
const strangers = (word, puzzle) => [...new Set(word)].filter((letter) => !puzzle.letters.includes(letter)).sort();

/** Why the letters of a puzzle do not spell a word, or "" if they do. */
function notSpelled(word, puzzle) {
  const strange = strangers(word, puzzle);
  if (strange.length) return `it has letters that the puzzle lacks: ${strange.join(", ").toUpperCase()}`;
  return word.includes(puzzle.center) ? "" : `it lacks the center letter ${puzzle.center.toUpperCase()}`;
}

// ---------------------------------------------------------------- the list

/** The entries of a data file: the words of each listed tier, and the doubtful words with their p. */
const entriesOf = ({ core, likely, review = {} }) => [
  ...core.map((word) => ({ word, tier: "core" })),
  ...likely.map((word) => ({ word, tier: "likely" })),
  ...Object.entries(review).map(([word, p]) => ({ word, tier: "review", p })),
];

/** Entries by letter mask, so that a puzzle needs 64 look-ups. They are added to `groups`, if that is given. */
function indexed(entries, groups = new Map()) {
  for (const entry of entries) {
    const bits = mask(entry.word);
    if (groups.has(bits)) groups.get(bits).push(entry);
    else groups.set(bits, [entry]);
  }
  return groups;
}

/** Every entry that a puzzle's letters spell: those whose mask is the center with any subset of the outer letters. */
function solve(groups, puzzle) {
  const center = mask(puzzle.center),
    outer = mask(puzzle.outer),
    found = [];
  for (let subset = outer; ; subset = (subset - 1) & outer) {
    found.push(...(groups.get(subset | center) ?? []));
    if (!subset) return found;
  }
}

const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
const byWord = (one, other) => compare(one.word, other.word);
/** Pangrams first, then the longest first, then A to Z. */
const byRank = (one, other) =>
  pangram(other.word) - pangram(one.word) || other.word.length - one.word.length || byWord(one, other);
const byDoubt = (one, other) => (other.p ?? 0) - (one.p ?? 0) || byWord(one, other);
const ORDERS = { rank: byRank, alpha: byWord };
/** The commonest word first, then the one that was accepted most often. `facts` is what is known about each word. */
const byCommonness = (facts) => (one, other) => {
  const hardness = ({ word }) => facts.get(word)?.hardness ?? 100;
  const accepted = ({ word }) => facts.get(word)?.record?.accepted ?? 0;
  return hardness(one) - hardness(other) || accepted(other) - accepted(one) || byWord(one, other);
};

/**
 * The answers and the doubtful words (`maybe`, most likely first) among the words that a puzzle's letters spell.
 * A puzzle always has a pangram. If the answers have none, `guess` is added to them, if there is one.
 */
function answered(entries, guess) {
  const answers = entries.filter((entry) => listed(entry)).sort(byRank);
  const isNeeded = guess && !answers.some((entry) => pangram(entry.word));
  const doubtful = entries.filter((entry) => entry.tier === "review" && !(isNeeded && entry.word === guess.word));
  return { answers: isNeeded ? [guess, ...answers] : answers, maybe: doubtful.sort(byDoubt) };
}

// ---------------------------------------------------------------- hints

/** Numbers of words: "29 words, 123 points, 2 pangrams (1 perfect)". */
function summary(words) {
  const flawless = words.filter(perfect).length;
  const numbers = [count(words.length, "word"), count(pointsOf(words), "point"), count(words.filter(pangram).length, "pangram")];
  return numbers.join(", ") + (flawless ? ` (${flawless} perfect)` : "");
}

/** Whether every letter of a puzzle starts some word. */
const bingo = (words, puzzle) => [...puzzle.letters].every((letter) => words.some((word) => word[0] === letter));

/**
 * The numbers of words by first letter and length, as rows of cells. The first row is the header; the last row and column
 * have sums. `all` determines the rows and columns; a cell is `-` if `all` has no word for it.
 */
function grid(words, all = words) {
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
function startLines(words) {
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

/** Letters in another order, if there is one. */
function shuffled(text) {
  const letters = [...text];
  if (new Set(letters).size < 2) return text;
  do {
    for (let at = letters.length - 1; at > 0; at--) {
      const other = Math.floor(Math.random() * (at + 1));
      [letters[at], letters[other]] = [letters[other], letters[at]];
    }
  } while (letters.join("") === text);
  return letters.join("");
}

/** The ranks of a puzzle with the points that each needs. Half a point is rounded up. */
const ranks = (most) =>
  rules().ranks.map(([name, percent]) => ({ name, needed: Math.floor((percent / 100) * most + 0.5) }));

/** The ranks, the position of the rank that some points reach, and the next rank, if there is one. */
function rankAt(points, most) {
  const steps = ranks(most);
  return {
    steps,
    at: most ? steps.findLastIndex((step) => points >= step.needed) : 0,
    next: steps.find((step) => step.needed > points),
  };
}

/** Whether a rank, by its position, is one of the last two: Genius or above. */
const isGenius = (at) => at >= rules().ranks.length - 2;

// ---------------------------------------------------------------- judging a guess

/**
 * The judgment of one word: `kind` is letters, short, center, found, hidden, unknown, maybe or good; the last two are new
 * finds. `spelled` maps each word that the letters spell to its entry, and `shown` says whether the filter shows an entry.
 */
function judge(word, puzzle, spelled, found, shown = () => true) {
  const strange = strangers(word, puzzle);
  if (strange.length) {
    const none = strange.map((letter) => letter.toUpperCase()).join(", ");
    return { kind: "letters", says: `${word}: no ${strange.every((one) => /[a-z]/.test(one)) ? none : "such letters"} here` };
  }
  if (word.length < rules().shortest) return { kind: "short", says: `${word}: too short` };
  if (!word.includes(puzzle.center)) return { kind: "center", says: `${word}: no center letter` };
  const entry = spelled.get(word);
  if (found.has(word)) return { kind: "found", says: `${word}: already found` };
  if (!entry) return { kind: "unknown", says: `${word}: not on the list` };
  if (!shown(entry)) return { kind: "hidden", says: `${word}: hidden by your filter` };
  if (doubtful(entry)) {
    return { kind: "maybe", says: `${word}: may be accepted, ${Math.round(100 * entry.p)}% likely; saved without points` };
  }
  const praise = perfect(word) ? "Perfect pangram! " : pangram(word) ? "Pangram! " : "";
  return { kind: "good", says: `${praise}${word}: ${count(score(word), "point")}` };
}

/** A player's result as text that does not reveal any word; `name` is the name of the puzzle. */
function shareText(name, words, found) {
  const { got, of, points, most, rank, pangrams } = progressOf(words, found);
  return (
    `${name}: ${rank}, ${got} of ${count(of, "word")}, ${points} of ${count(most, "point")}` +
    (pangrams ? `, ${count(pangrams, "pangram")}` : "")
  );
}

// ---------------------------------------------------------------- clues

const BLANK = "▢▢▢▢";

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
function clue(gloss, word, base = "", others = new Set()) {
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
function clueOf(senses, word, others = new Set()) {
  for (const { pos, gloss, form, base = "" } of senses) {
    const text = clue(gloss, word, base, others);
    const helpful = new Set((text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((token) => !LITTLE.has(token)));
    if (helpful.size > text.includes(BLANK)) return `${form || pos}: ${text}`;
  }
  return "";
}

/** A definition in one line, like `line` in the Python package. */
function definition(senses) {
  const groups = [];
  for (const { pos, gloss, form, base } of senses) {
    const what = base ? `${form} of ${base}: ` : "";
    if (groups.at(-1)?.what === what) groups.at(-1).says.push(`${pos}, ${gloss}`);
    else groups.push({ what, says: [`${pos}, ${gloss}`] });
  }
  return groups.map(({ what, says }) => what + says.join("; ")).join(" · ");
}

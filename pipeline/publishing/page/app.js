"use strict";
// The page in one script: no framework, no build step. The names are those of the Python package's glossary, and
// where both compute something (solving, ranks, hints) the tests hold them to the same answers.
// Text of a release is only ever set as text, never as HTML.

// ---------------------------------------------------------------- the glossary

const TIERS = ["core", "likely", "review", "refused"];
const RANKS = [
  ["Beginner", 0],
  ["Good Start", 2],
  ["Moving Up", 5],
  ["Good", 8],
  ["Solid", 15],
  ["Nice", 25],
  ["Great", 40],
  ["Amazing", 50],
  ["Genius", 70],
  ["Queen Bee", 100],
];

/** The letters of a word as a set of 26 bits. */
function mask(word) {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) - 97);
  return bits;
}

const pangram = (word) => new Set(word).size === 7;
const perfect = (word) => pangram(word) && word.length === 7;
const score = (word) => (word.length <= 4 ? 1 : word.length) + (pangram(word) ? 7 : 0);
const starred = (word) => (perfect(word) ? " **" : pangram(word) ? " *" : "");
const pointsOf = (words) => words.reduce((sum, word) => sum + score(word), 0);
const count = (number, noun) => `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;

/** Read a puzzle from seven letters, center first; throws one sentence that says what is wrong with them. */
function readPuzzle(text) {
  const given = text.toLowerCase().replace(/[\s,;:/|-]+/g, "");
  const wrong = [...given].find((letter) => !/[a-z]/.test(letter));
  if (wrong) throw new Error(`“${wrong}” is not a letter from a to z.`);
  const twice = [...given].find((letter, at) => given.indexOf(letter) < at);
  if (twice) throw new Error(`The letter “${twice}” is there twice; seven different letters are needed.`);
  if (given.length !== 7) {
    const got = given ? `“${given}” has ${given.length}` : "there are none";
    throw new Error(`A puzzle has seven letters, center first; ${got}.`);
  }
  return {
    center: given[0],
    outer: [...given.slice(1)].sort().join(""),
    get letters() {
      return this.center + this.outer;
    },
  };
}

/** Name the rule that keeps a text from being a word of any puzzle, or nothing. */
function ruleBroken(word) {
  if (!/^[a-z]+$/.test(word)) return "it has other characters than the letters a to z";
  if (word.length < 4) return "it is too short: four letters are needed";
  if (word.length > 19) return "it is too long: the list ends at 19 letters";
  if (new Set(word).size > 7) return "it has more than seven different letters";
  return "";
}

/** Say why the letters of a puzzle do not spell a word, or nothing when they do. */
function notSpelled(word, puzzle) {
  const strange = [...new Set(word)].filter((letter) => !puzzle.letters.includes(letter)).sort();
  if (strange.length) return `it needs ${strange.join(", ").toUpperCase()}`;
  return word.includes(puzzle.center) ? "" : `it lacks the center letter ${puzzle.center.toUpperCase()}`;
}

// ---------------------------------------------------------------- the list

/** Undo the front-coding of words.js and record.js: see the docstring of pipeline/site.py. */
function unpack(text) {
  const entries = [];
  let before = "";
  for (const [, shared, rest, tier, percent, rude] of text.matchAll(/([A-S])([a-z]*)(\d)(\d*)(!?)/g)) {
    const word = before.slice(0, shared.charCodeAt(0) - 65) + rest;
    entries.push({ word, tier: TIERS[tier], p: percent === "" ? null : percent / 100, rude: rude === "!" });
    before = word;
  }
  return entries;
}

/** Group entries by letter mask, so that a puzzle is 64 look-ups. */
function indexed(entries) {
  const groups = new Map();
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
const byTier = (one, other) => TIERS.indexOf(one.tier) - TIERS.indexOf(other.tier) || byRank(one, other);
const ORDERS = { rank: byRank, alpha: byWord, tier: byTier };

// ---------------------------------------------------------------- hints

/** The line that sums a puzzle up. */
function totals(words, puzzle) {
  const pangrams = words.filter(pangram),
    flawless = words.filter(perfect).length;
  const bingo = [...puzzle.letters].every((letter) => words.some((word) => word[0] === letter));
  return (
    `WORDS: ${words.length}, POINTS: ${pointsOf(words)}, PANGRAMS: ${pangrams.length}` +
    (flawless ? ` (${flawless} Perfect)` : "") +
    (bingo ? ", BINGO" : "")
  );
}

/** Count words by first letter and length: rows of cells, the first the header, the last row and column sums. */
function grid(words) {
  const lengths = [...new Set(words.map((word) => word.length))].sort((one, other) => one - other);
  const firsts = [...new Set(words.map((word) => word[0]))].sort();
  const row = (title, some) => [
    title,
    ...lengths.map((length) => some.filter((word) => word.length === length).length || "-"),
    some.length,
  ];
  return [
    ["", ...lengths, "Σ"],
    ...firsts.map((first) =>
      row(
        first,
        words.filter((word) => word[0] === first),
      ),
    ),
    row("Σ", words),
  ];
}

/** Count words by their first two letters: ["CO-4", …]. */
function pairs(words) {
  const counts = new Map();
  for (const word of [...words].sort()) counts.set(word.slice(0, 2), (counts.get(word.slice(0, 2)) ?? 0) + 1);
  return [...counts].map(([pair, number]) => `${pair.toUpperCase()}-${number}`);
}

/** The first two letters and the length of every word, in an order that gives nothing else away. */
const veiled = (words) =>
  words
    .map((word) => [word.slice(0, 2), word.length])
    .sort((one, other) => compare(one[0], other[0]) || one[1] - other[1]);

/** The ranks of a puzzle with the points that each needs: half a point counts as one. */
const ranks = (most) =>
  RANKS.map(([name, percent]) => ({ name, percent, needed: Math.floor((percent / 100) * most + 0.5) }));

// ---------------------------------------------------------------- what this browser keeps

/** localStorage, or a plain memory where the browser gives none. */
const shelf = (() => {
  const memory = new Map();
  const tried = (act, otherwise) => {
    try {
      return act();
    } catch {
      return otherwise();
    }
  };
  return {
    get: (key) =>
      tried(
        () => localStorage.getItem(`bee:${key}`),
        () => memory.get(key) ?? null,
      ),
    set: (key, value) =>
      tried(
        () => localStorage.setItem(`bee:${key}`, value),
        () => memory.set(key, value),
      ),
    drop: (key) =>
      tried(
        () => localStorage.removeItem(`bee:${key}`),
        () => memory.delete(key),
      ),
    keys: () =>
      tried(
        () => Object.keys(localStorage),
        () => [...memory.keys()].map((key) => `bee:${key}`),
      ),
  };
})();

const foundKey = (puzzle) => `found:${puzzle.letters}`;
const readFound = (puzzle) => new Set((shelf.get(foundKey(puzzle)) ?? "").split(" ").filter(Boolean));

function writeFound(puzzle, found) {
  if (found.size) shelf.set(foundKey(puzzle), [...found].join(" "));
  else shelf.drop(foundKey(puzzle));
}

const played = () =>
  shelf
    .keys()
    .map((key) => /^bee:found:([a-z]{7})$/.exec(key)?.[1])
    .filter(Boolean)
    .sort();

// ---------------------------------------------------------------- building the page

const $ = (id) => document.getElementById(id);

/** Make an element: its class after a dot, attributes, then children, which are elements or text. */
function el(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== "" && child !== null));
  return made;
}

const aloud = (text) => el("span.aloud", {}, text);
const linkTo = (word) => el("a", { href: `#/why/${word}` }, word);

/** A table that scrolls sideways by itself when it is wider than the page. */
function table(rows, caption, kind = "") {
  const cells = (row, heads) =>
    row.map((cell, at) => {
      const scope = cell === "" ? "" : heads ? "col" : at === 0 ? "row" : "";
      return el(scope ? "th" : "td", scope ? { scope } : {}, `${cell}`);
    });
  return el(
    "div.scroll",
    { tabindex: "0", role: "region", "aria-label": caption },
    el(
      kind ? `table.${kind}` : "table",
      {},
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, ...cells(rows[0], true))),
      el("tbody", {}, ...rows.slice(1).map((row) => el("tr", {}, ...cells(row, false)))),
    ),
  );
}

/** An entry in a list of words: stars, tier and p as asked for, and whether it is found. */
function wordItem(entry, { found = new Set(), sure = false } = {}) {
  const item = el("li", { "data-word": entry.word }, linkTo(entry.word));
  const stars = starred(entry.word);
  if (stars)
    item.append(
      el("span.star", { "aria-hidden": "true" }, stars),
      aloud(stars === " **" ? " perfect pangram" : " pangram"),
    );
  if (entry.tier !== "core") item.classList.add(entry.tier);
  if (sure && entry.p !== null) item.append(" ", el("small.soft", {}, `p = ${entry.p.toFixed(2)}`));
  if (found.has(entry.word)) {
    item.classList.add("got");
    item.append(aloud(" (found)"));
  }
  return item;
}

// ---------------------------------------------------------------- solving

/** So many candidates are named when the list has no pangram. */
const LIKELIEST = 5;

const game = { puzzle: null, all: [], found: new Set(), order: "" };
let groups = new Map();

const unlessRude = (entry) => !($("safe").checked && entry.rude);
const answers = () => game.all.filter((entry) => entry.tier !== "review" && unlessRude(entry)).sort(byRank);
const maybes = () =>
  game.all
    .filter((entry) => entry.tier === "review" && unlessRude(entry))
    .sort((one, other) => other.p - one.p || byWord(one, other));
const textOf = (entries) => entries.map((entry) => entry.word);
const foundAnswers = () => textOf(answers()).filter((word) => game.found.has(word));

function openPuzzle(puzzle) {
  game.puzzle = puzzle;
  game.all = solve(groups, puzzle);
  game.found = readFound(puzzle);
  game.order = puzzle.outer;
  for (const part of document.querySelectorAll("#puzzle details")) part.open = false;
  $("letters").value = puzzle.letters;
  $("letters-wrong").textContent = $("said").textContent = $("guess").value = "";
  $("welcome").hidden = true;
  $("puzzle").hidden = $("guess-form").hidden = false;
  showRing(puzzle.center, game.order, true);
  showPuzzle();
}

function closePuzzle() {
  Object.assign(game, { puzzle: null, all: [], found: new Set() });
  $("welcome").hidden = false;
  $("puzzle").hidden = $("guess-form").hidden = true;
  $("said").textContent = "";
  showRing("", "", false);
  const before = played();
  $("played").hidden = !before.length;
  $("played-list").replaceChildren(...before.map((letters) => el("li", {}, el("a", { href: `#${letters}` }, letters))));
}

/** Put letters on the ring; while somebody types a puzzle it shows what is there so far. */
function showRing(center, outer, ready) {
  document.querySelectorAll(".node").forEach((node, at) => {
    const letter = at ? (outer[at - 1] ?? "") : center;
    node.textContent = letter;
    node.disabled = !ready;
    node.setAttribute(
      "aria-label",
      letter ? letter.toUpperCase() + (at ? "" : ", the center") : at ? "no letter yet" : "no center yet",
    );
  });
}

/** Show everything that depends on the puzzle and on what is found. Hints that are closed stay empty. */
function showPuzzle() {
  const list = answers(),
    words = textOf(list);
  const line = words.length ? totals(words, game.puzzle) : "No word of the list answers these letters.";
  $("totals").replaceChildren(...line.split(/(?<=,) /).flatMap((part, at) => [at ? " " : "", el("span", {}, part)]));
  showPangramless(words);
  showRank(words);
  showFound();
  const left = game.all.filter((entry) => entry.tier !== "review").length - list.length;
  $("safe-said").hidden = !left;
  $("safe-said").textContent =
    `${count(left, "word")} left out here. The official totals may count ${left === 1 ? "it" : "them"}.`;
  for (const id of Object.keys(HINTS)) showHint(id);
}

function showPangramless(words) {
  const missing = words.length > 0 && !words.some(pangram);
  const candidates = maybes()
    .filter((entry) => pangram(entry.word))
    .slice(0, LIKELIEST);
  $("pangramless").hidden = !missing;
  if (!missing) return;
  const said = "Every puzzle has a pangram, and the list has none for these letters.";
  const rest = candidates.length
    ? el(
        "details",
        {},
        el("summary", {}, "The likeliest candidates"),
        el("ol.words", {}, ...candidates.map((entry) => wordItem(entry, { sure: true }))),
      )
    : el("p", {}, "No doubtful word is one either. Are the letters right?");
  $("pangramless").replaceChildren(el("p", {}, said), rest);
}

function showRank(words) {
  const most = pointsOf(words),
    points = pointsOf(foundAnswers()),
    steps = ranks(most);
  const at = most ? steps.findLastIndex((step) => points >= step.needed) : 0;
  const next = steps.find((step) => step.needed > points);
  $("rank").textContent = steps[at].name;
  $("rank-said").textContent =
    `${points} of ${count(most, "point")}.` +
    (next && most ? ` ${next.needed - points} more to ${next.name}.` : most ? " That is all of them." : "");
  $("track-done").style.width = `${most ? (100 * points) / most : 0}%`;
  const list = el(
    "table",
    {},
    el("caption", {}, "Points needed for each rank"),
    el(
      "tbody",
      {},
      ...steps.map((step, place) =>
        el(
          place === at ? "tr.here" : "tr",
          {},
          el("th", { scope: "row" }, step.name, place === at ? aloud(", where you are") : ""),
          el("td", {}, `${step.needed}`),
        ),
      ),
    ),
  );
  $("ranks").querySelector(".body").replaceChildren(list);
}

function showFound() {
  const known = new Map(game.all.map((entry) => [entry.word, entry]));
  const words = [...game.found].sort();
  const shown = words.map((word) => known.get(word)).filter((entry) => entry && unlessRude(entry));
  $("found-count").textContent = shown.length ? `(${shown.length})` : "";
  $("found-none").hidden = shown.length > 0;
  $("forget").hidden = !words.length;
  $("found").replaceChildren(
    ...shown.map((entry) => {
      const item = wordItem(entry);
      item.append(" ", el("small.soft", {}, entry.tier === "review" ? "may be accepted" : `${score(entry.word)}`));
      return item;
    }),
  );
}

/** What each hint shows, from the words that it may count. */
const HINTS = {
  grid: (words) => [table(grid(words), "First letter down, length across", "grid")],
  pairs: (words) => [el("ul.chips", {}, ...pairs(words).map((pair) => el("li", {}, pair)))],
  starts: (words) => [
    el(
      "ul.words.starts",
      {},
      ...veiled(words).map(([start, length]) =>
        el(
          "li",
          {},
          el("span", { "aria-hidden": "true" }, start + "·".repeat(length - start.length)),
          aloud(`${start.toUpperCase()}, ${length} letters`),
          " ",
          el("small.soft", { "aria-hidden": "true" }, `${length}`),
        ),
      ),
    ),
  ],
  words: () => {
    const list = answers().sort(ORDERS[$("order").value]);
    const item = (entry) => wordItem(entry, { found: game.found, sure: $("sure").checked });
    const legend = el(
      "p.small",
      {},
      el("em", {}, "In italics:"),
      " likely, but never tried" + ($("sure").checked ? ", with the probability p that they are accepted." : "."),
    );
    if ($("order").value !== "tier") {
      return [
        ...(list.some((entry) => entry.tier === "likely") ? [legend] : []),
        el("ol.words", {}, ...list.map(item)),
      ];
    }
    const part = (tier, says) => {
      const some = list.filter((entry) => entry.tier === tier);
      return some.length
        ? [el("h3", {}, `${tier}: ${says} (${some.length})`), el("ol.words", {}, ...some.map(item))]
        : [];
    };
    return [...part("core", "accepted at the last trial"), ...part("likely", "never tried")];
  },
  maybe: () => {
    const list = maybes();
    if (!list.length) return [el("p", {}, "There are none for these letters.")];
    return [
      el("p.small", {}, "Doubtful words that are not on the list, with the probability p that they are accepted."),
      el("ol.words", {}, ...list.map((entry) => wordItem(entry, { found: game.found, sure: true }))),
    ];
  },
};

function showHint(id) {
  const body = $(id).querySelector(".body");
  if (!$(id).open || !game.puzzle) return body.replaceChildren();
  const words = textOf(answers()).filter((word) => !($("left-only").checked && game.found.has(word)));
  if (words.length || id === "maybe" || id === "words") return body.replaceChildren(...HINTS[id](words));
  return body.replaceChildren(el("p", {}, "Nothing is left to find."));
}

// ---------------------------------------------------------------- guessing

const say = (...parts) => $("said").replaceChildren(...parts);
const praise = (word) => (perfect(word) ? "A perfect pangram! " : pangram(word) ? "A pangram! " : "");

/** Judge one word: whether it is newly found, and what to say. */
function judge(word) {
  const wrong = ruleBroken(word) || notSpelled(word, game.puzzle);
  const title = word.toUpperCase();
  if (wrong) return { fresh: false, says: [`${title}: ${wrong}.`] };
  const entry = game.all.find((some) => some.word === word);
  const why = el("a", { href: `#/why/${word}` }, "Why?");
  if (!entry) return { fresh: false, says: [`${title} is not on the list. `, why] };
  if (!unlessRude(entry)) return { fresh: false, says: [`${title} is left out here, as you asked.`] };
  if (game.found.has(word)) return { fresh: false, says: [`${title} is found already.`] };
  if (entry.tier === "review") {
    return {
      fresh: true,
      says: [
        `${title} may be accepted${entry.p === null ? "" : ` (p = ${entry.p.toFixed(2)})`}. Kept, without points. `,
        why,
      ],
    };
  }
  return { fresh: true, says: [`${praise(word)}${title}: ${count(score(word), "point")}.`] };
}

function guess(text) {
  const words = text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (!words.length) return say("Type a word first.");
  const judged = words.map((word) => {
    const result = judge(word);
    if (result.fresh) game.found.add(word);
    return result;
  });
  writeFound(game.puzzle, game.found);
  showPuzzle();
  if (judged.length === 1) return say(...judged[0].says);
  const others = words.filter((word, at) => !judged[at].fresh);
  const told = others.length ? ` Not new: ${others.slice(0, 10).join(", ")}${others.length > 10 ? " and others" : ""}.` : "";
  return say(`${count(words.length - others.length, "new word")} of ${words.length}.${told}`);
}

function shuffle() {
  const letters = [...game.order];
  do {
    for (let at = letters.length - 1; at > 0; at--) {
      const other = Math.floor(Math.random() * (at + 1));
      [letters[at], letters[other]] = [letters[other], letters[at]];
    }
  } while (letters.join("") === game.order);
  game.order = letters.join("");
  showRing(game.puzzle.center, game.order, true);
}

/** Letters and Backspace work on the ring too, but only while it has the focus: nobody's own keys are taken. */
function ringKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !game.puzzle) return;
  if (/^[a-z]$/i.test(event.key)) $("guess").value += event.key.toLowerCase();
  else if (event.key === "Backspace") $("guess").value = $("guess").value.slice(0, -1);
  else return;
  event.preventDefault();
  $("guess").focus();
}

// ---------------------------------------------------------------- the record, loaded when it is asked for

let record = null;

/** Call back with the record; loads record.js the first time. `place` says so meanwhile. */
function withRecord(place, then) {
  if (record) return then();
  const fail = (text) => place.replaceChildren(el("p.wrong", { role: "alert" }, text));
  place.replaceChildren(el("p.soft", {}, "Loading the record …"));
  const script = el("script", { src: "record.js" });
  script.onerror = () => fail("record.js did not load; it belongs into the same folder as this page.");
  script.onload = () => {
    if (beeRecord.of !== beeWords.id) return fail("words.js and record.js are of two releases; reload the page.");
    record = readRecord();
    return then();
  };
  return document.head.append(script);
}

/** Every word of the release by name, each with its own code of flags, record and reason. */
function readRecord() {
  const rows = beeRecord.rows.split(" ");
  const entries = [...unpack(beeWords.list), ...unpack(beeRecord.list)];
  return new Map(entries.map((entry, at) => [entry.word, { ...entry, code: rows[at] }]));
}

const flagsOf = (entry) =>
  [.../^[A-Z]*/.exec(entry.code)[0]].map((letter) => beeRecord.flags[letter.charCodeAt(0) - 65]);

/** The record of a word, its dates as text, or nothing when it was never tried. */
function recordOf(entry) {
  const numbers = entry.code.replace(/^[A-Z]*/, "").split(".");
  if (numbers.length < 5) return null;
  const [offered, accepted, ...days] = numbers.map((digits) => (digits ? parseInt(digits, 36) : null));
  const [first, last, refused] = days.map((day) =>
    day === null ? "" : new Date(Date.parse(beeRecord.since) + day * 86_400_000).toISOString().slice(0, 10),
  );
  return { offered, accepted, first, last, refused };
}

/** The reason of a word as the release states it. */
function because(entry) {
  if (Object.hasOwn(beeRecord.notes, entry.word)) return beeRecord.notes[entry.word];
  const tried = recordOf(entry);
  if (tried) {
    const often = `accepted ${tried.accepted} of ${tried.offered} times`;
    return entry.tier === "core"
      ? `${often}, last on ${tried.last}`
      : `${often}, refused at its last trial on ${tried.refused}`;
  }
  const phrases = entry.code
    .replace(/^[A-Z]*/, "")
    .match(/../g)
    .map((digits) => beeRecord.phrases[parseInt(digits, 36)]);
  return `never tried; p = ${entry.p.toFixed(2)}: ${phrases.join(", ")}`;
}

// ---------------------------------------------------------------- looking a word up

const VERDICTS = {
  core: ["In", "on the list, tier core"],
  likely: ["In", "on the list, tier likely"],
  review: ["Doubtful", "not on the list, tier review: it may be accepted"],
  refused: ["Out", "not on the list, tier refused"],
};

function lookUp(text) {
  const word = text.trim().toLowerCase();
  $("word").value = word;
  if (!word) return $("why-said").replaceChildren(el("p.soft", {}, "Any word at all; for example:"), examples());
  return withRecord($("why-said"), () => $("why-said").replaceChildren(...explained(word)));
}

const examples = () =>
  el("ul.chips", {}, ...["luff", "covenant", "canto", "null"].map((word) => el("li", {}, linkTo(word))));

function explained(word) {
  const entry = record.get(word),
    wrong = ruleBroken(word);
  const head = (verdict, rest) => el("p.verdict", {}, `${word}: `, el("b", {}, verdict), `, ${rest}.`);
  if (wrong) return [head("Out", "no word of any puzzle"), el("p", {}, `Because ${wrong}.`)];
  if (!entry) {
    return [
      head("Out", "not in the release"),
      el(
        "p",
        {},
        "No puzzle ever accepted it, and either it is too unlikely or no word list knows it as a common word.",
      ),
    ];
  }
  return [head(...VERDICTS[entry.tier]), el("p", {}, `Because: ${because(entry)}.`), facts(entry)];
}

function facts(entry) {
  const list = el("dl.facts"),
    add = (term, ...parts) => list.append(el("dt", {}, term), el("dd", {}, ...parts));
  const tried = recordOf(entry);
  if (tried) {
    add(
      "Record",
      `possible on ${count(tried.offered, "day")}` +
        (tried.first
          ? `; accepted on ${tried.accepted}, first ${tried.first}, last ${tried.last}`
          : "; never accepted") +
        (tried.refused ? `; last refused ${tried.refused}` : "; never refused"),
    );
  } else add("Record", "never tried");
  if (entry.p !== null) add("Estimate", `p = ${entry.p.toFixed(2)}`);
  for (const flag of flagsOf(entry)) {
    add("Flag", el("a", { href: `#/flags/${flag.id}` }, flag.name), ` (${flag.severity}). ${flag.says}`);
  }
  if (game.puzzle) add("In " + game.puzzle.letters, inPuzzle(entry));
  add("Worth", `${count(score(entry.word), "point")}${pangram(entry.word) ? ", as a pangram" : ""}`);
  if (pangram(entry.word)) {
    const letters = [...new Set(entry.word)].sort();
    const link = (center) =>
      el("a", { href: `#${center}${letters.filter((letter) => letter !== center).join("")}` }, center.toUpperCase());
    add("Its puzzles", "with center ", ...letters.flatMap((center, at) => [at ? ", " : "", link(center)]));
  }
  return list;
}

function inPuzzle(entry) {
  const wrong = notSpelled(entry.word, game.puzzle);
  if (wrong) return `no answer: ${wrong}`;
  return (
    { review: "it may be an answer", refused: "no answer, though the letters spell it" }[entry.tier] ?? "an answer"
  );
}

// ---------------------------------------------------------------- flags

const AT_ONCE = 200;

/** The entries with a flag, of the chosen tier; offensive words only when they are asked for. */
function flagged(id) {
  const chosen = $("flags-tier").value;
  const fits = (entry) => (chosen === "listed" ? ["core", "likely"].includes(entry.tier) : entry.tier === chosen);
  const letter = String.fromCharCode(65 + beeRecord.flags.findIndex((flag) => flag.id === id));
  return [...record.values()].filter((entry) => fits(entry) && /^[A-Z]*/.exec(entry.code)[0].includes(letter));
}

function showFlags(id, moved) {
  withRecord($("flagged"), () => {
    const known = beeRecord.flags.some((flag) => flag.id === id) ? id : "";
    $("catalogue").replaceChildren(
      ...beeRecord.flags.map((flag) => {
        const link = el("a", { href: `#/flags/${flag.id}` }, flag.name);
        if (flag.id === known) link.setAttribute("aria-current", "true");
        return el(
          "li",
          {},
          link,
          ` `,
          el("small", {}, `${flag.severity}, ${count(flagged(flag.id).length, "word")}`),
          el("p.small", {}, flag.says),
        );
      }),
    );
    $("flagged").replaceChildren(
      ...(known ? flaggedWords(known) : [el("p.soft", {}, "Choose a flag to see its words.")]),
    );
    if (moved && known) $("flagged-title").focus();
  });
}

function flaggedWords(id) {
  const all = flagged(id),
    shown = all.filter((entry) => $("rude").checked || !entry.rude).sort(byWord);
  const name = beeRecord.flags.find((flag) => flag.id === id).name;
  const list = el("ol.words"),
    more = el("button.quiet", { type: "button" }, `Show ${AT_ONCE} more`);
  const grow = () => {
    const from = list.children.length;
    list.append(...shown.slice(from, from + AT_ONCE).map((entry) => wordItem(entry)));
    more.hidden = list.children.length >= shown.length;
    if (from) list.children[from]?.querySelector("a").focus();
  };
  more.addEventListener("click", grow);
  grow();
  const hidden = all.length - shown.length;
  return [
    el("h2", { id: "flagged-title", tabindex: "-1" }, `Words flagged: ${name}`),
    el(
      "p.small",
      {},
      count(shown.length, "word"),
      hidden ? `; ${hidden} offensive ${hidden === 1 ? "one is" : "ones are"} not shown.` : ".",
    ),
    list,
    more,
  ];
}

// ---------------------------------------------------------------- changes and accuracy: the release's own Markdown

/** Turn `code`, *emphasis* and plain text into nodes; a word of a list entry becomes a link to its reason. */
function inline(text, wordsAreLinks) {
  return text.split(/(`[^`]+`|\*[^*]+\*)/).map((part) => {
    if (part.startsWith("`"))
      return wordsAreLinks && /^`[a-z]+`$/.test(part) ? linkTo(part.slice(1, -1)) : el("code", {}, part.slice(1, -1));
    return /^\*.+\*$/.test(part) ? el("em", {}, part.slice(1, -1)) : part;
  });
}

/** Read the little Markdown that the release and the report use: headings, lists, tables, plots, paragraphs. */
function markdown(text) {
  const made = [];
  let title = "";
  for (const block of text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)) {
    const heading = /^(#+) (.*)$/.exec(block),
      plot = /^!\[([^\]]*)\]\(([\w-]+\.svg)\)$/.exec(block);
    if (heading) {
      title = heading[2];
      made.push(el("h2", {}, ...inline(title)));
    } else if (plot) made.push(el("img", { src: plot[2], alt: plot[1], loading: "lazy" }));
    else if (block.startsWith("|")) made.push(table(tableRows(block), title));
    else if (block.startsWith("- "))
      made.push(
        el("ul", {}, ...block.split(/\n- /).map((item) => el("li", {}, ...inline(item.replace(/^- /, ""), true)))),
      );
    else made.push(el("p", {}, ...inline(block.replaceAll("\n", " "))));
  }
  return made;
}

const tableRows = (block) =>
  block
    .split("\n")
    .filter((line) => !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .replace(/^\||\|$/g, "")
        .split("|")
        .map((cell) => cell.trim().replaceAll("_", " ")),
    );

function showText(section, text) {
  const body = $(section).querySelector(".body");
  withRecord(body, () => body.replaceChildren(el("div.report", {}, ...markdown(text()))));
}

// ---------------------------------------------------------------- sections and addresses

const SECTIONS = {
  solve: () => (game.puzzle ? null : closePuzzle()),
  why: (word) => lookUp(word),
  flags: (id, moved) => showFlags(id, moved),
  changes: () => showText("changes", () => beeRecord.changes),
  accuracy: () => showText("accuracy", () => beeRecord.report),
  about: () => null,
};

/**
 * Show what the address asks for: `#vctaoen` a puzzle, `#/why/luff` a word, `#/flags/rare` a flag, `#/about`.
 * After a move to another section its title has the focus.
 */
function route(moved) {
  const address = decoded(location.hash.slice(1));
  const [, named, rest] = /^\/(\w+)\/?(.*)$/.exec(address) ?? [];
  const section = Object.hasOwn(SECTIONS, named ?? "") ? named : "solve";
  const turned = moved && $(section).hidden;
  for (const id of Object.keys(SECTIONS)) $(id).hidden = id !== section;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.section === section) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (turned) {
    scrollTo(0, 0);
    $(`${section}-title`).focus();
  }
  document.title = `${$(section).querySelector("h1").textContent} – A word list for the Spelling Bee`;
  if (section === "solve" && !named && address) openAddress(address);
  else if (section === "solve" && !named) closePuzzle();
  else SECTIONS[section](rest ?? "", moved);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function openAddress(address) {
  try {
    const puzzle = readPuzzle(address);
    if (game.puzzle?.letters !== puzzle.letters) openPuzzle(puzzle);
    document.querySelector('nav a[data-section="solve"]').href = `#${puzzle.letters}`;
    document.title = `${puzzle.letters.toUpperCase()} – A word list for the Spelling Bee`;
  } catch (error) {
    closePuzzle();
    $("letters").value = address;
    $("letters-wrong").textContent = error.message;
  }
}

// ---------------------------------------------------------------- start

/** A choice that is remembered: `apply` is called with every change. */
function remembered(id, apply) {
  const field = $(id),
    kind = field.type === "checkbox" ? "checked" : "value";
  const kept = shelf.get(id);
  if (kept !== null) field[kind] = kind === "checked" ? kept === "true" : kept;
  field.addEventListener("change", () => {
    shelf.set(id, `${field[kind]}`);
    apply();
  });
}

const again = () => (game.puzzle ? showPuzzle() : null);
const theme = () => {
  document.documentElement.dataset.theme = $("theme").value;
};

function listen() {
  addEventListener("hashchange", () => route(true));
  $("letters-form").addEventListener("submit", (event) => {
    event.preventDefault();
    askPuzzle();
  });
  $("letters").addEventListener("input", previewLetters);
  $("guess-form").addEventListener("submit", (event) => {
    event.preventDefault();
    guess($("guess").value);
    $("guess").value = "";
  });
  $("why-form").addEventListener("submit", (event) => {
    event.preventDefault();
    askWord();
  });
  $("delete").addEventListener("click", () => {
    $("guess").value = $("guess").value.slice(0, -1);
  });
  $("shuffle").addEventListener("click", shuffle);
  $("forget").addEventListener("click", forget);
  $("ring").addEventListener("keydown", ringKey);
  $("ring").addEventListener("click", (event) => {
    $("guess").value += event.target.closest(".node:enabled")?.textContent ?? "";
  });
  for (const id of Object.keys(HINTS)) $(id).addEventListener("toggle", () => showHint(id));
  for (const id of ["left-only", "safe", "order", "sure"]) remembered(id, again);
  for (const id of ["flags-tier", "rude"]) $(id).addEventListener("change", () => route(false));
  remembered("theme", theme);
}

function askPuzzle() {
  try {
    const { letters } = readPuzzle($("letters").value);
    $("letters-wrong").textContent = "";
    location.hash = letters;
    // The change of address is announced later; the form to guess in must be there now to take the focus.
    route(true);
    $("guess").focus();
  } catch (error) {
    $("letters-wrong").textContent = error.message;
  }
}

function previewLetters() {
  const letters = $("letters")
    .value.toLowerCase()
    .replace(/[^a-z]/g, "");
  $("letters-wrong").textContent = "";
  if (!game.puzzle) showRing(letters.slice(0, 1), letters.slice(1, 7), false);
}

function askWord() {
  const word = $("word").value.trim().toLowerCase();
  location.hash = `/why/${word}`;
  lookUp(word);
}

function forget() {
  if (!confirm(`Forget the ${count(game.found.size, "word")} found in this puzzle?`)) return;
  game.found.clear();
  writeFound(game.puzzle, game.found);
  showPuzzle();
  say("Forgotten.");
  $("guess").focus();
}

function showRelease() {
  const number = (value) => (value ?? 0).toLocaleString("en-US");
  const add = (term, text) => $("release").append(el("dt", {}, term), el("dd", {}, text));
  add("Version", beeWords.version);
  add("Covers", `${number(beeWords.covers?.days)} puzzles from ${beeWords.covers?.first} to ${beeWords.covers?.last}`);
  add("Words", TIERS.map((tier) => `${number(beeWords.words?.[tier])} ${tier}`).join(", "));
  $("version").textContent = `Release ${beeWords.version}.`;
  $("sources").append(
    ...(beeWords.sources ?? []).map((source) =>
      el(
        "li",
        {},
        /^https?:/.test(source.path) ? el("a", { href: source.path, rel: "noreferrer" }, source.title) : source.title,
      ),
    ),
  );
  $("licences").textContent =
    `Licences of the list: ${(beeWords.licenses ?? []).map((one) => `${one.name} (${one.title})`).join(", ")}.`;
  document.querySelector('nav a[data-section="accuracy"]').parentElement.hidden = !beeWords.report;
}

/** The marks of the ranks on the track never change: they are shares of the points. */
function showTicks() {
  $("track-ticks").replaceChildren(
    ...RANKS.slice(1).map(([, percent]) => {
      const tick = el("i");
      tick.style.left = `calc(${percent}% - ${percent === 100 ? 1.5 : 0}px)`;
      return tick;
    }),
  );
}

function start() {
  if (typeof beeWords === "undefined") {
    $("broken").hidden = false;
    $("broken").textContent = "words.js did not load; it belongs into the same folder as this page.";
    return;
  }
  groups = indexed(unpack(beeWords.list));
  showRelease();
  showTicks();
  listen();
  theme();
  route(false);
}

start();

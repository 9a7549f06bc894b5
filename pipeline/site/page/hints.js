"use strict";
// Hints in three steps: a nudge about one word, numbers by first letters and length, and clues for all
// remaining words. What was told stays after a reload.

/** What the player was told about a puzzle: the word of the nudge, how much of it (0 to 3), and the opened number. */
function readHints(id) {
  const [word = "", told = "0", cell = ""] = (shelf.get(`hints:${id}`) ?? "").split(" ");
  return { word, told: Number(told), cell };
}

/** Store what the player was told, and show it. */
function keepHints(part) {
  Object.assign(game.hints, part);
  const { word, told, cell } = game.hints;
  shelf.set(`hints:${idOf(game.puzzle)}`, `${word} ${told} ${cell}`);
  warnVolatile();
  showPuzzle();
}

const STEPS = ["nudge", "grid", "clues"];
const stepShown = () => STEPS.find((step) => step === shelf.get("set:step")) ?? STEPS[0];

function openStep(step) {
  shelf.set("set:step", step);
  showPuzzle();
}

/** Fill the chosen step. `all` are the words of the puzzle. */
function showHints(all) {
  const left = remaining(all);
  const chosen = stepShown();
  const counted = chosen === "grid" && !$("left-only").checked ? all : left;
  const numbers = `${counted.length < all.length ? "Remaining" : "In all"}: ${summary(counted)}.${bingoText(all)}`;
  $("left-said").textContent = game.revealed ? "You have seen the answers." : left.length ? numbers : "No words remain.";
  $("hinting").hidden = game.revealed !== "" || !left.length;
  if ($("hinting").hidden) return;
  for (const step of STEPS) $(`step-${step}`).hidden = step !== chosen;
  for (const choice of document.querySelectorAll("[data-step]")) choice.setAttribute("aria-pressed", choice.dataset.step === chosen);
  if (chosen === "nudge") showNudge(left);
  else if (chosen === "grid") showGrid(counted, all);
  else showClues($("step-clues"), "", left);
}

/** Says so if every letter of the puzzle starts one of its words. */
const bingoText = (words) => (bingo(words, game.puzzle) ? " Every letter starts an answer." : "");

// ---------------------------------------------------------------- clues

/** Clues for words from what is known about them, sorted by first letter and length. A word without a usable gloss has the clue "". */
function cluesOf(words, facts) {
  const secret = new Set(textOf(current().answers));
  const clues = words.map((word) => {
    const senses = offensive(word) ? [] : (facts.get(word)?.senses ?? []);
    return { first: word[0], length: word.length, clue: clueOf(senses, word, secret) };
  });
  return clues.sort((one, other) => compare(one.first, other.first) || one.length - other.length || compare(one.clue, other.clue));
}

const clueItem = ({ first, length, clue }, instead) =>
  el("li", {}, el("b", {}, `${first.toUpperCase()} ${length}`), " ", clue || el("span.soft", {}, instead));

/** Fill a place with the clues for words, under a title. */
const showClues = (place, title, words) =>
  fill(place, [idOf(game.puzzle), title, ...words].join(" "), async () => {
    const { facts, wrong } = await factsOf(words);
    const clues = cluesOf(words, facts);
    const blank = clues.some(({ clue }) => clue.includes(BLANK)) ? [el("p.small", {}, `${BLANK} stands for a word that would give an answer away.`)] : [];
    return [title && el("h3", {}, title), ...alertOf(wrong), ...blank, el("ul.clues", {}, ...clues.map((one) => clueItem(one, wrong ? "" : "no clue")))];
  });

// ---------------------------------------------------------------- a nudge

const NUDGES = ["Clue", "Two letters", "All its letters", "All its letters"];

/** Tell more about the word of the nudge; if there is none, or `other` is that word, about another one. */
async function nudge(other = "") {
  const { puzzle } = game;
  const { word, told } = game.hints;
  const left = remaining(textOf(current().answers));
  if (left.includes(word) && !other) {
    keepHints({ word, told: Math.min(told + 1, 3) });
    return;
  }
  let chosen = "";
  await fill($("nudge"), `${idOf(puzzle)} another than ${other}`, async () => {
    chosen = await wordToNudge(left.filter((one) => one !== other));
    return [];
  });
  if (chosen && game.puzzle === puzzle) keepHints({ word: chosen, told: 1 });
}

/** A random word with a clue; any, if none has one, or if its clue does not load. */
async function wordToNudge(words) {
  const start = Math.floor(Math.random() * words.length);
  for (const word of [...words.slice(start), ...words.slice(0, start)]) {
    const { facts, wrong } = await factsOf([word]);
    if (wrong || cluesOf([word], facts)[0].clue) return word;
  }
  return words[start];
}

/** Show what is told about the word of the nudge. */
function showNudge(left) {
  const { word, told } = left.includes(game.hints.word) ? game.hints : { word: "", told: 0 };
  const more = $("nudge-more"),
    other = $("nudge-other");
  more.textContent = NUDGES[told];
  other.disabled = !told || left.length === 1;
  if (told === 3 && document.activeElement === more) (other.disabled ? $("sheet-title") : other).focus();
  more.disabled = told === 3;
  fill($("nudge"), `${idOf(game.puzzle)} ${word} ${told}`, async () => {
    if (!told) return [];
    const { facts, wrong } = await factsOf([word]);
    const lines = [
      ...(wrong ? alertOf(wrong) : [el("p", {}, cluesOf([word], facts)[0].clue || "It has no clue.")]),
      el("p", {}, `It starts with ${word.slice(0, 2).toUpperCase()} and has ${word.length} letters.`),
      el("p", {}, "Its letters, A to Z: ", el("b.spread", {}, [...word].sort().join(""))),
    ];
    return lines.slice(0, told);
  });
}

// ---------------------------------------------------------------- numbers

/** Whether a word is counted by a number of the grid, like `c8`, or of the pairs, like `co`. */
const isCounted = (word, cell) => (/\d/.test(cell) ? word[0] === cell[0] && word.length === Number(cell.slice(1)) : word.startsWith(cell));
const cellName = (cell) => (/\d/.test(cell) ? `${cell[0].toUpperCase()}, ${cell.slice(1)} letters` : cell.toUpperCase());

let cellAsked = ""; // the number whose clues are to be scrolled into view

/** A number that opens the clues for the words that it counts. */
function cellButton(cell, text) {
  const turn = () => {
    cellAsked = game.hints.cell === cell ? "" : cell;
    keepHints({ cell: cellAsked });
  };
  const made = button(text, turn, "button.cell");
  made.dataset.cell = cell;
  if (typeof text === "number") made.setAttribute("aria-label", `${cellName(cell)}: ${text}`);
  made.setAttribute("aria-pressed", game.hints.cell === cell);
  return made;
}

/** Show the grid and the pairs of the `counted` words, and the clues for the remaining words of the opened number. */
function showGrid(counted, all) {
  const focused = document.activeElement?.dataset?.cell;
  const [head, ...lines] = grid(counted, all);
  const sums = lines.pop();
  const numbers = lines.map(([first, ...row]) => {
    const total = row.pop();
    return [first, ...row.map((number, at) => (number > 0 ? cellButton(`${first}${head[at + 1]}`, number) : number)), total];
  });
  const scrolled = $("grid").firstChild?.scrollLeft;
  $("grid").replaceChildren(table([head, ...numbers, sums], "First letter down, length across", "grid"));
  $("grid").firstChild.scrollLeft = scrolled;
  const pair = (text) => [cellButton(text.slice(0, 2).toLowerCase(), text), " "];
  $("pairs").replaceChildren(...startLines(counted).map((line) => el("li", {}, ...line.flatMap(pair))));
  const { cell } = game.hints;
  const left = remaining(all).filter((word) => cell && isCounted(word, cell));
  if (left.length) showClues($("cell-clues"), cellName(cell), left).then(cellShown);
  else fill($("cell-clues"), cell, async () => (cell ? [`${cellName(cell)}: you found them all.`] : []));
  if (focused) $("step-grid").querySelector(`[data-cell=${focused}]`)?.focus({ preventScroll: true });
}

function cellShown() {
  if (cellAsked) $("cell-clues").scrollIntoView({ block: "nearest" });
  cellAsked = "";
}

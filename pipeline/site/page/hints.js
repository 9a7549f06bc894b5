// Hints: a clue about one word, numbers by first letters and length, and clues for all remaining words. What was told
// stays after a reload, and the clue of one word stays above the ring while the player types. Offers drawHints, bingoText,
// listenToHints.

import { compare } from "./game.js";
import { BLANK, bingo, clueOf, grid, startLines, summary } from "./clues.js";
import { factsOf, isOffensive } from "./list.js";
import { $, alertOf, button, clear, el, fill, onClick, puzzleAddress, wide } from "./page.js";
import { answerWords, game, isFound, isOver, keep, openPanel, remaining } from "./play.js";
import { changeGame, idOf, setSetting, setting } from "./saved.js";

const STEPS = ["nudge", "grid", "clues"];
/** The step that is open: the one in the address, otherwise the one that was used last. */
const stepOf = (part) => STEPS.find((step) => step === part.split("-")[0]) ?? STEPS.find((step) => step === setting("step")) ?? STEPS[0];

/** Show the clue above the ring, and the panel if it is open. */
export function drawHints({ panel, part, word }) {
  $("pinned-clue").ariaLive = panel === "hints" ? "off" : "polite"; // the panel reads the same clue
  showPinned();
  if (panel !== "hints" || word) return;
  const all = answerWords(),
    left = remaining();
  const step = stepOf(part);
  const cell = step === "grid" ? (part.split("-")[1] ?? "") : "";
  const counted = step === "grid" && !$("left-only").checked ? all : left;
  const numbers = `${counted.length < all.length ? "Remaining" : "In all"}: ${summary(counted)}.${bingoText(all)}`;
  $("left-said").textContent = game.record.seen ? "You have seen the answers." : left.length ? numbers : "No words remain.";
  $("hinting").hidden = isOver();
  $("several-form").hidden = isOver();
  offerToPaste();
  if (isOver()) return;
  for (const one of STEPS) $(`step-${one}`).hidden = one !== step;
  for (const choice of document.querySelectorAll("[data-step]")) choice.setAttribute("aria-pressed", choice.dataset.step === step);
  keepShown(step, step === "clues" ? left : cell ? left.filter((word) => isCounted(word, cell)) : []);
  if (step === "nudge") showNudge(left);
  else if (step === "grid") showGrid(counted, all, cell);
  else fill($("step-clues"), `${puzzleAddress(game.puzzle)} ${left.join(" ")}`, () => clueList("", left));
}

let offeredFor = null; // the puzzle for which the field for found words was opened

/** Open the field for found words once, if the letters are of another game. */
function offerToPaste() {
  const { puzzle, record } = game;
  if (offeredFor === puzzle || puzzle.date || typeof puzzle.level !== "string") return;
  offeredFor = puzzle;
  $("several").open = !puzzle.level && !record.found.length;
}

function openStep(step) {
  if (step !== "clues") setSetting("step", step); // so that opening the hints does not tell everything
  openPanel("hints", step);
}

/** Keep that the grid and the clues for some words are shown, also if the address asks for them, or if the grid was used last. */
function keepShown(step, words) {
  const { grid: isGridKept, told } = game.record;
  if (step === "grid" && !isGridKept) game.record = changeGame(idOf(game.puzzle), { grid: true });
  if (words.some((word) => !told[word])) game.record = changeGame(idOf(game.puzzle), { told: Object.fromEntries(words.map((word) => [word, 1])) });
}

/** Says so if every letter of the puzzle starts one of its words. */
export const bingoText = (words) => (bingo(words, game.puzzle) ? " Every letter starts an answer." : "");

// ---------------------------------------------------------------- clues

/** The clue of a word; "" if it has none, or if some readers find the word offensive. */
const clueFrom = (word, facts) => (isOffensive(word) ? "" : clueOf(facts.get(word)?.senses ?? [], word, new Set(answerWords())));

/** A list of the clues for words, by first letter and length, under a title. */
async function clueList(title, words) {
  const { facts, wrong } = await factsOf(words);
  const clues = words.map((word) => ({ word, clue: clueFrom(word, facts) }));
  clues.sort((one, other) => compare(one.word[0], other.word[0]) || one.word.length - other.word.length || compare(one.clue, other.clue));
  const blank = clues.some(({ clue }) => clue.includes(BLANK)) ? [el("p.small", {}, `${BLANK} stands for a word that would give an answer away.`)] : [];
  const item = ({ word, clue }) => el("li", {}, el("b", {}, `${word[0].toUpperCase()} ${word.length}`), " ", clue || el("span.soft", {}, wrong ? "" : "no clue"));
  return [title && el("h3", {}, title), ...alertOf(wrong), ...blank, el("ul.clues", {}, ...clues.map(item))];
}

// ---------------------------------------------------------------- one word

const NUDGES = ["Clue", "Two letters", "All its letters", "All its letters"];

let choosing = null; // the puzzle for which another word is chosen, while its clue loads

/** Tell more about the word above the ring, or about another one than that if it is found, or if `other` is true. */
async function nudge(isOther = false) {
  const { puzzle, record } = game;
  const left = remaining();
  const { pinned } = record;
  if (left.includes(pinned) && !isOther) return keep({ told: { [pinned]: Math.min((record.told[pinned] ?? 0) + 1, 3) } });
  if (choosing === puzzle) return null;
  choosing = puzzle;
  const word = await wordToNudge(left.filter((one) => one !== pinned));
  if (choosing === puzzle) choosing = null;
  if (word && game.puzzle === puzzle) keep({ pinned: word, told: { [word]: 1 } });
  return null;
}

/** A random word with a clue; any, if none has one, or if its clue does not load. */
async function wordToNudge(words) {
  const start = Math.floor(Math.random() * words.length);
  for (const word of [...words.slice(start), ...words.slice(0, start)]) {
    const { facts, wrong } = await factsOf([word]);
    if (wrong || clueFrom(word, facts)) return word;
  }
  return words[start];
}

/** What is told about a word: its clue, its start and length, its letters. */
async function tellings(word, told) {
  const { facts, wrong } = await factsOf([word]);
  const lines = [
    ...(wrong ? alertOf(wrong) : [el("p", {}, clueFrom(word, facts) || "It has no clue.")]),
    el("p", {}, `It starts with ${word.slice(0, 2).toUpperCase()} and has ${word.length} letters.`),
    el("p", {}, "Its letters, A to Z: ", el("b.spread", {}, [...word].sort().join(""))),
  ];
  return lines.slice(0, told);
}

function showNudge(left) {
  const { pinned, told: everything } = game.record;
  const told = left.includes(pinned) ? everything[pinned] : 0;
  const more = $("nudge-more"),
    other = $("nudge-other");
  more.textContent = NUDGES[told];
  other.disabled = !told || left.length === 1;
  if (told === 3 && document.activeElement === more) (other.disabled ? $("sheet-title") : other).focus();
  more.disabled = told === 3;
  if (told) fill($("nudge"), `${pinned} ${told}`, () => tellings(pinned, told));
  else clear($("nudge"));
}

/**
 * Show the clue of one word above the ring. Its place stays after the word is found, so that nothing moves. Where there is
 * room, it is there from the start.
 */
function showPinned() {
  const { pinned, told: everything } = game.record;
  const word = answerWords().includes(pinned) ? pinned : ""; // the filter may hide it
  const told = everything[word] ?? 0;
  const isLeft = remaining().includes(word) && !isOver();
  $("pinned").hidden = !word && !wide.matches;
  $("pinned").classList.toggle("empty", !word && isOver());
  $("pinned-more").textContent = !word ? "Clue" : isLeft && told < 3 ? "More" : "Another";
  $("pinned-more").hidden = isOver() || !remaining().some((one) => (isLeft && told < 3) || one !== word);
  fill($("pinned-clue"), `${word} ${told} ${isLeft} ${isOver()}`, async () => {
    if (!word) return [el("span.soft", {}, isOver() ? "" : "A clue stays here while you type.")];
    if (!isLeft) return [el("b", {}, word), isFound(word) ? ": found" : ": missed"];
    const head = told > 1 ? `${word.slice(0, 2).toUpperCase()}, ${word.length}` : `${word[0].toUpperCase()} ${word.length}`;
    const { facts, wrong } = await factsOf([word]);
    const letters = told > 2 ? ` (${[...word].sort().join("").toUpperCase()})` : "";
    return [el("b", {}, head), `${letters} `, wrong ? el("span.wrong", {}, "Its clue did not load. ") : clueFrom(word, facts) || "no clue"];
  });
}

function tellMore() {
  const { pinned, told } = game.record;
  return nudge(!remaining().includes(pinned) || told[pinned] === 3);
}

// ---------------------------------------------------------------- numbers

/** Whether a word is counted by a number of the grid, like `c8`, or of the pairs, like `co`. */
const isCounted = (word, cell) => (/\d/.test(cell) ? word[0] === cell[0] && word.length === Number(cell.slice(1)) : word.startsWith(cell));
const cellName = (cell) => (/\d/.test(cell) ? `${cell[0].toUpperCase()}, ${cell.slice(1)} letters` : cell.toUpperCase());

/** A number that opens the clues for the words that it counts. */
function cellButton(cell, text, opened) {
  const made = button(text, ({ detail }) => detail > 1 || openPanel("hints", opened === cell ? "grid" : `grid-${cell}`), "button.cell");
  made.dataset.cell = cell;
  if (typeof text === "number") made.setAttribute("aria-label", `${cellName(cell)}: ${text}`);
  made.setAttribute("aria-pressed", opened === cell);
  return made;
}

/** A table, which can be scrolled if it is too wide. */
function table(rows, caption) {
  const cells = (row, isHead) =>
    row.map((cell, at) => {
      const scope = cell === "" ? "" : isHead ? "col" : at === 0 ? "row" : "";
      const kind = ["-", 0].includes(cell) ? "td.none" : "td";
      return el(scope ? "th" : kind, scope ? { scope } : {}, cell);
    });
  const [head, ...body] = rows;
  return el(
    "div.scroll",
    { tabindex: "0", role: "region", "aria-label": caption },
    el("table.grid", {}, el("caption", {}, caption), el("thead", {}, el("tr", {}, ...cells(head, true))), el("tbody", {}, ...body.map((row) => el("tr", {}, ...cells(row, false))))),
  );
}

/** Show the grid and the pairs of the `counted` words, and the clues for the remaining words of the opened number. */
async function showGrid(counted, all, opened) {
  const focused = document.activeElement?.dataset?.cell;
  const [head, ...lines] = grid(counted, all);
  const sums = lines.pop();
  const numbers = lines.map(([first, ...row]) => {
    const total = row.pop();
    return [first, ...row.map((number, at) => (number > 0 ? cellButton(`${first}${head[at + 1]}`, number, opened) : number)), total];
  });
  const scrolled = $("grid").firstChild?.scrollLeft;
  $("grid").replaceChildren(table([head, ...numbers, sums], "First letter down, length across"));
  $("grid").firstChild.scrollLeft = scrolled;
  const pair = (text) => [cellButton(text.slice(0, 2).toLowerCase(), text, opened), " "];
  $("pairs").replaceChildren(...startLines(counted).map((line) => el("li", {}, ...line.flatMap(pair))));
  if (focused) $("step-grid").querySelector(`[data-cell=${focused}]`)?.focus({ preventScroll: true });
  const left = opened ? remaining().filter((word) => isCounted(word, opened)) : [];
  const wasOpen = $("cell-clues").dataset.cell === opened;
  $("cell-clues").dataset.cell = opened;
  if (left.length) await fill($("cell-clues"), `${opened} ${left.join(" ")}`, () => clueList(cellName(opened), left));
  else if (opened) await fill($("cell-clues"), opened, async () => [`${cellName(opened)}: you found them all.`]);
  else clear($("cell-clues"));
  if (opened && !wasOpen) $("cell-clues").scrollIntoView({ block: "nearest" });
}

export function listenToHints() {
  onClick("step", openStep);
  $("nudge-more").addEventListener("click", ({ detail }) => detail > 1 || nudge());
  $("nudge-other").addEventListener("click", ({ detail }) => detail > 1 || nudge(true));
  $("pinned-more").addEventListener("click", ({ detail }) => detail > 1 || tellMore());
  $("left-only").addEventListener("change", () => openPanel("hints", "grid"));
}

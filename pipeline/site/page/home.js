// The first screen: today's puzzle, the letters of any other, unfinished puzzles, and practice. Offers showStart,
// showWrong, solved, listenToStart.

import { count, lettersSoFar, readPuzzle } from "./game.js";
import { addDays, dayName, puzzleDay } from "./days.js";
import { changeGame, idOf, readGame, recent } from "./saved.js";
import { dayPuzzle, keptPuzzle, list, puzzleOf } from "./list.js";
import { $, clearNotices, el, go, here, notice, onClick, ringPicture } from "./page.js";
import { farText, openPractice, playedItem, progress, streak } from "./archive.js";

const CONTINUED = 3;

export async function showStart() {
  const today = puzzleDay();
  $("practice-said").textContent = "";
  $("today-date").textContent = dayName(today);
  $("today").href = `#daily/${today}`;
  showToday(today);
  await Promise.all([showYesterday(addDays(today, -1)), showUnfinished(today)]);
}

function showToday(today) {
  try {
    const puzzle = dayPuzzle(today);
    const far = progress(puzzle);
    $("today-ring").replaceChildren(ringPicture(puzzle.given));
    $("today-says").textContent = `${puzzle.level}, ${count(far.of, "word")}`.replace(/^./, (first) => first.toUpperCase());
    $("today-go").hidden = false;
    $("today-go").textContent = far.isOver ? "See the words" : far.got.length ? "Continue" : "Play";
    $("today-far").textContent = far.got.length || far.isSeen ? farText(far) : "";
  } catch (error) {
    $("today-go").hidden = true;
    $("today-says").textContent = error.message;
  }
  const { now } = streak();
  const days = Object.keys(list.daily).filter((date) => date <= today).length;
  $("days-said").textContent = count(days, "puzzle") + (now > 1 ? `, ${now} days in a row` : "");
}

async function showYesterday(date) {
  const puzzle = await keptPuzzle(date);
  $("yesterday").hidden = !puzzle;
  if (!puzzle) return;
  const far = progress(puzzle);
  const missed = far.of - far.got.length;
  $("yesterday").replaceChildren(
    el("a", { href: `#daily/${date}` }, "Yesterday"), el("span.soft", {}, far.got.length || far.isSeen ? farText(far) : `${count(far.of, "word")}, not played`),
    el("a", { href: `#daily/${date}/answers` }, far.got.length && missed ? `You missed ${missed}` : "Answers"),
  );
}

/** Show the puzzles that were started but not finished, the last one first. */
async function showUnfinished(today) {
  const items = [];
  for (const id of recent()) {
    if ([today, addDays(today, -1)].includes(id) || items.length === CONTINUED) continue;
    const puzzle = await keptPuzzle(id);
    if (!puzzle) continue;
    const far = progress(puzzle);
    if (far.got.length && !far.isOver) items.push(playedItem(far));
  }
  $("unfinished").hidden = !items.length;
  $("unfinished-list").replaceChildren(...items);
}

/** Show what is wrong with an address: next to the letters if it has letters, otherwise above the page. */
export function showWrong(says, address) {
  const isOfLetters = !/^(daily|\/(?!solve))/i.test(address);
  clearNotices();
  if (!isOfLetters) return notice(says);
  $("letters").value = address.replace(/^\/solve\//, "").replace(/\/.*/, "");
  $("letters-wrong").textContent = says;
  return $("letters").focus();
}

/** Show, while letters are typed, what is wrong with them or how many are missing. */
function lettersTyped() {
  $("letters-wrong").textContent = "";
  $("letters-count").textContent = lettersSoFar($("letters").value);
}

/** The player's letters as they were typed, if they are a puzzle that the list has words for; null with a sentence if not. */
async function typedPuzzle() {
  const address = here();
  $("letters-count").textContent = "";
  try {
    const puzzle = await puzzleOf(readPuzzle($("letters").value).given);
    $("letters-wrong").textContent = "";
    return here() === address ? puzzle : null;
  } catch (error) {
    $("letters-wrong").textContent = error.message;
    $("letters").focus();
    return null;
  }
}

/** Open the typed letters: to play, for hints, or for all words, which ends no game that has found words. */
async function askPuzzle(how) {
  // Until the list is there, the letters are kept in the address.
  if (!list && $("letters").value.trim()) return go(`${how === "all" ? "/solve/" : ""}${encodeURIComponent($("letters").value)}${how === "hints" ? "/hints" : ""}`);
  const puzzle = await typedPuzzle();
  if (!puzzle) return null;
  return go({ play: puzzle.given, hints: `${puzzle.given}/hints`, all: `/solve/${puzzle.given}` }[how]);
}

/** Show all words of a puzzle as to a solver, unless words were found: then they are only offered. */
export function solved(puzzle) {
  const { found, seen } = readGame(idOf(puzzle));
  if (!found.length && !seen && !puzzle.date) changeGame(idOf(puzzle), { seen: "solved" });
}

export function listenToStart() {
  $("letters").addEventListener("input", lettersTyped);
  $("letters-form").addEventListener("submit", (event) => {
    event.preventDefault();
    askPuzzle(event.submitter?.value || "hints");
  });
  onClick("practice", (level) => openPractice(level).catch(({ message }) => ($("practice-said").textContent = message)));
}

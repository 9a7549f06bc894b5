"use strict";
// Puzzles for practice by level, and the puzzle that comes next.

const LEVELS = ["easy", "medium", "hard"];

/** The letters for practice, by level. No puzzle of the day of this release has the same letters in any order. */
const loadPractice = () => load("puzzles.json");

/** The level of letters for practice; "" for other letters, and null if the puzzles do not load. */
async function levelOf({ letters }) {
  const practice = await loadPractice().catch(() => null);
  return practice && (LEVELS.find((level) => practice[level].includes(letters)) ?? "");
}

/** Whether the player found words of a puzzle, saw its answers, or has it open now. */
const isBegun = (letters) =>
  readFound(letters).size > 0 || shelf.get(`answers:${letters}`) !== null || game.puzzle?.letters === letters;

/** Open a random puzzle of a level that the player has not begun, unless another address is opened in the meantime. */
async function askPractice(level) {
  const { hash } = location;
  $("practice-said").textContent = "";
  try {
    const ofLevel = (await waitFor(loadPractice()))[level];
    const letters = ofLevel.filter((some) => !isBegun(some));
    if (location.hash !== hash) return;
    if (!letters.length) throw new Error(ofLevel.length ? `You have begun all ${level} puzzles of this list.` : `This list has no ${level} puzzles.`);
    openAddress(letters[Math.floor(Math.random() * letters.length)]);
  } catch (error) {
    if (location.hash !== hash) return;
    if ($("game").hidden) $("practice-said").textContent = error.message;
    else {
      closeSheet();
      say(error.message);
    }
  }
}

/** Show the level of the puzzle that is open, if it has one. */
async function showLevel() {
  const { puzzle } = game;
  $("game-level").textContent = puzzle.level ?? "";
  puzzle.level ??= await levelOf(puzzle);
  if (game.puzzle !== puzzle) return;
  $("game-level").textContent = puzzle.level ?? "";
  showPuzzle();
  nameNext();
}

/** The last day whose puzzle was not played; today counts until its puzzle is over. "" if there is none. */
function nextDay() {
  const today = puzzleDay();
  for (let date = today; date >= firstDay(); date = addDays(date, -1)) {
    if (!beeWords.daily[date]) continue;
    const { isOver, got } = progress(dayPuzzle(date));
    if (!isOver && (date === today || !got)) return date;
  }
  return "";
}

/** What comes next: the date of a puzzle of the day; after practice, or if no day is left, a level. */
function comesNext() {
  const { date, level } = game.puzzle;
  const day = date || !level ? nextDay() : "";
  return day ? { date: day } : { level: level || "medium" };
}

/** Name the next puzzle on its buttons. */
function nameNext() {
  const { date, level } = comesNext();
  for (const button of document.querySelectorAll("[data-next]")) button.textContent = date ? `Next puzzle: ${dayShort(date)}` : `Next ${level} puzzle`;
}

function openNext() {
  const { date, level } = comesNext();
  return date ? openAddress(`daily/${date}`) : askPractice(level);
}

// What a player did: progress in puzzles, streaks and what comes next; and the archive, which shows it by month and in
// figures. Offers progressOf, progress, farText, playedItem, hintsOf, streak, comesNext, openPractice, openRandom,
// showDays.

import { count, isGenius, isPangram, pointsOf, rankAt, RULES } from "./game.js";
import { addDays, dateName, dayName, dayShort, isDate, monthName, puzzleDay, streaks, weeks } from "./days.js";
import { idOf, playedIds, readGame, recent } from "./saved.js";
import { answersOf, dayPuzzle, firstDay, keptPuzzle, levelOf, list, nameOf, practice } from "./list.js";
import { $, el, go, here, puzzleAddress, waitFor } from "./page.js";

// ---------------------------------------------------------------- progress

/** A player's progress in a puzzle: `words` are its answers, `found` are the found words, which may include others. */
export function progressOf(words, found) {
  const known = new Set(found);
  const got = words.filter((word) => known.has(word));
  const most = pointsOf(words),
    points = pointsOf(got);
  const { steps, at, next } = rankAt(points, most);
  const isDone = words.length > 0 && got.length === words.length;
  return { got, of: words.length, points, most, rank: steps[at].name, at, next, steps, isDone };
}

/** The progress that this browser keeps. A puzzle with S, or E and R, is counted in full only when the whole list is loaded. */
export function progress(puzzle) {
  const record = readGame(idOf(puzzle));
  const far = progressOf(answersOf(puzzle), record.found);
  return { puzzle, record, ...far, isOver: far.isDone || record.seen !== "", isSeen: record.seen === "shown" };
}

/** "Genius, 31 of 47", and whether the answers were seen before that. */
export const farText = ({ rank, got, of, isSeen }) => `${rank}, ${got.length} of ${of}${isSeen ? ", answers seen" : ""}`;

/** A link to a puzzle, with its level if it is for practice, and the player's progress. */
export function playedItem(far) {
  const { puzzle } = far;
  const name = puzzle.date ? dayShort(puzzle.date) : nameOf(puzzle);
  const level = puzzle.date || !puzzle.level ? "" : el("span", {}, puzzle.level);
  return el("li", {}, el("a", { href: `#${puzzleAddress(puzzle)}` }, el("b", {}, name), " ", level, " ", el("span.far", {}, farText(far))));
}

/** How many hints a player was given: one for each word that was told about, and one for the grid. */
export const hintsOf = ({ told, grid }) => Object.keys(told).length + Number(grid);

/** The days whose puzzle was played on the same day. */
const onTime = () => playedIds().filter((id) => isDate(id) && id <= puzzleDay() && readGame(id).on === id);
/** The streak until today, and the longest one. */
export const streak = () => streaks(onTime(), puzzleDay());

// ---------------------------------------------------------------- what comes next

/** The last day whose puzzle was not played; today counts until its puzzle is over. "" if there is none. */
function nextDay() {
  const today = puzzleDay();
  for (let date = today; date >= firstDay(); date = addDays(date, -1)) {
    if (!list.daily[date]) continue;
    const { isOver, got } = progress(dayPuzzle(date));
    if (!isOver && (date === today || !got.length)) return date;
  }
  return "";
}

/** What comes after a puzzle: the date of one of the day; after practice, or if no day is left, a level. */
export function comesNext({ date, level }) {
  const day = date || !level ? nextDay() : "";
  return day ? { date: day } : { level: level || "medium" };
}

let asking = null; // the practice puzzle that was asked for last

/**
 * Open a random puzzle of a level that the player has not begun, unless another address is opened in the meantime. Rejects
 * with a sentence if there is none.
 */
export async function openPractice(level, open) {
  const address = here(),
    asked = {};
  asking = asked;
  const ofLevel = (await waitFor(practice()))[level];
  if (here() !== address || asking !== asked) return;
  const begun = new Set(playedIds());
  const letters = ofLevel.filter((some) => !begun.has(some) && some !== open);
  if (!letters.length) throw new Error(ofLevel.length ? `You have begun all ${level} puzzles of this list.` : `This list has no ${level} puzzles.`);
  go(letters[Math.floor(Math.random() * letters.length)]);
}

/** Open a random puzzle of the day that was not played. */
export function openRandom() {
  const days = Object.keys(list.daily).filter((date) => date <= puzzleDay() && !isPlayed(progress(dayPuzzle(date))));
  if (days.length) go(`daily/${days[Math.floor(Math.random() * days.length)]}`);
}

// ---------------------------------------------------------------- the archive

const isPlayed = ({ got, isSeen }) => got.length > 0 || isSeen;

/** Show a month, such as 2026-11; the current one if it has no puzzles. */
export async function showDays(asked) {
  const today = puzzleDay();
  const [first, last] = [firstDay().slice(0, 7), today.slice(0, 7)];
  const month = asked >= first && asked <= last && isDate(`${asked}-01`) ? asked : last;
  const dates = playedIds().filter((id) => isDate(id) && list.daily[id] && id <= today);
  const days = dates.map((date) => progress(dayPuzzle(date))).filter(isPlayed);
  showMonth(month, new Map(days.map((one) => [one.puzzle.date, one])), today);
  showTurn("earlier", month > first && addDays(`${month}-01`, -1).slice(0, 7));
  showTurn("later", month < last && addDays(`${month}-01`, 31).slice(0, 7));
  $("archive-begins").textContent = list.daily[firstDay()] ? `The first puzzle of the day was for ${dateName(firstDay())}.` : "";
  $("random").hidden = !Object.keys(list.daily).some((date) => date <= today && !days.some(({ puzzle }) => puzzle.date === date));
  showPlayed("played", days.filter(({ puzzle }) => puzzle.date.startsWith(month)).reverse());
  const address = here();
  const others = await otherPlayed();
  if (here() !== address) return;
  showPlayed("others", others);
  showFigures([...days, ...others].filter(({ got }) => got.length));
}

function showMonth(month, days, today) {
  const name = monthName(month);
  if ($("month").textContent && $("month").querySelector("caption").textContent !== name) $("month-aloud").textContent = name;
  $("month").replaceChildren(calendar(month, today, days));
}

function showPlayed(name, played) {
  $(name).hidden = !played.length;
  $(`${name}-list`).replaceChildren(...played.map(playedItem));
}

/** Show a link to another month, if there is one. Its focus goes to the title if there is none. */
function showTurn(id, month) {
  if (!month && document.activeElement === $(id)) $("days-title").focus({ preventScroll: true });
  $(id).hidden = !month;
  if (!month) return;
  $(id).href = `#/days/${month}`;
  $(id).textContent = monthName(month);
}

/** The puzzles that are not of a day, with found or seen words, the last one first. */
async function otherPlayed() {
  const played = [];
  for (const id of recent().filter((one) => !isDate(one))) {
    const puzzle = await keptPuzzle(id);
    const far = puzzle && progress({ ...puzzle, level: await levelOf(puzzle) });
    if (far && isPlayed(far)) played.push(far);
  }
  return played;
}

/** A month as a table: each day up to today that has a puzzle is a link with the player's progress. */
function calendar(month, today, days) {
  const cell = (date) => {
    const number = `${Number(date.slice(8))}`;
    if (!list.daily[date] || date > today) return el("td", {}, date ? el("span.soft", {}, number) : "");
    const far = days.get(date);
    const says = far ? farText(far) : "not played";
    const link = el("a", { href: `#daily/${date}`, "aria-label": `${dayName(date, today)}: ${says}`, title: says }, number);
    if (date === today) link.setAttribute("aria-current", "date");
    if (far) {
      link.classList.add(far.isDone ? "queen" : isGenius(far.at) ? "genius" : "begun");
      link.style.setProperty("--far", `${(100 * far.points) / far.most}%`);
    }
    return el("td", {}, link);
  };
  const heads = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map((day) => el("th", { scope: "col" }, el("abbr", { title: day }, day[0])));
  return el(
    "table.month",
    {},
    el("caption", {}, monthName(month)),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...weeks(month).map((week) => el("tr", {}, ...week.map(cell)))),
  );
}

// ---------------------------------------------------------------- figures

/** Show what a player reached in the puzzles in which words were found. */
function showFigures(all) {
  $("statistics").hidden = !all.length;
  const { now, longest } = streak();
  const words = all.flatMap(({ got }) => got);
  const long = words.reduce((best, word) => (word.length > best.length ? word : best), "");
  const figures = {
    Streak: count(now, "day"),
    "Longest streak": count(longest, "day"),
    Played: count(all.length, "puzzle"),
    "Without hints": count(all.filter(({ record }) => !hintsOf(record)).length, "puzzle"),
    "Words found": words.length.toLocaleString("en-US"),
    Pangrams: words.filter(isPangram).length.toLocaleString("en-US"),
    ...(long ? { "Longest word": long } : {}),
  };
  $("figures").replaceChildren(...Object.entries(figures).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
  $("histogram").replaceChildren(histogram(all));
}

/** A bar for each rank, with the number of puzzles in which it was the last one reached. */
function histogram(all) {
  const names = Object.keys(RULES.ranks);
  const numbers = names.map((_, at) => all.filter((far) => far.at === at).length);
  const most = Math.max(...numbers);
  const row = (name, number) => {
    const bar = el("span.bar");
    bar.style.setProperty("--far", `${(100 * number) / most}%`);
    return el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, bar, `${number}`));
  };
  return el("table.histogram", {}, el("caption", {}, "Puzzles by the rank that you reached"), el("tbody", {}, ...names.map((name, at) => row(name, numbers[at])).reverse()));
}

"use strict";
// Dates, the names of puzzles, and what a player did on each day. This file needs bee.js but no page; it also runs under
// Node. Where the Python package computes the same thing, tests compare the results.

// ---------------------------------------------------------------- dates, as text like 2026-11-22

const DAY = 86_400_000; // milliseconds

const addDays = (date, days) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

/** Whether a text is a date. */
const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;

/** The date of the current puzzle, the same everywhere: `words.puzzle_day` in the Python package. */
function puzzleDay(now = new Date()) {
  const format = { timeZone: rules().zone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" };
  const { year, month, day, hour } = Object.fromEntries(
    new Intl.DateTimeFormat("en-US", format).formatToParts(now).map(({ type, value }) => [type, value]),
  );
  const date = `${year}-${month}-${day}`;
  return Number(hour) < rules().turn ? addDays(date, -1) : date;
}

const written = (date, format) => new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...format }).format(Date.parse(date));
/** "Sunday, November 22", with the year if it is not the current one. */
const dayName = (date, today = puzzleDay()) =>
  written(date, { weekday: "long", month: "long", day: "numeric", ...(date.slice(0, 4) === today.slice(0, 4) ? {} : { year: "numeric" }) });
/** "Nov 22", with the year if it is not the current one. */
const dayShort = (date, today = puzzleDay()) =>
  written(date, { month: "short", day: "numeric", ...(date.slice(0, 4) === today.slice(0, 4) ? {} : { year: "numeric" }) });

/** "Sun, Nov 22" */
const dayBrief = (date) => written(date, { weekday: "short", month: "short", day: "numeric" });

/** The name of a puzzle: its day, or its letters, center first. */
const nameOf = (puzzle) => (puzzle.date ? dayName(puzzle.date) : `${puzzle.given[0]} ${puzzle.given.slice(1)}`.toUpperCase());
/** The address of a puzzle on this page. */
const addressOf = (puzzle) => (puzzle.date ? `daily/${puzzle.date}` : puzzle.given);

// ---------------------------------------------------------------- a player's days

/** A player's progress in a puzzle: `words` are its answers, `found` are the found words, which may include others. */
function progressOf(words, found) {
  const got = words.filter((word) => found.has(word));
  const most = pointsOf(words),
    points = pointsOf(got);
  const { steps, at, next } = rankAt(points, most);
  const done = words.length > 0 && got.length === words.length;
  return { got: got.length, of: words.length, points, most, rank: steps[at].name, at, next, steps, pangrams: got.filter(pangram).length, done };
}

/**
 * The streak that ends today (or yesterday, if today's puzzle was not played yet), and the longest streak. `dates` are the
 * days whose puzzle was played on the same day.
 */
function streaks(dates, today) {
  const days = new Set(dates);
  let longest = 0;
  for (const date of days) {
    if (days.has(addDays(date, -1))) continue;
    let length = 1;
    while (days.has(addDays(date, length))) length++;
    longest = Math.max(longest, length);
  }
  let now = 0;
  for (let date = days.has(today) ? today : addDays(today, -1); days.has(date); date = addDays(date, -1)) now++;
  return { now, longest };
}

/** The weeks of a month, Sunday first: dates, or "" before the first and after the last day. */
function weeks(month) {
  const days = [];
  for (let date = `${month}-01`; date.startsWith(month); date = addDays(date, 1)) days.push(date);
  const blank = new Date(Date.parse(days[0])).getUTCDay();
  const cells = [...Array(blank).fill(""), ...days];
  while (cells.length % 7) cells.push("");
  return Array.from({ length: cells.length / 7 }, (_, at) => cells.slice(7 * at, 7 * at + 7));
}

// Dates as text like 2026-11-22, and what follows from them. Runs in Node without a page. Offers addDays, isDate,
// puzzleDay, hoursToNext, dayName, dayShort, dayBrief, dateName, monthName, streaks, weeks.

const ZONE = "America/New_York";
const TURN = 3; // o'clock: when the next puzzle comes
const DAY = 86_400_000; // milliseconds
const HOUR = 3_600_000;

export const addDays = (date, days) => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);

/** Whether a text is a date. */
export const isDate = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;

/** The date of the current puzzle, the same everywhere: `words.puzzle_day` in the Python package. */
export function puzzleDay(now = new Date()) {
  const format = { timeZone: ZONE, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", hourCycle: "h23" };
  const parts = new Intl.DateTimeFormat("en-US", format).formatToParts(now);
  const { year, month, day, hour } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const date = `${year}-${month}-${day}`;
  return Number(hour) < TURN ? addDays(date, -1) : date;
}

/** The hours until the next puzzle comes, rounded up. */
export function hoursToNext(now = new Date()) {
  let hours = 1;
  while (puzzleDay(new Date(now.getTime() + hours * HOUR)) === puzzleDay(now)) hours++;
  return hours;
}

const written = (date, format) => new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...format }).format(Date.parse(date));
const yearIfOther = (date, today) => (date.slice(0, 4) === today.slice(0, 4) ? {} : { year: "numeric" });
/** "Sunday, November 22", with the year if it is not the current one. */
export const dayName = (date, today = puzzleDay()) => written(date, { weekday: "long", month: "long", day: "numeric", ...yearIfOther(date, today) });
/** "Nov 22", with the year if it is not the current one. */
export const dayShort = (date, today = puzzleDay()) => written(date, { month: "short", day: "numeric", ...yearIfOther(date, today) });
/** "Sun, Nov 22" */
export const dayBrief = (date) => written(date, { weekday: "short", month: "short", day: "numeric" });
/** "June 29, 2025" */
export const dateName = (date) => written(date, { month: "long", day: "numeric", year: "numeric" });
/** "November 2026", of a month like 2026-11. */
export const monthName = (month) => written(`${month}-01`, { month: "long", year: "numeric" });

/**
 * The streak that ends today (or yesterday, if today's puzzle was not played yet), and the longest streak. `dates` are the
 * days whose puzzle was played on the same day.
 */
export function streaks(dates, today) {
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
export function weeks(month) {
  const days = [];
  for (let date = `${month}-01`; date.startsWith(month); date = addDays(date, 1)) days.push(date);
  const blank = new Date(Date.parse(days[0])).getUTCDay();
  const cells = [...Array(blank).fill(""), ...days];
  while (cells.length % 7) cells.push("");
  return Array.from({ length: cells.length / 7 }, (_, at) => cells.slice(7 * at, 7 * at + 7));
}

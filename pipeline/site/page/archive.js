"use strict";
// The archive: the puzzles of the day, a month at a time, and what the player did.

/** The days that were played, in order. */
const playedDays = () => [...new Set([...playedIds(), ...revealedIds()])].filter(isDate).sort();
/** The days whose puzzle was played on the same day. */
const onTime = () => shelf.keys().filter((key) => key.startsWith("on:") && shelf.get(key) === key.slice(3) && key.slice(3) <= puzzleDay()).map((key) => key.slice(3));

/** Show a month, such as 2026-11; the current one if it has no puzzles. */
async function showDays(asked) {
  const today = puzzleDay();
  const [first, last] = [firstDay().slice(0, 7), today.slice(0, 7)];
  const month = asked >= first && asked <= last && isDate(`${asked}-01`) ? asked : last;
  const dates = playedDays().filter((date) => beeWords.daily[date] && date <= today);
  const days = dates.map((date) => playedOf(dayPuzzle(date))).filter(isPlayed);
  showMonth(month, new Map(days.map((one) => [one.puzzle.date, one])), today);
  showTurn("earlier", month > first && monthBefore(month));
  showTurn("later", month < last && monthAfter(month));
  $("archive-begins").textContent = beeWords.daily[firstDay()] ? `The first puzzle of the day was for ${dateName(firstDay())}.` : "";
  showPlayed("played", days.filter(({ puzzle }) => puzzle.date.startsWith(month)).reverse());
  const others = await otherPlayed();
  showPlayed("others", others);
  showFigures([...days, ...others].filter(({ got }) => got), today);
}

function showMonth(month, days, today) {
  const name = monthName(month);
  if ($("month").textContent && $("month").querySelector("caption").textContent !== name) $("month-aloud").textContent = name;
  $("month").replaceChildren(calendar(month, today, days));
}

function showPlayed(name, played) {
  $(name).hidden = !played.length;
  $(`${name}-list`).replaceChildren(...played.map((one) => playedItem(one.puzzle, one)));
}

const monthBefore = (month) => addDays(`${month}-01`, -1).slice(0, 7);
const monthAfter = (month) => addDays(`${month}-01`, 31).slice(0, 7);
const monthName = (month) => written(`${month}-01`, { month: "long", year: "numeric" });

/** Show a link to another month, if there is one. Its focus goes to the title if there is none. */
function showTurn(id, month) {
  if (!month && document.activeElement === $(id)) $("days-title").focus({ preventScroll: true });
  $(id).hidden = !month;
  if (!month) return;
  $(id).href = `#/days/${month}`;
  $(id).textContent = monthName(month);
}

/** A puzzle with the progress in it and the found words. */
function playedOf(puzzle) {
  const found = readFound(idOf(puzzle));
  return { puzzle, ...progress(puzzle), words: answersOf(puzzle).filter((word) => found.has(word)) };
}

const isPlayed = ({ got, isSeen }) => got > 0 || isSeen;

/** The puzzles that are not of a day, with found or seen words, the last one first. */
async function otherPlayed() {
  const played = [];
  for (const id of recent().filter((one) => !isDate(one))) {
    const puzzle = await storedPuzzle(id);
    const one = puzzle && playedOf({ ...puzzle, level: await levelOf(puzzle) });
    if (one && isPlayed(one)) played.push(one);
  }
  return played;
}

function showFigures(all, today) {
  $("figures").hidden = !all.length;
  const { now, longest } = streaks(onTime(), today);
  const words = all.flatMap(({ words }) => words);
  const long = words.reduce((best, word) => (word.length > best.length ? word : best), "");
  const figures = {
    Streak: count(now, "day"),
    "Longest streak": count(longest, "day"),
    Played: count(all.length, "puzzle"),
    Genius: all.filter(({ at }) => isGenius(at)).length,
    "Queen Bee": all.filter(({ done }) => done).length,
    "Words found": words.length.toLocaleString("en-US"),
    ...(long ? { "Longest word": long } : {}),
  };
  $("figures").replaceChildren(...Object.entries(figures).map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, `${value}`))));
}

/** A month as a table: each day up to today that has a puzzle is a link with the player's progress. */
function calendar(month, today, days) {
  const cell = (date) => {
    const number = `${Number(date.slice(8))}`;
    if (!beeWords.daily[date] || date > today) return el("td", {}, date ? el("span.soft", {}, number) : "");
    const far = days.get(date);
    const says = far ? farText(far) : "not played";
    const link = el("a", { href: `#daily/${date}`, "aria-label": `${dayName(date, today)}: ${says}`, title: says }, number);
    if (date === today) link.setAttribute("aria-current", "date");
    if (far) {
      link.classList.add(far.done ? "queen" : isGenius(far.at) ? "genius" : "begun");
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

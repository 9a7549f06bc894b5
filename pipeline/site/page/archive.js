"use strict";
// The archive: the puzzles of the day, a month at a time, and what the player did.

/** The days that were played, in order. */
const playedDays = () => playedIds().filter(isDate).sort();
/** The days whose puzzle was played on the same day. */
const onTime = () => shelf.keys().filter((key) => key.startsWith("on:") && shelf.get(key) === key.slice(3) && key.slice(3) <= puzzleDay()).map((key) => key.slice(3));

/** Show a month, such as 2026-11; the current one if it has no puzzles. */
async function showDays(asked) {
  const today = puzzleDay();
  const [first, last] = [firstDay().slice(0, 7), today.slice(0, 7)];
  const month = asked >= first && asked <= last && isDate(`${asked}-01`) ? asked : last;
  const played = await playedPuzzles();
  const days = new Map(played.filter(({ puzzle }) => puzzle.date).map((one) => [one.puzzle.date, one]));
  const items = (some) => some.map(({ puzzle, rank, got, of }) => playedItem(puzzle, `${rank}, ${got} of ${of}`));
  const fillList = (name, list) => {
    $(name).hidden = !list.length;
    $(`${name}-list`).replaceChildren(...list);
  };
  showFigures(played, today);
  $("month").replaceChildren(calendar(month, firstDay(), today, days));
  showTurn("earlier", month > first && monthBefore(month));
  showTurn("later", month < last && monthAfter(month));
  $("archive-begins").textContent = `The first puzzle of the day was for ${dateName(firstDay())}.`;
  fillList("played", items([...days.values()].filter(({ puzzle }) => puzzle.date.startsWith(month)).reverse()));
  fillList("others", items(played.filter(({ puzzle }) => !puzzle.date)));
}

const monthBefore = (month) => addDays(`${month}-01`, -1).slice(0, 7);
const monthAfter = (month) => addDays(`${month}-01`, 31).slice(0, 7);

/** Show a link to another month, if there is one. */
function showTurn(id, month) {
  $(id).hidden = !month;
  if (!month) return;
  $(id).href = `#/days/${month}`;
  $(id).textContent = written(`${month}-01`, { month: "long", year: "numeric" });
}

/** The puzzles with found words and the progress in each: days in order, then others, the last one first. */
async function playedPuzzles() {
  const played = [];
  for (const id of [...playedDays(), ...recent().filter((id) => !isDate(id))]) {
    const puzzle = await storedPuzzle(id);
    const far = puzzle && progress(puzzle);
    if (far?.got) played.push({ puzzle, ...far, words: answersOf(puzzle).filter((word) => readFound(idOf(puzzle)).has(word)) });
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

/** A month as a table: each day from the first one to today is a link with the player's progress. */
function calendar(month, first, today, days) {
  const cell = (date) => {
    const number = `${Number(date.slice(8))}`;
    if (!date || date < first || date > today) return el("td", {}, date ? el("span.soft", {}, number) : "");
    const far = days.get(date);
    const says = far?.got ? progressText(far) : "not played";
    const link = el("a", { href: `#daily/${date}`, "aria-label": `${dayName(date, today)}: ${says}`, title: says }, number);
    if (date === today) link.setAttribute("aria-current", "date");
    if (far?.got) {
      link.classList.add(far.done ? "queen" : isGenius(far.at) ? "genius" : "begun");
      link.style.setProperty("--far", `${(100 * far.points) / far.most}%`);
    }
    return el("td", {}, link);
  };
  const heads = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].map((day) => el("th", { scope: "col" }, el("abbr", { title: day }, day[0])));
  return el(
    "table.month",
    {},
    el("caption", {}, written(`${month}-01`, { month: "long", year: "numeric" })),
    el("thead", {}, el("tr", {}, ...heads)),
    el("tbody", {}, ...weeks(month).map((week) => el("tr", {}, ...week.map(cell)))),
  );
}

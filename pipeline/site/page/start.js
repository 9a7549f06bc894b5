"use strict";
// The first screen, with today's puzzle, unfinished puzzles and other puzzles; and the section with every day.

/** The published puzzles of the day, from words.json. */
let published = null;
const publishedDays = () => (published ??= readDays(beeWords.daily));

let ownPool = null;
const loadPool = async () => (ownPool ??= readPool(await load("puzzles.json")));

/** The first day with a puzzle. */
const firstDay = () => publishedDays().keys().next().value ?? puzzleDay();

/** The puzzle of a day, with its date and level. Rejects with a sentence if the day has no puzzle. */
async function dayPuzzle(date) {
  const first = firstDay();
  if (!isDate(date)) throw new Error(`“${date}” is not a date like ${puzzleDay()}.`);
  if (date < first) throw new Error(`The first puzzle of the day is for ${dayName(first)}.`);
  if (date > puzzleDay()) throw new Error(`The puzzle for ${dayName(date)} appears on that day.`);
  const own = publishedDays().get(date) ?? daily(await loadPool(), date, publishedDays());
  if (!own) throw new Error("This word list is too small to make a puzzle of the day.");
  return { ...readPuzzle(own.letters), date, level: own.level };
}

/** A stored puzzle, by its day or its letters, ready to be counted. */
async function puzzleOf(id) {
  if (isDate(id)) return dayPuzzle(id);
  if (!inPlay(id)) await moreWords();
  return readPuzzle(id);
}

/** The player's progress in a puzzle. One that is not in play is counted in full only when everything is loaded. */
function progress(puzzle) {
  const { found, revealed } = readGame(puzzle);
  const far = progressOf(answersOf(puzzle), found);
  return { ...far, isOver: far.done || revealed !== "" };
}

/** The days that were played, in order. */
const playedDays = () => playedIds().filter(isDate).sort();
/** The days whose puzzle was played on the same day. */
const onTime = () => shelf.keys().filter((key) => key.startsWith("on:") && shelf.get(key) === key.slice(3) && key.slice(3) <= puzzleDay()).map((key) => key.slice(3));

// ---------------------------------------------------------------- the first screen

const CONTINUED = 3;

async function showStart() {
  const today = puzzleDay();
  $("today-date").textContent = dayName(today);
  $("today").href = `#daily/${today}`;
  await Promise.all([showToday(today), showYesterday(addDays(today, -1)), showUnfinished(today)]);
}

async function showToday(today) {
  try {
    const puzzle = await dayPuzzle(today);
    const { got, of, rank, isOver } = progress(puzzle);
    $("today-ring").replaceChildren(ringPicture(puzzle.given));
    $("today-says").textContent = `${puzzle.level}, ${count(of, "word")}`.replace(/^./, (first) => first.toUpperCase());
    $("today-go").hidden = false;
    $("today-go").textContent = isOver ? "See the words" : got ? "Continue" : "Play";
    $("today-far").textContent = got ? `${rank}, ${got} of ${of}` : "";
  } catch (error) {
    $("today-go").hidden = true;
    $("today-says").textContent = error.message;
  }
  const { now } = streaks(onTime(), today);
  $("streak").textContent = now > 1 ? `${now} days in a row` : "";
}

async function showYesterday(date) {
  const there = date >= firstDay();
  $("yesterday").hidden = !there;
  if (!there) return;
  const puzzle = await dayPuzzle(date).catch(() => null);
  if (!puzzle) return;
  const { got, rank, of, isOver } = progress(puzzle);
  $("yesterday").replaceChildren(
    el("a", { href: `#daily/${date}` }, "Yesterday"), el("span.soft", {}, got ? `${rank}, ${got} of ${of}` : `${count(of, "word")}, ${isOver ? "answers seen" : "not played"}`),
    el("a", { href: `#daily/${date}/answers` }, got && got < of ? `You missed ${of - got}` : "Answers"),
  );
}

/** Show the puzzles that were started but not finished, the last one first. */
async function showUnfinished(today) {
  const items = [];
  for (const id of recent()) {
    if ([today, addDays(today, -1)].includes(id) || items.length === CONTINUED) continue;
    const puzzle = await puzzleOf(id).catch(() => null);
    if (!puzzle) continue;
    const { got, of, rank, isOver } = progress(puzzle);
    if (got && !isOver) items.push(playedItem(puzzle, `${rank}, ${got} of ${of}`));
  }
  $("unfinished").hidden = !items.length;
  $("unfinished-list").replaceChildren(...items);
}

const playedItem = (puzzle, far) =>
  el("li", {}, el("a", { href: `#${addressOf(puzzle)}` }, el("b", {}, puzzle.date ? dayShort(puzzle.date) : nameOf(puzzle)), " ", el("span", {}, far)));

/** Open a random puzzle of a level. */
async function askOwn(level) {
  $("own-said").textContent = "";
  try {
    const ofLevel = (await loadPool()).filter((own) => own.level === level);
    const chosen = ofLevel[Math.floor(Math.random() * ofLevel.length)];
    if (chosen) openAddress(chosen.letters);
    else throw new Error("This list has no such puzzle.");
  } catch (error) {
    if ($("game").hidden) $("own-said").textContent = error.message;
    else {
      closeSheet();
      say(error.message);
    }
  }
}

/** Show, while letters are typed, what is wrong with them or how many are missing. */
function lettersTyped() {
  $("letters-wrong").textContent = "";
  $("letters-count").textContent = typeof beeWords === "undefined" ? "" : lettersSoFar($("letters").value);
}

/** Open the typed puzzle, to play it or to show its answers immediately. */
async function askPuzzle(solving) {
  const open = (letters) => (location.hash = solving ? `/solve/${letters}` : letters);
  $("letters-count").textContent = "";
  // The rules come with the list; until it is loaded, the letters are kept in the address.
  if (typeof beeWords === "undefined") return open(encodeURIComponent($("letters").value));
  try {
    const puzzle = readPuzzle($("letters").value);
    await withAnswers(puzzle);
    $("letters-wrong").textContent = "";
    return open(puzzle.given);
  } catch (error) {
    $("letters-wrong").textContent = error.message;
    return $("letters").focus();
  }
}

/** Reject with a sentence if no listed word fits the letters of a puzzle. Words of more.json are loaded if needed. */
async function withAnswers(puzzle) {
  if (answersOf(puzzle).length) return;
  if (!inPlay(puzzle.letters)) await moreWords();
  const every = solve(groups, puzzle).filter(listed);
  if (!every.length) throw new Error(`The list has no words for ${nameOf(puzzle)}. Are the letters right, and is the center first?`);
}

/** The day whose puzzle comes next: today, unless its puzzle is over, or the last one that was not played; "" if there is none. */
async function nextDay() {
  const today = puzzleDay();
  for (let date = today; date >= firstDay(); date = addDays(date, -1)) {
    const puzzle = await dayPuzzle(date).catch(() => null);
    const far = puzzle && progress(puzzle);
    if (far && !far.isOver && (date === today || !far.got)) return date;
  }
  return "";
}

/** Open the puzzle that comes next; if there is no such day, one of the same level. */
async function nextPuzzle() {
  const date = await nextDay();
  return date ? openAddress(`daily/${date}`) : askOwn(game.puzzle.level ?? LEVELS[1]);
}

/** Name the next puzzle on its buttons. */
async function nameNext() {
  const date = await nextDay();
  for (const next of document.querySelectorAll("[data-next]")) next.textContent = date ? `Next puzzle: ${dayShort(date)}` : "Next puzzle";
}

// ---------------------------------------------------------------- every day

async function showDays() {
  const today = puzzleDay(),
    first = firstDay();
  const days = new Map();
  for (const date of playedDays()) {
    const puzzle = await dayPuzzle(date).catch(() => null);
    if (puzzle) days.set(date, { ...progress(puzzle), words: answersOf(puzzle).filter((word) => readFound(date).has(word)) });
  }
  const months = [];
  for (let month = today.slice(0, 7); month >= first.slice(0, 7); month = addDays(`${month}-01`, -1).slice(0, 7)) months.push(month);
  showFigures(days, today);
  const played = [...days].filter(([, { got }]) => got).reverse();
  $("played").hidden = !played.length;
  $("played-list").replaceChildren(...played.map(([date, far]) => playedItem({ date }, `${far.rank}, ${far.got} of ${far.of}`)));
  $("months").replaceChildren(...months.map((month) => calendar(month, first, today, days)));
  const others = [];
  for (const id of recent().filter((one) => !isDate(one))) {
    const puzzle = await puzzleOf(id).catch(() => null);
    if (!puzzle) continue;
    const { got, of, rank } = progress(puzzle);
    if (got) others.push(playedItem(puzzle, `${rank}, ${got} of ${of}`));
  }
  $("others").hidden = !others.length;
  $("others-list").replaceChildren(...others);
}

function showFigures(days, today) {
  const all = [...days.values()].filter(({ got }) => got);
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

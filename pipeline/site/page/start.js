"use strict";
// The first screen: today's puzzle, unfinished puzzles, practice, and the letters of other puzzles.

/** The first day with a puzzle. */
const firstDay = () => Object.keys(beeWords.daily)[0] ?? puzzleDay();

/** The puzzle of a day, with its date and level. Throws a sentence if the day has no puzzle. */
function dayPuzzle(date) {
  const first = firstDay();
  if (!isDate(date)) throw new Error(`“${date}” is not a date like ${puzzleDay()}.`);
  if (date < first) throw new Error(`The first puzzle of the day is for ${dayName(first)}.`);
  if (date > puzzleDay()) throw new Error(`The puzzle for ${dayName(date)} appears on that day.`);
  if (!beeWords.daily[date]) throw new Error(`This release of the list has no puzzle for ${dayName(date)}.`);
  const [letters, level] = beeWords.daily[date];
  return { ...readPuzzle(letters), date, level };
}

/** A stored puzzle, by its day or its letters, ready to be counted; null if there is none. */
async function storedPuzzle(id) {
  try {
    if (isDate(id)) return dayPuzzle(id);
    if (!inPlay(id)) await moreWords();
    return readPuzzle(id);
  } catch {
    return null;
  }
}

/** "Genius, 31 of 47", and whether the answers were seen before that. */
const farText = ({ rank, got, of, isSeen }) => `${rank}, ${got} of ${of}${isSeen ? ", answers seen" : ""}`;

/** The player's progress in a puzzle. One that is not in play is counted in full only when everything is loaded. */
function progress(puzzle) {
  const { found, revealed } = readGame(puzzle);
  const far = progressOf(answersOf(puzzle), found);
  return { ...far, isOver: far.done || revealed !== "", isSeen: revealed === "shown" };
}

// ---------------------------------------------------------------- the first screen

const CONTINUED = 3;

async function showStart() {
  const today = puzzleDay();
  $("practice-said").textContent = "";
  $("today-date").textContent = dayName(today);
  $("today").href = `#daily/${today}`;
  await Promise.all([showToday(today), showYesterday(addDays(today, -1)), showUnfinished(today)]);
}

async function showToday(today) {
  try {
    const puzzle = dayPuzzle(today);
    const far = progress(puzzle);
    const { got, of, isOver } = far;
    $("today-ring").replaceChildren(ringPicture(puzzle.given));
    $("today-says").textContent = `${puzzle.level}, ${count(of, "word")}`.replace(/^./, (first) => first.toUpperCase());
    $("today-go").hidden = false;
    $("today-go").textContent = isOver ? "See the words" : got ? "Continue" : "Play";
    $("today-far").textContent = got || far.isSeen ? farText(far) : "";
  } catch (error) {
    $("today-go").hidden = true;
    $("today-says").textContent = error.message;
  }
  const { now } = streaks(onTime(), today);
  const days = Object.keys(beeWords.daily).filter((date) => date <= today).length;
  $("days-said").textContent = count(days, "puzzle") + (now > 1 ? `, ${now} days in a row` : "");
}

async function showYesterday(date) {
  const puzzle = await storedPuzzle(date);
  $("yesterday").hidden = !puzzle;
  if (!puzzle) return;
  const far = progress(puzzle);
  const { got, of } = far;
  $("yesterday").replaceChildren(
    el("a", { href: `#daily/${date}` }, "Yesterday"), el("span.soft", {}, got || far.isSeen ? farText(far) : `${count(of, "word")}, not played`),
    el("a", { href: `#daily/${date}/answers` }, got && got < of ? `You missed ${of - got}` : "Answers"),
  );
}

/** Show the puzzles that were started but not finished, the last one first. */
async function showUnfinished(today) {
  const items = [];
  for (const id of recent()) {
    if ([today, addDays(today, -1)].includes(id) || items.length === CONTINUED) continue;
    const puzzle = await storedPuzzle(id);
    if (!puzzle) continue;
    const far = progress(puzzle);
    if (far.got && !far.isOver) items.push(playedItem(puzzle, far));
  }
  $("unfinished").hidden = !items.length;
  $("unfinished-list").replaceChildren(...items);
}

/** A link to a puzzle, with its level if it is for practice, and the player's progress. */
function playedItem(puzzle, far) {
  const name = puzzle.date ? dayShort(puzzle.date) : nameOf(puzzle);
  const level = puzzle.date || !puzzle.level ? "" : el("span", {}, puzzle.level);
  return el("li", {}, el("a", { href: `#${addressOf(puzzle)}` }, el("b", {}, name), " ", level, " ", el("span.far", {}, farText(far))));
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

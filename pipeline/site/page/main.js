// The start: loads the list, draws what the address names, and notices what changes elsewhere: another tab, a new day.

import { dateName, dayName, dayShort, isDate, puzzleDay } from "./days.js";
import { isId, playedIds, setDamagedAside, setSetting, setting } from "./saved.js";
import { count } from "./game.js";
import { list, loadList, nameOf, puzzleOf } from "./list.js";
import { $, addressOf, clearNotices, drawnBy, el, here, notice, puzzleAddress, redraw, shown, waitFor, wasFollowed, wide } from "./page.js";
import { drawGame, game, hideSheet, isOpen, listenToGame, openGame, openPanel, readAgain, warnVolatile } from "./play.js";
import { drawBoard } from "./board.js";
import { drawHints, listenToHints } from "./hints.js";
import { drawAnswers, listenToEnding } from "./ending.js";
import { drawCard, listenToLookup, lookUp } from "./lookup.js";
import { openRandom, showDays } from "./archive.js";
import { listenToStart, showStart, showWrong, solved } from "./home.js";
import { listenToSettings, saveOffline, showSettings } from "./settings.js";

const NAME = "Bee Words";

/** The sections, each with the function that shows it; `rest` is what follows its name in the address. */
const SECTIONS = {
  start: showStart,
  days: showDays,
  why: lookUp,
  about: showPart,
  settings: showSettings,
};

/** Show a part of the section about the page. */
function showPart(name) {
  const part = $(`about-${name}`);
  if (!part) return;
  part.scrollIntoView();
  part.focus({ preventScroll: true });
}

// ---------------------------------------------------------------- drawing

/** Draw what the address names: a section, or a puzzle with what is open over it. */
function draw() {
  if (!list) return null; // this is called again when the list is loaded
  const state = shown();
  if (state.section !== "game") return drawSection(state);
  return isOpen(state.puzzle) && !state.isSolving ? drawOpen(state) : drawPuzzle(state);
}

async function drawPuzzle(state) {
  const address = here();
  let puzzle;
  try {
    puzzle = await waitFor(puzzleOf(state.puzzle));
  } catch ({ message }) {
    if (here() === address) drawSection({ section: "start", rest: "" }, message);
    return;
  }
  if (here() !== address) return;
  const asked = { ...state, puzzle: puzzleAddress(puzzle), panel: state.isSolving ? "answers" : state.panel };
  if (state.isSolving) solved(puzzle);
  openGame(puzzle);
  history.replaceState(history.state, "", `#${addressOf(asked)}`); // "daily" is only today's
  drawOpen(asked);
  showRulesOnce(asked);
}

function drawOpen(state) {
  turnTo("game", state.puzzle, nameOf(game.puzzle));
  drawGame(state);
  drawBoard(state);
  drawHints(state);
  drawAnswers(state);
  drawCard(state);
}

function drawSection({ section, rest }, wrong = "") {
  if (!Object.hasOwn(SECTIONS, section)) return drawSection({ section: "start", rest: "" }, `This page has no section “${section}”.`);
  hideSheet();
  if ($("card").open) $("card").close();
  turnTo(section, rest, section === "start" ? "" : $(`${section}-title`).textContent);
  if (section === "start") $("letters-wrong").textContent = "";
  if (wrong) showWrong(wrong, here());
  return SECTIONS[section](rest);
}

let drawn = ""; // the section and the puzzle, month or word that were drawn last
const places = new Map(); // how far each was scrolled when it was left

/** Show a section and mark it in the menu. If it is another one than before, its title gets the focus. */
function turnTo(section, rest, title) {
  const name = `${section}/${rest}`;
  const isTurned = drawn !== name,
    isFirst = drawn === "",
    isLinked = wasFollowed();
  if (isTurned && !isFirst) places.set(drawn, scrollY);
  drawn = name;
  for (const id of ["game", ...Object.keys(SECTIONS)]) $(id).hidden = id !== section;
  document.body.dataset.section = section;
  document.title = title ? `${title} – ${NAME}` : NAME;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.section === (section === "game" ? "start" : section)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.dataset.ready = "yes";
  if (!isTurned) return;
  clearNotices();
  $("sections").hidePopover?.();
  if (section === "why" && wide.matches) $("word").select();
  else if (!isFirst) $(`${section}-title`).focus({ preventScroll: true });
  const top = isLinked ? 0 : (places.get(name) ?? 0);
  if (!isFirst) scrollTo(0, top);
}

/** Show the rules once, before a player's first puzzle. */
function showRulesOnce({ panel, word }) {
  if (panel || word || setting("rules") || playedIds().length) return;
  setSetting("rules", "shown");
  openPanel("rules");
}

// ---------------------------------------------------------------- what changes elsewhere

/** Another tab found words or deleted them, or a setting was changed: show it where it is seen. */
function changedElsewhere() {
  if (game.puzzle) readAgain();
  drawAgain();
}

/** Draw again what depends on the day and on what this browser keeps. The first screen may be shown for a wrong address. */
function drawAgain() {
  const { section } = document.body.dataset;
  if (section === "start") showStart();
  else if (section === "days" || section === "game") redraw();
}

let dayShown = "";
/** When a new day begins, show the new puzzle on the first screen and in the archive, or a message with a link to it in a game. */
function dayTurned() {
  if (document.hidden || !dayShown || puzzleDay() === dayShown) return;
  dayShown = puzzleDay();
  if (document.body.dataset.section === "game") notice("A new puzzle is here: ", el("a", { href: `#daily/${dayShown}` }, dayName(dayShown)), ".");
  else drawAgain();
}

/** Tell the player which stored data is damaged. */
function warnDamaged(damaged) {
  if (!damaged.length) return;
  const ids = damaged.map((key) => key.split(":")[1] ?? "").filter(isId);
  const puzzles = ids.map((id) => (isDate(id) ? dayShort(id) : id.toUpperCase()));
  const of = puzzles.length ? `words of ${puzzles.slice(0, 5).join(", ")}${puzzles.length > 5 ? " and others" : ""}` : "settings";
  notice(`Some data that this browser stored cannot be read: ${of}. An export in Settings contains all of it.`);
}

// ---------------------------------------------------------------- the start

function listen() {
  addEventListener("visibilitychange", dayTurned);
  setInterval(dayTurned, 60_000);
  addEventListener("pageshow", ({ persisted }) => persisted && changedElsewhere());
  addEventListener("storage", ({ key }) => (key === null || key.startsWith("bee:game:")) && changedElsewhere());
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("main").focus();
  });
  $("random").addEventListener("click", openRandom);
  $("again").addEventListener("click", () => ($("main").focus(), start()));
  listenToStart();
  listenToGame();
  listenToHints();
  listenToEnding();
  listenToLookup();
  listenToSettings(() => {
    changedElsewhere();
    warnVolatile();
  });
  // Before this, a click or Enter would be lost, or would load the page again.
  for (const waiting of document.querySelectorAll("#start button")) waiting.disabled = false;
}

function showRelease() {
  $("version").textContent = `Release ${list.version}.`;
  const { days, last } = list.covers ?? {};
  if (last) $("covers").textContent = `The list covers ${count(days, "puzzle")}, up to ${dateName(last)}.`;
  const source = ({ path, title }) => el("li", {}, /^https?:/.test(path) ? el("a", { href: path, rel: "noreferrer" }, title) : title);
  $("sources").replaceChildren(...(list.sources ?? []).map(source));
  const named = (list.licenses ?? []).map((one) => `${one.name} (${one.title})`).join(", ");
  $("licenses").textContent = `Licenses of the list: ${named}.`;
}

/** Load the list, and show what the address names. If it does not load, there is a button to try again. */
async function start() {
  $("broken").hidden = true;
  try {
    await waitFor(loadList());
  } catch ({ message }) {
    $("broken").hidden = false;
    $("broken-says").textContent = location.protocol === "file:" ? "This page was opened from a folder, but it needs a web server." : message;
    return;
  }
  const damaged = setDamagedAside(); // before a puzzle is opened, which may write over it
  showRelease();
  showSettings();
  dayShown = puzzleDay();
  await redraw();
  warnDamaged(damaged);
  if (damaged.length) warnVolatile();
  saveOffline();
}

drawnBy(draw);
$("start").hidden = location.hash.length > 2;
listen();
start();

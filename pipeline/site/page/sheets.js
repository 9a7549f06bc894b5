"use strict";
// What opens over a puzzle, or next to it if there is room: found words, ranks, rules and the celebration (hints.js and
// answers.js fill the others); also sharing and printing. Back closes what is open before it leaves the puzzle.

const wide = matchMedia("(min-width: 56rem)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// ---------------------------------------------------------------- opening and closing

const keepState = (part) => history.replaceState({ ...history.state, ...part }, "");

/**
 * Show a panel of the sheet. The history names it, so that it is open again after a reload. If it lies over the game, it
 * is an `entry` of its own, so that Back closes it.
 */
function openSheet(name, { focus = true, entry = !wide.matches } = {}) {
  for (const panel of document.querySelectorAll("#sheet .panel")) panel.hidden = panel.id !== `panel-${name}`;
  markTab(name);
  $("beside").scrollTop = 0;
  $("sheet-title").textContent = $(`panel-${name}`).dataset.title;
  $("sheet-of").textContent = game.puzzle.date ? dayBrief(game.puzzle.date) : nameOf(game.puzzle);
  if (!entry || history.state?.sheet) keepState({ sheet: name });
  else history.pushState({ sheet: name, over: true }, "");
  if (wide.matches) $("sheet").open = true;
  else if (!$("sheet").open) $("sheet").showModal();
  $("sheet").scrollTop = 0;
  if (focus) $("sheet-title").focus();
  if (focus && $("sheet").getBoundingClientRect().top > innerHeight / 2) $("sheet").scrollIntoView();
  showPuzzle();
}

function markTab(name) {
  for (const tab of document.querySelectorAll(".tabs [data-sheet]")) tab.setAttribute("aria-expanded", tab.dataset.sheet === name);
}

/** Close the sheet without changing the history, because an address or Back has already changed it. */
function hideSheet() {
  if ($("sheet").open) $("sheet").close();
  markTab("");
}

let goingBack = false;
/** Go back by some entries once, even if this is called twice, because the history changes a moment later. */
function goBack(entries = 1) {
  if (goingBack) return;
  goingBack = true;
  history.go(-entries);
}

/** Close the sheet for the player. On a desktop, focus that was in the sheet goes to the tab that opened it. */
function closeSheet() {
  const tab = $("sheet").querySelector(":focus-visible") && document.querySelector(".tabs [aria-expanded=true]");
  hideSheet();
  tab?.focus();
  if (history.state?.over && !wide.matches) goBack();
  else keepState({ sheet: undefined, over: undefined });
}

let lastClick = { timeStamp: -Infinity };
/** Stop the second click of a double click whose first one opened or closed a panel or a card: it must not reach what is there now. */
function stopSecondClick(event) {
  const { timeStamp, clientX, clientY, detail } = event;
  if (!detail) return; // a key
  const open = `${openPanel()} ${$("card").open}`;
  const last = lastClick;
  lastClick = { timeStamp, clientX, clientY, open };
  if (last.open === open || timeStamp - last.timeStamp > 350 || Math.hypot(clientX - last.clientX, clientY - last.clientY) > 24) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Close a dialog that lies over the game after a press and release outside of it, which are no part of a double click or of a selection. */
function closeFromOutside(dialog, close) {
  const isOutside = ({ clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  };
  let pressed = false;
  dialog.addEventListener("pointerdown", (event) => (pressed = isOutside(event)));
  dialog.addEventListener("click", (event) => pressed && isOutside(event) && event.detail < 2 && dialog.matches(":modal") && close());
}

/** Open a panel, or close it if it is open next to the game. */
const turnSheet = (name) => (wide.matches && openPanel() === name ? closeSheet() : openSheet(name));

/** The panel that is open, or "". */
const openPanel = () => ($("sheet").open ? document.querySelector("#sheet .panel:not([hidden])")?.id.slice(6) ?? "" : "");

/** Open an address from the sheet. Back then leads to the puzzle, not to the sheet. */
function openAddress(address) {
  if (history.state?.over) {
    history.replaceState(null, "", `#${address}`);
    return route(true);
  }
  if (history.state?.sheet) keepState({ sheet: undefined });
  location.hash = address;
  return null;
}

/** Place found words next to the game if there is room, where they are always shown, otherwise in the sheet. */
function placeFound() {
  if ($("beside").contains($("panel-found")) === wide.matches) return;
  const focused = document.activeElement;
  if (wide.matches) $("beside").append($("panel-found"), $("remarks"));
  else {
    document.querySelector(".sheet-top").after($("panel-found"));
    $("sheet").append($("remarks"));
  }
  $("panel-found").hidden = !wide.matches;
  focused.focus();
}

/** Open or close the sheet as the history says. */
function fitSheet() {
  const named = history.state?.sheet ?? "";
  const name = wide.matches && named === "found" ? "" : named;
  placeFound();
  if (openPanel() === name && $("sheet").matches(":modal") === (!wide.matches && name !== "")) return;
  hideSheet();
  if (name) openSheet(name, { focus: false, entry: false });
}

/** Fill what is open for the current puzzle and the found words. */
function showSheets(answers, maybe) {
  const words = textOf(answers);
  showFiltered(answers);
  if (openPanel() === "done") showDone(words);
  if (!$("panel-found").hidden) showFound();
  if (openPanel() === "hints") showHints(words);
  if (openPanel() === "answers") showAnswers(answers, maybe);
}

/** Show how many words the filter hides, and why there is no certain pangram. */
function showFiltered(answers) {
  const every = [...game.spelled.values()],
    certain = every.filter(listed);
  const left = certain.filter((entry) => !shown(entry));
  $("filter-said").hidden = !left.length;
  $("filter-said").textContent =
    `Your filter hides ${count(left.length, "word")}. The official totals may count ${left.length === 1 ? "it" : "them"}.`;
  const guess = answers.find((entry) => entry.guess);
  const missing = release.more && answers.length > 0 && !answers.some((entry) => pangram(entry.word) && !entry.guess);
  $("pangramless").hidden = !missing;
  if (!missing) return;
  const says = left.some((entry) => pangram(entry.word))
    ? "Every puzzle has a pangram. Your filter hides the only one on the list."
    : guess
      ? "Every puzzle has a pangram, but the list has none for these letters. The most likely other word was added and is marked with ?."
      : "Every puzzle has a pangram, but the list has none for these letters. Are the letters right?";
  $("pangramless").textContent = says;
}

// ---------------------------------------------------------------- found words and ranks

function showFound() {
  const entries = foundEntries();
  const byOrder = { found: () => [...entries].reverse(), alpha: () => [...entries].sort(byWord), rank: () => [...entries].sort(byRank) };
  $("found-none").hidden = entries.length > 0;
  $("found-none").textContent = game.revealed ? "No words." : "No words yet. Type or tap a word and press Enter.";
  $("found-choices").hidden = entries.length < 2;
  $("several").hidden = game.revealed !== "";
  const { date, level } = game.puzzle;
  $("found-next").hidden = !progress(game.puzzle).isOver && (date || !level);
  $("found-legend").hidden = !entries.some(doubtful);
  $("found").replaceChildren(
    ...byOrder[$("found-order").value]().map((entry) => {
      const item = wordItem(entry);
      item.append(" ", el("small.soft", {}, doubtful(entry) ? "may be accepted" : `${score(entry.word)}`));
      return item;
    }),
  );
}

function showRanks({ points, most, at, next, done }) {
  $("rank-said").textContent =
    `${points} of ${count(most, "point")}.` + (next && most ? ` ${next.needed - points} more to ${next.name}.` : done ? " You have all points." : "");
  const row = ({ name, needed }, place) => {
    const head = el("th", { scope: "row" }, name, place === at ? aloud(", your rank") : "");
    return el(place === at ? "tr.here" : "tr", {}, head, el("td", {}, `${needed}`));
  };
  $("ranks").replaceChildren(
    el("table", {}, el("caption", {}, "Points needed for each rank"), el("tbody", {}, ...ranks(most).map(row))),
  );
}

/** Delete what the player found and saw of the puzzle. */
function startOver() {
  if (!confirm("Start over? What you found and saw of this puzzle is deleted.")) return;
  for (const kind of ["found", "on", "answers", "hints"]) shelf.drop(`${kind}:${idOf(game.puzzle)}`);
  if (openPanel()) closeSheet();
  readAgain();
  say("You can start over now.");
}

const SPARKS = 28;

/** Say what the player reached, and what can be next. */
function showDone(words) {
  const { got, of, points, rank, at, done } = progressOf(words, game.found);
  if (!isGenius(at)) return closeSheet(); // the player started over
  $("sheet-title").textContent = `${rank}!`;
  $("keep-going").hidden = done;
  $("next").hidden = !done;
  nameNext();
  const { now } = streaks(onTime(), puzzleDay());
  const howMany = done ? `all ${count(got, "word")}` : `${got} of ${count(of, "word")}`;
  const streak = game.puzzle.date === puzzleDay() && now > 1 ? ` ${now} days in a row.` : "";
  $("done-said").textContent = `${nameOf(game.puzzle)}: you found ${howMany}, ${count(points, "point")}.${streak}`;
  return null;
}

/** Celebrate Genius or Queen Bee, with sparks unless the player prefers less motion. */
function celebrate() {
  $("done-shared").textContent = "";
  openSheet("done");
  if (calm.matches) return;
  const sparks = el("div.sparks", { "aria-hidden": "true" });
  for (let at = 0; at < SPARKS; at++) {
    const spark = el("i");
    spark.style.left = `${(100 * (at + Math.random())) / SPARKS}%`;
    spark.style.animationDelay = `${Math.random() * 0.8}s`;
    sparks.append(spark);
  }
  ($("sheet").matches(":modal") ? $("sheet") : document.body).append(sparks); // a modal sheet is above everything else
  setTimeout(() => sparks.remove(), 4000);
}

// ---------------------------------------------------------------- sharing and printing

/** Share the rank, and a link to the puzzle, without revealing any word. */
async function share() {
  const text = `Bee Words, ${shareText(nameOf(game.puzzle), textOf(current().answers), game.found)}`;
  const url = `${location.href.split("#")[0]}#${addressOf(game.puzzle)}`;
  if (navigator.share) {
    try {
      return await navigator.share({ text, url });
    } catch (error) {
      if (error.name === "AbortError") return null;
    }
  }
  const whole = `${text}\n${url}`;
  const said = (await copied(whole)) ? "Copied: your rank, and a link to this puzzle." : `This browser did not allow copying: ${whole}`;
  $("done-shared").textContent = said;
  return say(said);
}

/** Lay out the puzzle for printing: a page to write on, and a separate page with the answers. */
function layOut() {
  const paper = $("paper");
  if ($("game").hidden) return paper.replaceChildren();
  const list = textOf(current().answers).sort();
  const { date, level, given } = game.puzzle;
  const about = `${level ? `${level}, ` : ""}${count(list.length, "word")}, ${count(pointsOf(list), "point")}, ${count(list.filter(pangram).length, "pangram")}`;
  const steps = ranks(pointsOf(list)).map(({ name, needed }) => el("li", {}, name, " ", el("b", {}, `${needed}`)));
  const rules = [...document.querySelectorAll("#panel-rules li")].map((rule) => el("li", {}, rule.textContent));
  const head = (text) => el("h1", {}, text, " ", el("small", {}, "Bee Words"));
  const title = nameOf(game.puzzle);
  return paper.replaceChildren(
    el(
      "div.page",
      {},
      head(title),
      ringPicture(given),
      el("p", {}, `${about[0].toUpperCase()}${about.slice(1)}.`),
      el("ol", {}, ...rules),
      el("ul.needed", {}, ...steps),
      el("ol.blanks", {}, ...list.map(() => el("li"))),
    ),
    el(
      "div.page",
      {},
      head(`Answers: ${date ? `${title}, ${given[0].toUpperCase()} ${given.slice(1).toUpperCase()}` : title}`),
      el("ol.words", {}, ...list.map((word) => el("li", {}, pangram(word) ? el("b", {}, word) : word))),
      el("p", {}, "Bold words are pangrams, which use all seven letters. Not affiliated with The New York Times."),
    ),
  );
}

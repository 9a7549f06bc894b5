// A puzzle on the screen: the ring, the typed word, the rank, and the sheet in which panels open. What they show is in
// board.js, hints.js and ending.js. Offers game, answerWords, isFound, remaining, progressHere, isOver, isOpen, openGame,
// readAgain, drawGame, openPanel, closePanel, hideSheet, say, keep, warnVolatile, closeFromOutside, listenToGame.

import { count, isGenius, isPangram, isPerfect, ranks, RULES, score, strangers } from "./game.js";
import { dayBrief, puzzleDay } from "./days.js";
import { changeGame, idOf, isVolatile, readGame, remember } from "./saved.js";
import { entryOf, isComplete, isDoubtful, isListed, isShown, levelOf, moreWords, nameOf, wordsOf } from "./list.js";
import { $, addressOf, aloud, button, clear, el, go, goBack, isByKey, leaveFocus, linkTo, notice, onClick, puzzleAddress, redraw, roomy, shown, wide } from "./page.js";
import { progressOf } from "./archive.js";

/**
 * The open puzzle: `entries` of its answers by rank (`maybe` has the doubtful words, `hidden` those that the filter hides),
 * the `record` that this browser keeps, the `order` of the outer letters, and the `typed` letters.
 */
export const game = { puzzle: null, answers: [], maybe: [], hidden: [], record: null, order: "", typed: "" };

export const answerWords = () => game.answers.map(({ word }) => word);
export const isFound = (word) => game.record.found.includes(word);
/** The answers that are not found. */
export const remaining = () => answerWords().filter((word) => !isFound(word));
export const progressHere = () => progressOf(answerWords(), game.record.found);
/** Whether the game is over: all words are found, or the answers were seen. */
export const isOver = () => game.record.seen !== "" || (isComplete(game.puzzle) && progressHere().isDone);

// ---------------------------------------------------------------- opening and drawing

/** Whether an address names the open puzzle. */
export const isOpen = (text) => game.puzzle !== null && text === puzzleAddress(game.puzzle);

export function openGame(puzzle) {
  Object.assign(game, { puzzle, order: puzzle.given.slice(1), typed: "" });
  remember(puzzle.date ?? puzzle.given);
  say("");
  for (const id of ["typed-aloud", "several-said", "shared", "copied"]) $(id).textContent = "";
  for (const place of document.querySelectorAll("#game [data-asked]")) clear(place); // what still loads is of another puzzle
  showRing();
  showTyped();
  readAgain();
  loadRest();
  levelOf(puzzle).then((level) => {
    puzzle.level ??= level;
    redrawGame(puzzle);
  });
}

/** Draw a puzzle again, if it is still shown. */
const redrawGame = (puzzle) => game.puzzle === puzzle && !$("game").hidden && redraw();

/** Load the rest of the list for the open puzzle. If it does not load, there is a button to try again. */
async function loadRest() {
  const { puzzle } = game;
  try {
    await moreWords();
    if (game.puzzle === puzzle) gather();
    redrawGame(puzzle);
  } catch ({ message }) {
    if (game.puzzle === puzzle) say(`${message} `, button("Try again", () => (say(""), $("typed").focus(), loadRest())));
  }
}

/** Find the words that the letters of the puzzle spell. */
const gather = () => Object.assign(game, wordsOf(game.puzzle));

/** Read what this browser keeps, for example after another tab changed it. */
export function readAgain() {
  game.record = readGame(idOf(game.puzzle));
  gather();
}

/** Draw the puzzle, and the panel that is open. */
export function drawGame({ panel }) {
  const name = nameOf(game.puzzle);
  const short = game.puzzle.date ? dayBrief(game.puzzle.date) : name;
  $("game-name").replaceChildren(el("span.roomy", {}, name), el("span.narrow", {}, short));
  $("game-level").textContent = game.puzzle.level ?? "";
  showRank();
  showStrip();
  showFiltered();
  drawSheet(panel);
}

function showRing() {
  const letters = game.puzzle.center + game.order;
  document.querySelectorAll(".node").forEach((node, at) => {
    node.textContent = letters[at];
    node.setAttribute("aria-label", letters[at].toUpperCase() + (at ? "" : ", the center"));
  });
}

/** Show the typed word. Letters that the puzzle lacks are dimmed, and the center letter is colored. */
function showTyped() {
  $("typed").classList.toggle("long", game.typed.length > 11);
  const kind = (letter) => (letter === game.puzzle.center ? "i.mid" : game.puzzle.letters.includes(letter) ? "i" : "i.not");
  $("typed").replaceChildren(...[...game.typed].map((letter) => el(kind(letter), {}, letter)));
  $("typed").scrollLeft = $("typed").scrollWidth; // so that the end of a long word is visible
}

function showRank() {
  const { points, most, rank, at, next, steps, got, isDone } = progressHere();
  $("rank").textContent = rank;
  $("rank-points").textContent = points;
  const togo = next && most ? `${next.needed - points} to ${next.name}` : "";
  $("rank-next").textContent = togo;
  const dots = [...$("track-dots").children];
  const share = next && most ? (points - steps[at].needed) / (next.needed - steps[at].needed) : 0; // of the way to the next rank
  $("track-done").style.width = `${(100 * (at + share)) / (dots.length - 1)}%`;
  for (const [place, dot] of dots.entries()) dot.classList.toggle("reached", place <= at);
  for (const place of document.querySelectorAll(".found-count")) place.textContent = got.length;
  $("rank-said").textContent = `${points} of ${count(most, "point")}.` + (togo ? ` ${next.needed - points} more to ${next.name}.` : isDone ? " You have all points." : "");
  const row = ({ name, needed }, place) => {
    const head = el("th", { scope: "row" }, name, place === at ? aloud(", your rank") : "");
    return el(place === at ? "tr.here" : "tr", {}, head, el("td", {}, `${needed}`));
  };
  $("ranks").replaceChildren(el("table", {}, el("caption", {}, "Points needed for each rank"), el("tbody", {}, ...ranks(most).map(row))));
}

/** Show a dot for each rank on the track, all the same distance apart; Genius has its letter. */
function showDots() {
  const names = Object.keys(RULES.ranks);
  const dot = (name, at) => {
    const made = name === "Genius" ? el("i.genius", {}, "G") : el("i");
    made.style.left = `${(100 * at) / (names.length - 1)}%`;
    return made;
  };
  $("track-dots").replaceChildren(...names.map(dot));
}

/** Show the last found words in one line below the buttons. */
function showStrip() {
  const kind = (word) => (isAnswer(word) ? (isPangram(word) ? "b.star" : "span") : "em.soft");
  const last = foundWords().slice(-20).reverse().flatMap((word, at) => [at ? "  " : "", el(kind(word), {}, word)]);
  $("strip").replaceChildren(...(last.length ? last : [el("span.soft", {}, "No words yet")]));
}

const isAnswer = (word) => game.answers.some((entry) => entry.word === word);
/** The found words that count or may be accepted, in the order in which they were found. */
const foundWords = () => game.record.found.filter((word) => isAnswer(word) || game.maybe.some((entry) => entry.word === word));

/** Show how many words the filter hides, and why there is no certain pangram. */
function showFiltered() {
  const { hidden, answers } = game;
  const says = hidden.length ? `Your filter hides ${count(hidden.length, "word")}. The official totals may count ${hidden.length === 1 ? "it" : "them"}.` : "";
  for (const place of document.querySelectorAll(".filter-said")) place.textContent = says;
  const isMissing = isComplete(game.puzzle) && answers.length > 0 && !answers.some((entry) => isListed(entry) && isPangram(entry.word));
  $("pangramless").hidden = !isMissing;
  if (!isMissing) return;
  $("pangramless").textContent = hidden.some(({ word }) => isPangram(word))
    ? "Every puzzle has a pangram. Your filter hides the only one on the list."
    : answers.some(({ guess }) => guess)
      ? "Every puzzle has a pangram, but the list has none for these letters. The most likely other word was added and is marked with ?."
      : "Every puzzle has a pangram, but the list has none for these letters. Are the letters right?";
}

// ---------------------------------------------------------------- the sheet

/** Open a panel over the game, or next to it. Back closes it. */
export const openPanel = (panel, part = "") => go(addressOf({ puzzle: puzzleAddress(game.puzzle), panel, part }), { replace: shown().panel !== "" });
export const closePanel = () => goBack(puzzleAddress(game.puzzle));

/** Open a panel, or close it if it is open next to the game. */
function turnPanel(panel, { detail }) {
  if (detail > 1) return null; // a double click only opens it
  return wide.matches && shown().panel === panel ? closePanel() : openPanel(panel);
}

/** The panel that is visible: the ranks, if there is room and no other is open. Found words have a place of their own then. */
function visiblePanel(panel) {
  const named = wide.matches && panel === "found" ? "" : panel;
  return named || (roomy.matches ? "ranks" : "");
}

let drawnPanel = ""; // the panel that was drawn last

function drawSheet(named) {
  const sheet = $("sheet"),
    panel = visiblePanel(named);
  placeBoard();
  for (const one of document.querySelectorAll("#sheet .panel")) one.hidden = one.id !== `panel-${panel}`;
  for (const tab of document.querySelectorAll(".tabs [data-panel]")) tab.setAttribute("aria-expanded", tab.dataset.panel === named);
  $("sheet-close").hidden = !named || (wide.matches && named === "found");
  if (panel) $("sheet-title").textContent = $(`panel-${panel}`).dataset.title;
  $("sheet-of").textContent = game.puzzle.date ? dayBrief(game.puzzle.date) : nameOf(game.puzzle);
  const isModal = !wide.matches;
  if (sheet.open && (!panel || sheet.matches(":modal") !== isModal)) sheet.close();
  if (panel && isModal && !sheet.open) {
    $("card").close(); // so that it is opened again, above the sheet
    sheet.showModal();
  } else if (panel) sheet.open = true; // not show(), which would move the focus
  if (named && named !== drawnPanel) {
    sheet.scrollTop = 0;
    $("sheet-title").focus({ preventScroll: !wide.matches });
  }
  const isLost = document.activeElement === document.body || sheet.contains(document.activeElement);
  if (!named && drawnPanel && isByKey && isLost) document.querySelector(`[data-panel=${drawnPanel}]`).focus();
  drawnPanel = named;
}

/** Close the sheet, because another section is shown. */
export function hideSheet() {
  if ($("sheet").open) $("sheet").close();
  drawnPanel = "";
}

/** Place the board next to the game if there is room, where it is always shown, otherwise in the sheet. */
function placeBoard() {
  const panel = $("panel-found");
  if ($("beside").contains(panel) !== wide.matches) {
    const focused = document.activeElement;
    if (wide.matches) $("beside").append(panel);
    else document.querySelector(".sheet-top").after(panel);
    focused.focus();
  }
  if (wide.matches) panel.hidden = false;
}

// ---------------------------------------------------------------- typing and guessing

export function say(...parts) {
  $("said").className = "";
  $("said").replaceChildren(...parts);
}

function type(letter) {
  if (game.typed.length < 24) game.typed += letter;
  say("");
  showTyped();
  $("typed-aloud").textContent = letter.toUpperCase();
}

/** Show that a letter of the ring was typed. */
function press(letter) {
  const node = [...document.querySelectorAll(".node")].find(({ textContent }) => textContent === letter);
  node?.animate({ backgroundColor: "var(--ink)", borderColor: "var(--ink)", color: "var(--paper)" }, 150);
}

function erase(number = 1) {
  game.typed = game.typed.slice(0, -number);
  showTyped();
  $("typed-aloud").textContent = [...game.typed.toUpperCase()].join(" ") || "Empty";
}

/**
 * The judgment of one word: `kind` is letters, short, center, found, waiting, unknown, hidden, late, maybe or good; the last
 * two are new finds.
 */
function judge(word) {
  const strange = strangers(word, game.puzzle);
  if (strange.length) {
    const none = strange.map((letter) => letter.toUpperCase()).join(", ");
    return { kind: "letters", says: `${word}: no ${strange.every((one) => /[a-z]/.test(one)) ? none : "such letters"} here` };
  }
  if (word.length < RULES.shortest) return { kind: "short", says: `${word}: too short` };
  if (!word.includes(game.puzzle.center)) return { kind: "center", says: `${word}: no center letter` };
  if (isFound(word)) return { kind: "found", says: `${word}: already found` };
  const entry = game.answers.find((one) => one.word === word) ?? entryOf(word);
  if (!entry && !isComplete(game.puzzle)) return { kind: "waiting", says: `${word}: the rest of the list is not loaded yet` };
  if (!entry) return { kind: "unknown", says: `${word}: not on the list` };
  if (!isShown(word)) return { kind: "hidden", says: `${word}: hidden by your filter` };
  if (game.record.seen) return { kind: "late", says: `${word}: right, but words no longer count, as you have seen the answers` };
  if (isDoubtful(entry)) return { kind: "maybe", says: `${word}: may be accepted, ${Math.round(100 * entry.p)}% likely; saved without points` };
  const praise = isPerfect(word) ? "Perfect pangram! " : isPangram(word) ? "Pangram! " : "";
  return { kind: "good", says: `${praise}${word}: ${count(score(word), "point")}` };
}

const isFind = ({ kind }) => ["maybe", "good"].includes(kind);

/** Submit the typed word and show the result. */
function enter() {
  const word = game.typed;
  if (!word) return say("Type or tap a word first.");
  const result = judge(word);
  if (result.kind !== "waiting") game.typed = "";
  showTyped();
  const raised = isFind(result) ? keepWords([word]) : "";
  if (["unknown", "maybe"].includes(result.kind)) say(`${result.says}. `, linkTo(word, "Why?"));
  else say(`${result.says}.`, el("b", {}, raised));
  $("said").className = result.kind === "good" && isPangram(word) ? "good pangram" : result.kind;
  return null;
}

/** Change parts of the record of the puzzle, and draw it again. */
export function keep(parts) {
  game.record = changeGame(idOf(game.puzzle), parts);
  warnVolatile();
  redraw();
}

let isWarned = false;
/** Tell the player once that nothing more is stored. */
export function warnVolatile() {
  if (isWarned || !isVolatile()) return;
  isWarned = true;
  notice("This browser does not let the page store anything more. Words that you find now are lost when you close the page; you can export them in Settings.");
}

/** Keep new words. If they reach a new rank, it is shown, and what to say about it is returned. */
function keepWords(words) {
  const before = progressHere();
  keep({ found: words, on: puzzleDay() });
  if (shown().panel === "rules") closePanel();
  const after = progressHere();
  if (after.at === before.at) return "";
  raise(after.at);
  return isGenius(after.at) ? ` ${after.rank}!` : ` New rank: ${after.rank}.`;
}

/** Show that a rank is reached, and celebrate Genius and Queen Bee. */
function raise(at) {
  $("rank").classList.remove("raised");
  $("rank").getBoundingClientRect(); // so that the animation starts again
  $("rank").classList.add("raised");
  if (isGenius(at) && isComplete(game.puzzle)) {
    openPanel("answers");
    sparkle();
  }
}

const SPARKS = 28;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

function sparkle() {
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

/** Add many words at once, for example from another game or from paper. Returns what to say. Words that may still be loaded stay in the field. */
function addSeveral(text) {
  const words = [...new Set(text.toLowerCase().split(/[^\p{L}\p{N}-]+/u).filter(Boolean))];
  if (!words.length) return "Enter some words first.";
  const good = words.filter((word) => isFind(judge(word)));
  const old = words.filter(isFound);
  const wrong = words.filter((word) => !good.includes(word) && !old.includes(word));
  const named = (title, some) => (some.length ? ` ${title}: ${some.slice(0, 10).join(", ")}${some.length > 10 ? " and others" : ""}.` : "");
  const maybe = good.filter((word) => !isAnswer(word));
  $("several-words").value = words.filter((word) => judge(word).kind === "waiting").join(" ");
  const raised = good.length ? keepWords(good) : "";
  return `${count(good.length, "new word")} of ${words.length}.${named("May be accepted, without points", maybe)}${named("Already found", old)}${named("Not added", wrong)}${raised}`;
}

/** The outer letters in another order. */
function shuffle() {
  const before = game.order;
  const letters = [...before];
  while (letters.join("") === before) {
    for (let at = letters.length - 1; at > 0; at--) {
      const other = Math.floor(Math.random() * (at + 1));
      [letters[at], letters[other]] = [letters[other], letters[at]];
    }
  }
  game.order = letters.join("");
  showRing();
  $("typed-aloud").textContent = `Shuffled: ${[...game.order.toUpperCase()].join(" ")}`;
}

// ---------------------------------------------------------------- keys, taps and clicks

/** Handle a key on the screen of a puzzle: letters can be typed without a field that has the focus. */
function keyPressed(event) {
  const field = event.target.closest?.("input:not([type=checkbox]), select, textarea, dialog:modal");
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $("game").hidden || field) return;
  const control = event.target.closest?.("button, a, summary, input");
  if (/^[a-z]$/i.test(event.key)) {
    type(event.key.toLowerCase());
    press(event.key.toLowerCase());
    if (control) $("typed").focus({ preventScroll: true }); // so that Enter and Space are about the word
  } else if (event.key === "Backspace") erase();
  else if (event.key === "Escape" && game.typed) erase(game.typed.length);
  else if (event.key === "Escape" && shown().panel && !event.repeat) closePanel();
  else if (event.key === "Enter" && !control) enter();
  else if (event.key === " " && !control) shuffle();
  else return;
  event.preventDefault();
}

/** Delete letters as long as the button is held. */
function listenToDelete() {
  const key = $("delete");
  let timer = 0,
    isHeld = false;
  const repeat = () => {
    isHeld = true;
    erase();
    timer = setTimeout(repeat, 90);
  };
  const stop = () => clearTimeout(timer);
  key.addEventListener("pointerdown", ({ isPrimary, button: pressed }) => {
    if (!isPrimary || pressed) return;
    stop();
    isHeld = false;
    timer = setTimeout(repeat, 450);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) key.addEventListener(end, stop);
  addEventListener("blur", stop);
  key.addEventListener("click", ({ detail }) => (detail && isHeld) || erase()); // a key has no detail
}

let lastClick = { timeStamp: -Infinity };
/** Stop the second click of a double click whose first one opened or closed something, or led elsewhere: it must not reach what is there now. */
function stopSecondClick(event) {
  const { timeStamp, clientX, clientY, detail } = event;
  if (!detail) return; // a key
  const seen = document.title + document.querySelectorAll("dialog:modal").length;
  const last = lastClick;
  lastClick = { timeStamp, clientX, clientY, seen };
  if (last.seen === seen || timeStamp - last.timeStamp > 350 || Math.hypot(clientX - last.clientX, clientY - last.clientY) > 24) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Close a dialog that lies over the page after a press and release outside of it, which are no part of a double click or of a selection. */
export function closeFromOutside(dialog, close) {
  const isOutside = ({ clientX, clientY }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return clientX < left || clientX > right || clientY < top || clientY > bottom;
  };
  let isPressed = false;
  dialog.addEventListener("pointerdown", (event) => (isPressed = isOutside(event)));
  dialog.addEventListener("click", (event) => isPressed && isOutside(event) && event.detail < 2 && dialog.matches(":modal") && close());
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault(); // the address closes it
    close();
  });
}

export function listenToGame() {
  showDots();
  document.addEventListener("keydown", keyPressed);
  addEventListener("click", stopSecondClick, true);
  listenToDelete();
  $("shuffle").addEventListener("click", shuffle);
  $("enter").addEventListener("click", ({ detail }) => detail > 1 || enter());
  $("strip").addEventListener("click", () => openPanel("found"));
  $("ring").addEventListener("click", (event) => {
    const letter = event.target.closest(".node")?.textContent;
    if (letter) type(letter);
  });
  $("game").addEventListener("click", ({ target }) => target.closest("button") && leaveFocus());
  onClick("panel", turnPanel);
  for (const id of ["sheet-close", "rules-close"]) $(id).addEventListener("click", closePanel);
  closeFromOutside($("sheet"), closePanel);
  for (const screen of [wide, roomy]) screen.addEventListener("change", () => $("game").hidden || redraw());
  $("several-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const said = addSeveral($("several-words").value);
    $("several-said").textContent = said;
    say(said.replace(/\. .*/, ".")); // the number, which is still there after a celebration
  });
}

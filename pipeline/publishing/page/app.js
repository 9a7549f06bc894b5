"use strict";
// Addresses, settings and startup. No framework, no build step.

// ---------------------------------------------------------------- sections and addresses

const SECTIONS = {
  start: () => showPlayed(),
  game: () => null,
  why: (word) => lookUp(word),
  list: () => showDownloads(),
  flags: (id, moved) => showFlags(id, moved),
  changes: () => showText("changes", () => beeRecord.changes),
  accuracy: () => showText("accuracy", () => beeRecord.report, true),
  settings: () => null,
  about: () => null,
};

const NAME = "A word list for the Spelling Bee";

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Show what the address names: `#vctaoen` a puzzle, `#/solve/vctaoen` its answers, `#/why/luff` a word,
 * `#/flags/rare` a flag, `#/about`. After a change of section its title has the focus.
 */
async function route(moved) {
  if (!document.body.dataset.ready) return; // it is asked again when the list is there
  const opened = location.hash,
    place = history.state?.y;
  const address = decoded(opened.slice(1));
  const [, named, rest] = /^\/(\w*)\/?(.*)$/.exec(address) ?? [];
  const letters = named === undefined ? address : named === "solve" ? rest : "";
  let section = Object.hasOwn(SECTIONS, named ?? "") && named !== "game" ? named : "start";
  let wrong = "";
  if (letters) {
    try {
      const puzzle = readPuzzle(letters);
      if (game.puzzle?.given !== puzzle.given) openPuzzle(puzzle);
      section = "game";
    } catch (error) {
      wrong = error.message;
    }
  }
  const turned = moved && $(section).hidden;
  for (const id of Object.keys(SECTIONS)) $(id).hidden = id !== section;
  document.body.dataset.section = section;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.section === section) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  showMenu(false);
  if (section === "game") fitSheet();
  else closeSheet();
  if (section === "start") {
    $("letters").value = wrong ? letters : $("letters").value;
    $("letters-wrong").textContent = wrong;
  }
  if (turned) {
    scrollTo(0, 0);
    $(`${section}-title`).focus({ preventScroll: true });
  }
  const title = section === "game" ? game.puzzle.given.toUpperCase() : $(`${section}-title`).textContent;
  if (section === "game") $("game-title").textContent = `Puzzle ${title}`;
  document.title = `${title} – ${NAME}`;
  if (section === "game" && named === "solve") reveal();
  const shown = SECTIONS[section](rest ?? "", moved);
  loading = shown;
  try {
    await shown;
  } finally {
    if (loading === shown) loading = null;
  }
  if (place && location.hash === opened) scrollTo(0, place);
}

let storing = 0, // the timer that stores the scroll position
  loading = null; // the content that the newest address waits for

/**
 * Store the scroll position with the address, so that Back restores it even when the content loads late. While it
 * loads, the page is short and scrolls by itself: that is no position to store.
 */
function keepScroll() {
  history.scrollRestoration = "manual";
  const store = () => loading || history.replaceState({ y: scrollY }, "");
  addEventListener("scroll", () => {
    clearTimeout(storing);
    storing = setTimeout(store, 120);
  });
  // A position that still waits to be stored belongs to the address that is left.
  addEventListener("popstate", () => clearTimeout(storing));
  const leaving = (event) => {
    clearTimeout(storing);
    if (event.target.closest("a")) store();
  };
  addEventListener("click", leaving, true);
}

function showMenu(open) {
  $("menu").setAttribute("aria-expanded", open);
  document.body.classList.toggle("menu", open);
}

// ---------------------------------------------------------------- the start screen

function showPlayed() {
  const before = played();
  $("played").hidden = !before.length;
  $("played-list").replaceChildren(
    ...before.map(({ letters, given }) => el("li", {}, el("a", { href: `#${given}` }, given), ` ${readFound({ letters }).size}`)),
  );
}

/** Open the typed puzzle, to play it or to show its answers immediately. */
function askPuzzle(solving) {
  const open = (letters) => (location.hash = solving ? `/solve/${letters}` : letters);
  // The list brings the rules; until it is there, the letters wait in the address.
  if (!document.body.dataset.ready) return open(encodeURIComponent($("letters").value));
  try {
    const { given } = readPuzzle($("letters").value);
    $("letters-wrong").textContent = "";
    return open(given);
  } catch (error) {
    $("letters-wrong").textContent = error.message;
    return $("letters").focus();
  }
}

const today = () => {
  const now = new Date();
  return `${now.getFullYear()}-${`${now.getMonth() + 1}`.padStart(2, "0")}-${`${now.getDate()}`.padStart(2, "0")}`;
};

/** Open one of our own puzzles: the puzzle of the day, or a random one of a level. */
async function askOwn(kind) {
  $("own-said").textContent = "";
  try {
    const puzzles = await loadPuzzles();
    const pool = readPool(puzzles.pool);
    const days = readDays(puzzles.first, puzzles.days);
    const some = pool.filter((own) => own.level === kind);
    const chosen = kind === "daily" ? daily(pool, today(), days) : some[Math.floor(Math.random() * some.length)];
    if (chosen) location.hash = chosen.letters;
    else $("own-said").textContent = "This list has no such puzzle.";
  } catch (error) {
    $("own-said").textContent = error.message;
  }
}

function reveal() {
  game.revealed = true;
  openSheet("answers");
}

// ---------------------------------------------------------------- settings

/** A stored setting: `apply` is called on every change. */
function remembered(id, apply) {
  const field = $(id),
    kind = field.type === "checkbox" ? "checked" : "value";
  const kept = shelf.get(`set:${id}`);
  if (kept !== null) field[kind] = kind === "checked" ? kept === "true" : kept;
  if (kind === "value" && field.selectedIndex < 0) field.selectedIndex = 0;
  field.addEventListener("change", () => {
    shelf.set(`set:${id}`, `${field[kind]}`);
    apply();
  });
}

const again = () => (game.puzzle ? showPuzzle() : null);
const theme = () => {
  document.documentElement.dataset.theme = $("theme").value;
};

/** Download the player's data as a file. */
function exportKept() {
  const link = el("a", { href: URL.createObjectURL(new Blob([keptText()], { type: "application/json" })), download: "bee-wordlist.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  $("settings-said").textContent = "Exported.";
}

async function importKept() {
  const file = $("import-file").files[0];
  if (!file) return;
  try {
    const puzzles = takeIn(await file.text());
    if (game.puzzle) game.found = readFound(game.puzzle);
    for (const id of REMEMBERED) applyKept(id);
    theme();
    again();
    $("settings-said").textContent = `Imported: ${count(puzzles, "puzzle")}.`;
  } catch (error) {
    $("settings-said").textContent = error.message;
  }
  $("import-file").value = "";
}

const REMEMBERED = ["left-only", "split", "order", "sure", "define", "filter", "theme"];

function applyKept(id) {
  const kept = shelf.get(`set:${id}`),
    field = $(id);
  if (kept !== null) field[field.type === "checkbox" ? "checked" : "value"] = field.type === "checkbox" ? kept === "true" : kept;
}

function forgetAll() {
  if (!confirm("Delete all found words and settings of this page in this browser?")) return;
  for (const key of shelf.keys()) shelf.drop(key);
  game.found.clear();
  location.hash = "/";
  location.reload();
}

function forgetFound() {
  if (!confirm(`Delete the ${count(game.found.size, "word")} found in this puzzle?`)) return;
  game.found.clear();
  writeFound(game.puzzle, game.found);
  showPuzzle();
  say("Forgotten.");
}

// ---------------------------------------------------------------- start

function listen() {
  addEventListener("hashchange", () => route(true));
  wide.addEventListener("change", () => $("game").hidden || fitSheet());
  document.addEventListener("keydown", keyPressed);
  const submitted = (id, act) =>
    $(id).addEventListener("submit", (event) => {
      event.preventDefault();
      act();
    });
  submitted("letters-form", () => askPuzzle(false));
  submitted("why-form", () => askWord());
  submitted("several-form", () => {
    $("several-said").textContent = addSeveral($("several-words").value);
    $("several-words").value = "";
  });
  const clicked = { "solve-now": () => askPuzzle(true), delete: erase, shuffle, enter, share, reveal, copy: copyAnswers,
    forget: forgetFound, "forget-all": forgetAll, export: exportKept, import: () => $("import-file").click(),
    "sheet-close": closeSheet, menu: () => showMenu($("menu").getAttribute("aria-expanded") !== "true") };
  for (const [id, act] of Object.entries(clicked)) $(id).addEventListener("click", act);
  $("import-file").addEventListener("change", importKept);
  $("ring").addEventListener("click", (event) => {
    const letter = event.target.closest(".node")?.textContent;
    if (letter) type(letter);
  });
  // A click on a letter or a key does not move the focus, so that Enter on the keyboard still submits the word.
  for (const part of document.querySelectorAll(".ring, .keys")) part.addEventListener("mousedown", (event) => event.preventDefault());
  for (const tab of document.querySelectorAll("[data-sheet]")) tab.addEventListener("click", () => openSheet(tab.dataset.sheet));
  for (const own of document.querySelectorAll("[data-own]")) own.addEventListener("click", () => askOwn(own.dataset.own));
  for (const hint of document.querySelectorAll("[data-hint]")) hint.addEventListener("click", () => hintOne(hint.dataset.hint));
  for (const id of ["starts", "clues", "maybe"]) $(id).addEventListener("toggle", again);
  $("first").addEventListener("change", again);
  $("sheet").addEventListener("close", sheetClosed);
  for (const id of ["left-only", "split", "order", "sure", "define", "filter"]) remembered(id, again);
  for (const id of ["flags-tier", "rude"]) $(id).addEventListener("change", () => route(false));
  remembered("theme", theme);
  // Until now a click or Enter would have been lost, or would have loaded the page again.
  for (const waiting of document.querySelectorAll("#start button")) waiting.disabled = false;
}

function askWord() {
  const address = `/why/${$("word").value.trim().toLowerCase()}`;
  if (decoded(location.hash.slice(1)) === address) route(false);
  else location.hash = address;
}

/** Show what is saved for offline use. */
function showOffline({ kept, of, failed }) {
  $("offline-said").textContent = failed
    ? "This browser cannot save the page for offline use."
    : kept < of
      ? `Saving the page for offline use: ${kept} of ${of} files.`
      : "Everything is saved: the page works offline.";
}

/** Offer a new release; nothing changes until the player accepts it. */
function offerUpdate(take) {
  $("notices").replaceChildren(
    el("p", {}, "A new release of the list is ready. ", button("Use it now", take), " ", button("Later", () => $("notices").replaceChildren(), "button.quiet")),
  );
}

function broken(says) {
  $("loading").hidden = true;
  $("broken").hidden = false;
  $("broken").textContent = says;
}

/** Use the list as soon as it is loaded, and show what the address names. */
function withWords() {
  if (typeof beeWords === "undefined") return broken("words.js did not load. Check the network connection, or that the file is in the same folder as this page. Then reload.");
  $("filter").append(...beeWords.filters.map((filter) => el("option", { value: filter.name }, filter.says)));
  applyKept("filter");
  showTicks();
  showRelease();
  $("loading").hidden = true;
  document.body.dataset.ready = "yes";
  route(false);
  // Later, so that it does not delay the first answer.
  setTimeout(() => keepOffline(showOffline, offerUpdate), 3000);
  return null;
}

function start() {
  listen();
  theme();
  keepScroll();
  $("start").hidden = location.hash.length > 2;
  for (const event of ["load", "error"]) $("words.js").addEventListener(event, withWords);
}

start();

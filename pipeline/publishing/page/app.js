"use strict";
// Addresses, the history, settings and startup. No framework, no build step.

// ---------------------------------------------------------------- sections and addresses

const SECTIONS = {
  start: () => showStart(),
  game: () => null,
  days: () => showDays(),
  why: (word) => withPages(() => lookUp(word)),
  list: (start, moved) => withPages(() => showList(start, moved)),
  flags: (id, moved) => withPages(() => showFlags(id, moved)),
  changes: () => withPages(() => showChanges()),
  accuracy: () => withPages(() => showReport()),
  settings: () => null,
  about: () => null,
};

const NAME = "Bee Words";

/** The sections about words and the release are a script of their own, which a game does not need. */
const withPages = (show) => loadScript("pages.js").then(show, (error) => notice(error.message));

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Find what an address names: `#daily` or `#daily/2026-11-22` the puzzle of a day, `#vctaoen` a puzzle by its letters,
 * each with `/answers` at its end its answers; `#/why/luff` a word, `#/flags/rare` a flag, `#/about`. Rejects with a
 * sentence where there is no such puzzle.
 */
async function findTarget(address) {
  const [, section, rest] = /^\/(\w*)\/?(.*)$/.exec(address) ?? [];
  if (section !== undefined && section !== "solve") {
    return { section: Object.hasOwn(SECTIONS, section) && section !== "game" ? section : "start", rest };
  }
  const [name, ...more] = section === "solve" ? [rest, "answers"] : address.split("/");
  if (!name) return { section: "start", rest: "" };
  const target = { section: "game", rest: "", answers: more.at(-1) === "answers" };
  if (name === "daily") return { ...target, puzzle: await dayPuzzle(more[0] && more[0] !== "answers" ? more[0] : puzzleDay()) };
  const puzzle = readPuzzle(name);
  await withAnswers(puzzle);
  return { ...target, puzzle };
}

/** Find the same, with a message when it takes long; where there is no such puzzle, the start with what is `wrong`. */
async function waitForTarget(address) {
  const slow = setTimeout(() => ($("loading").hidden = false), 300);
  try {
    return await findTarget(address);
  } catch (error) {
    return { section: "start", rest: "", wrong: error.message };
  } finally {
    clearTimeout(slow);
    $("loading").hidden = true;
  }
}

/** Show what the address names. After a change of section its title has the focus. */
async function route(moved) {
  if (typeof beeWords === "undefined") return; // it is asked again when the list is there
  const { hash } = location,
    scrollPosition = history.state?.y,
    address = decoded(hash.slice(1)).replace(/^\/?daily/i, "daily");
  const { section, rest, puzzle, answers, wrong } = await waitForTarget(address);
  if (location.hash !== hash) return; // another address was opened meanwhile
  const isNewPuzzle = puzzle && (game.puzzle?.given !== puzzle.given || game.puzzle.date !== puzzle.date);
  if (isNewPuzzle) openPuzzle(puzzle);
  if (puzzle?.date && address === "daily") history.replaceState(history.state, "", `#daily/${puzzle.date}`);
  const isTurned = moved && ($(section).hidden || section === "why" || isNewPuzzle);
  showSection(section);
  const isOfLetters = wrong && !address.startsWith("daily");
  if (section === "start") showWrong(wrong, isOfLetters, address);
  if (isOfLetters) $("letters").focus();
  else if (isTurned) {
    scrollTo(0, 0);
    $(`${section}-title`).focus({ preventScroll: true });
  }
  const title = section === "game" ? nameOf(game.puzzle) : $(`${section}-title`).textContent;
  document.title = section === "start" ? NAME : `${title} – ${NAME}`;
  if (answers) reveal();
  else if (section === "game") showRules();
  document.body.dataset.ready = "yes";
  const shown = SECTIONS[section](rest, moved);
  loading = shown;
  try {
    await shown;
  } finally {
    if (loading === shown) loading = null;
  }
  if (scrollPosition && location.hash === hash) scrollTo(0, scrollPosition);
}

/** Show one section, and mark it in the menu; that of a game with its title and its sheet. */
function showSection(section) {
  for (const id of Object.keys(SECTIONS)) $(id).hidden = id !== section;
  document.body.dataset.section = section;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.section === (section === "game" ? "start" : section)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  showMenu(Boolean(history.state?.menu));
  if (section !== "game") return hideSheet();
  const short = game.puzzle.date ? dayBrief(game.puzzle.date) : nameOf(game.puzzle);
  $("game-title").replaceChildren(el("span.roomy", {}, nameOf(game.puzzle)), el("span.narrow", {}, short));
  return fitSheet();
}

/** Say on the start what is wrong with the address: beside the letters if it has some, else above. */
function showWrong(wrong, isOfLetters, address) {
  if (isOfLetters) $("letters").value = address.replace(/^\/solve\//, "").replace(/\/answers$/, "");
  else if (wrong) notice(wrong);
  $("letters-wrong").textContent = isOfLetters ? wrong : "";
}

let storing = 0, // the timer that stores the scroll position
  loading = null; // the content that the newest address waits for

/**
 * Store the scroll position with the address, so that Back restores it even when the content loads late. While it
 * loads, the page is short and scrolls by itself: that is no position to store.
 */
function keepScroll() {
  history.scrollRestoration = "manual";
  const store = () => loading || keepState({ y: scrollY });
  addEventListener("scroll", () => {
    clearTimeout(storing);
    storing = setTimeout(store, 120);
  });
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

/** Open the menu as an entry of the history, so that Back closes it; or close it. */
function turnMenu() {
  if (history.state?.menu) return goBack();
  history.pushState({ menu: true }, "");
  return showMenu(true);
}

/** A section of the open menu takes the menu's place in the history. */
function leaveMenu(event) {
  const link = event.target.closest("a");
  if (!link || !history.state?.menu) return;
  event.preventDefault();
  history.replaceState(null, "", link.getAttribute("href"));
  route(true);
}

/** Back and Forward on the same address open and close what lies over it. */
function historyMoved() {
  clearTimeout(storing); // a position that still waits to be stored belongs to the entry that is left
  goingBack = false;
  showMenu(Boolean(history.state?.menu));
  if (document.body.dataset.section === "game") fitSheet();
}

// ---------------------------------------------------------------- what a player sees once

function reveal() {
  game.revealed = true;
  openSheet("answers");
}

/** The rules come by themselves before the first puzzle of all. */
function showRules() {
  if (shelf.get("set:rules") !== null || playedIds().length) return;
  shelf.set("set:rules", "shown");
  openSheet("rules", !wide.matches);
}

/** Say something above the section, until it is closed. */
function notice(...parts) {
  const close = (event) => {
    event.target.closest("p").remove();
    $("main").focus();
  };
  $("notices").append(el("p", {}, ...parts, " ", button("Close", close, "button.quiet")));
}

let warned = false;
/** Say once that nothing is stored. */
function warnVolatile() {
  if (warned || !shelf.volatile()) return;
  warned = true;
  notice("This browser does not let the page store anything more. What you find is gone when you close the page; Settings can export it.");
}

/** Say what was damaged in the store. */
function warnDamaged() {
  const aside = setDamagedAside();
  if (!aside.length) return;
  const puzzles = aside.map((key) => key.slice(6)).filter(isId).map((id) => (isDate(id) ? dayShort(id) : id.toUpperCase()));
  const of = puzzles.length ? `words of ${puzzles.slice(0, 5).join(", ")}${puzzles.length > 5 ? " and others" : ""}` : "settings";
  notice(`Some of what this browser stored cannot be read: ${of}. What can be read was kept, and all of it is in an export from Settings.`);
}

let dayShown = "";
/** At the turn of the day, show the new puzzle on the first screen and name it elsewhere. */
function dayTurned() {
  if (document.hidden || !dayShown || puzzleDay() === dayShown) return;
  if (document.body.dataset.section === "game") {
    notice("A new puzzle is here: ", el("a", { href: `#daily/${puzzleDay()}` }, dayName(puzzleDay())), ".");
  }
  dayShown = puzzleDay();
  if (["start", "days"].includes(document.body.dataset.section)) route(false);
}

// ---------------------------------------------------------------- settings

/** A stored setting: `apply` is called on every change. */
function remembered(id, apply) {
  const field = $(id),
    kind = field.type === "checkbox" ? "checked" : "value";
  applyStored(id);
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
function exportStored() {
  download(exportText(), "bee-words.json", "application/json");
  $("settings-said").textContent = "Exported.";
}

async function importStored() {
  const file = $("import-file").files[0];
  if (!file) return;
  try {
    const { puzzles, unread } = importText(await file.text());
    if (game.puzzle) game.found = readFound(idOf(game.puzzle));
    for (const id of REMEMBERED) applyStored(id);
    theme();
    again();
    warnVolatile();
    const rest = unread ? ` ${unread === 1 ? "One entry" : `${unread} entries`} could not be read and ${unread === 1 ? "is" : "are"} kept aside.` : "";
    $("settings-said").textContent = `Imported: ${count(puzzles, "puzzle")}.${rest}`;
  } catch (error) {
    $("settings-said").textContent = error.message;
  }
  $("import-file").value = "";
}

const REMEMBERED = ["left-only", "split", "order", "found-order", "sure", "define", "filter", "theme"];

function applyStored(id) {
  const kept = shelf.get(`set:${id}`),
    field = $(id);
  if (kept !== null) field[field.type === "checkbox" ? "checked" : "value"] = field.type === "checkbox" ? kept === "true" : kept;
  if (field.selectedIndex < 0) field.selectedIndex = 0;
}

function deleteAll() {
  if (!confirm("Delete all found words and settings of this page in this browser?")) return;
  for (const key of shelf.keys()) shelf.drop(key);
  game.found.clear();
  location.hash = "/";
  location.reload();
}

// ---------------------------------------------------------------- start

function listen() {
  addEventListener("hashchange", () => route(true));
  addEventListener("popstate", historyMoved);
  addEventListener("visibilitychange", dayTurned);
  addEventListener("storage", ({ key }) => (key === null || key.startsWith("bee:found:")) && foundElsewhere());
  setInterval(dayTurned, 60_000);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("main").focus();
  });
  addEventListener("beforeprint", layOut);
  wide.addEventListener("change", () => $("game").hidden || fitSheet());
  document.addEventListener("keydown", keyPressed);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && history.state?.menu && goBack());
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
    forget: forgetFound, "forget-all": deleteAll, export: exportStored, import: () => $("import-file").click(),
    "sheet-close": closeSheet, "rules-close": () => (wide.matches ? openSheet("found", false) : closeSheet()), menu: turnMenu, print: () => print(), next: nextPuzzle, "done-share": share, "done-answers": reveal,
    "print-too": () => print(), "hint-other": otherHint };
  for (const [id, act] of Object.entries(clicked)) $(id).addEventListener("click", act);
  $("sections").addEventListener("click", leaveMenu);
  $("letters").addEventListener("input", lettersTyped);
  $("import-file").addEventListener("change", importStored);
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
  $("sheet").addEventListener("cancel", () => history.state?.sheet && goBack());
  $("sheet").addEventListener("click", ({ target, currentTarget }) => target === currentTarget && currentTarget.matches(":modal") && closeSheet());
  for (const id of REMEMBERED.slice(0, -1)) remembered(id, again);
  for (const id of ["flags-tier", "rude"]) $(id).addEventListener("change", () => route(false));
  remembered("theme", theme);
  // Until now a click or Enter would have been lost, or would have loaded the page again.
  for (const waiting of document.querySelectorAll("#start button")) waiting.disabled = false;
}

/** Another tab found words, or deleted them. */
function foundElsewhere() {
  if (game.puzzle) {
    game.found = readFound(idOf(game.puzzle));
    showPuzzle();
  }
  if (["start", "days"].includes(document.body.dataset.section)) route(false);
}

function askWord() {
  const address = `/why/${$("word").value.trim().toLowerCase()}`;
  if (decoded(location.hash.slice(1)) === address) route(false);
  else location.hash = address;
}

/** Show what is saved for offline use. */
function showOffline({ kept, of, failed, waits }) {
  $("offline-said").textContent = failed
    ? "This browser cannot save the page for offline use."
    : waits
      ? "The page saves what a game needs as soon as it is loaded, and the rest when data need not be saved."
    : kept < of
      ? `Saving the page for offline use: ${kept} of ${of} files.`
      : "Everything is saved: the page works offline.";
}

/** Offer a new release; nothing changes until the player accepts it. */
function offerUpdate(take) {
  notice("A new release of the list is ready. ", button("Use it now", take));
}

function broken(says) {
  $("loading").hidden = true;
  $("broken").hidden = false;
  $("broken").textContent = says;
}

function showRelease() {
  const number = (value) => (value ?? 0).toLocaleString("en-US");
  const add = (term, text) => addFact($("release"), term, text);
  add("Version", beeWords.version);
  add("Covers", `${number(beeWords.covers?.days)} puzzles from ${beeWords.covers?.first} to ${beeWords.covers?.last}`);
  add("Words", TIERS.slice(0, 2).map((tier) => `${number(beeWords.words?.[tier])} ${tier}`).join(", "));
  if (beeWords.glosses) add("Definitions", `for ${beeWords.glosses}% of the listed words`);
  $("version").textContent = `Release ${beeWords.version}.`;
  $("sources").append(
    ...(beeWords.sources ?? []).map((source) =>
      el("li", {}, /^https?:/.test(source.path) ? el("a", { href: source.path, rel: "noreferrer" }, source.title) : source.title),
    ),
  );
  const named = (beeWords.licenses ?? []).map((one) => `${one.name} (${one.title})`).join(", ");
  $("licenses").textContent = `Licenses of the list: ${named}.`;
  document.querySelector('nav a[data-section="accuracy"]').parentElement.hidden = !beeWords.report;
}

/** Use the list as soon as it is loaded, and show what the address names. */
function withWords() {
  if (typeof beeWords === "undefined") return broken("words.js did not load. Check the network connection, or that the file is in the same folder as this page. Then reload.");
  $("filter").append(...beeWords.filters.map((filter) => el("option", { value: filter.name }, filter.says)));
  applyStored("filter");
  showTicks();
  showRelease();
  warnDamaged();
  $("loading").hidden = true;
  dayShown = puzzleDay();
  route(false);
  // Later, so that it does not delay the first answer.
  if (location.protocol !== "file:") showOffline({ failed: !("serviceWorker" in navigator), waits: true });
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

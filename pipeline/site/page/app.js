"use strict";
// Addresses, the history, settings and startup. No framework, no build step.

// ---------------------------------------------------------------- sections and addresses

const SECTIONS = {
  start: () => showStart(),
  game: () => filled,
  days: (month) => showDays(month),
  why: (text) => lookUp(text),
  about: (part) => showPart($(`about-${part}`)),
  settings: () => null,
};

/** Show a part of a section, or the section from its start. */
function showPart(part) {
  if (!part) return scrollTo(0, 0);
  part.scrollIntoView();
  return part.focus({ preventScroll: true });
}

const NAME = "Bee Words";

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * What an address names: `#daily` or `#daily/2026-11-22` is the puzzle of a day, and `#vctaoen` is a puzzle by its
 * letters; with `/answers` at the end, or `/solve/` before them, these are its answers. `#/why/luff` is a word,
 * `#/days/2026-11` is a month, and `#/about` is a section. Rejects with a sentence if there is no such puzzle or section.
 */
async function findTarget(address) {
  const [, section, rest] = /^\/(\w*)\/?(.*)$/s.exec(address) ?? [];
  if (section === "") return { section: "start", rest };
  if (section !== undefined && section !== "solve") {
    if (!Object.hasOwn(SECTIONS, section) || section === "game") throw new Error(`This page has no section “${section}”.`);
    return { section, rest };
  }
  const [name, ...more] = section === "solve" ? [rest, "answers"] : address.split("/");
  if (!name) return { section: "start", rest: "" };
  const target = { section: "game", rest: "", answers: more.at(-1) === "answers" };
  if (name === "daily") return { ...target, puzzle: dayPuzzle(more[0] && more[0] !== "answers" ? more[0] : puzzleDay()) };
  const puzzle = readPuzzle(name);
  await withAnswers(puzzle);
  return { ...target, puzzle };
}

/** Wait for something, with a message if it takes long. */
async function waitFor(promise) {
  const slow = setTimeout(() => ($("loading").hidden = false), 300);
  try {
    return await promise;
  } finally {
    clearTimeout(slow);
    $("loading").hidden = true;
  }
}

/** What an address names. For a wrong address, it is the start, and `wrong` says why. */
const targetOf = (address) => waitFor(findTarget(address)).catch(({ message }) => ({ section: "start", rest: "", wrong: message }));

/** Show what the address names. After a change of section, its title gets the focus. */
async function route(moved) {
  if (typeof beeWords === "undefined") return; // this is called again when the list is loaded
  const { hash } = location,
    scrollPosition = history.state?.y,
    address = decoded(hash.slice(1)).replace(/^\/?daily/i, "daily");
  const { section, rest, puzzle, answers, wrong } = await targetOf(address);
  if (location.hash !== hash) return; // another address was opened in the meantime
  const isNewPuzzle = puzzle && (game.puzzle?.given !== puzzle.given || game.puzzle.date !== puzzle.date);
  if (isNewPuzzle) openPuzzle(puzzle);
  if (puzzle) history.replaceState(history.state, "", `#${addressOf(puzzle)}`); // "daily" is only today's, and answers are shown once
  const isTurned = moved && ($(section).hidden || section === "why" || isNewPuzzle);
  showSection(section);
  const isOfLetters = wrong && !/^(daily|\/(?!solve))/.test(address);
  if (section === "start") showWrong(wrong, isOfLetters, address);
  if (isOfLetters) $("letters").focus();
  else if (section === "why" && wide.matches) $("word").select();
  else if (isTurned) {
    scrollTo(0, 0);
    $(`${section}-title`).focus({ preventScroll: true });
  }
  const title = section === "game" ? nameOf(game.puzzle) : $(`${section}-title`).textContent;
  document.title = section === "start" ? NAME : `${title} – ${NAME}`;
  if (answers) openAnswers();
  else if (section === "game") showRules();
  document.body.dataset.ready = "yes";
  const shown = SECTIONS[section](rest);
  loading = shown;
  try {
    await shown;
  } finally {
    if (loading === shown) loading = null;
  }
  if (scrollPosition && location.hash === hash) scrollTo(0, scrollPosition);
}

/** Show one section and mark it in the menu. A game is shown with its title and its sheet. */
function showSection(section) {
  for (const id of Object.keys(SECTIONS)) $(id).hidden = id !== section;
  document.body.dataset.section = section;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.section === (section === "game" ? "start" : section)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  showMenu(Boolean(history.state?.menu));
  if (section !== "game") {
    hideSheet();
    return fitCard();
  }
  const short = game.puzzle.date ? dayBrief(game.puzzle.date) : nameOf(game.puzzle);
  $("game-name").replaceChildren(el("span.roomy", {}, nameOf(game.puzzle)), el("span.narrow", {}, short));
  return fitPanels();
}

/** Open or close what lies over the game: the sheet, and the card above it. */
function fitPanels() {
  fitSheet();
  return fitCard();
}

/** Show on the start what is wrong with the address: next to the letters if it has letters, otherwise above. */
function showWrong(wrong, isOfLetters, address) {
  if (isOfLetters) $("letters").value = address.replace(/^\/solve\//, "").replace(/\/answers$/, "");
  else if (wrong) notice(wrong);
  $("letters-wrong").textContent = isOfLetters ? wrong : "";
}

let storing = 0, // the timer that stores the scroll position
  loading = null; // the content that the newest address waits for

/**
 * Store the scroll position with the address, so that Back restores it even if the content loads late. While it loads,
 * the page is short and scrolls by itself, so its position is not stored.
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

/** Replace the entry of the open menu in the history by the chosen section. */
function leaveMenu(event) {
  const link = event.target.closest("a");
  if (!link || !history.state?.menu) return;
  event.preventDefault();
  history.replaceState(null, "", link.getAttribute("href"));
  route(true);
}

/** Open or close the menu and the sheet after Back or Forward. */
function historyMoved() {
  clearTimeout(storing); // a position that is not stored yet belongs to the entry that was left
  goingBack = false;
  showMenu(Boolean(history.state?.menu));
  if (document.body.dataset.section === "game") fitPanels();
}

// ---------------------------------------------------------------- what a player sees once

/** Show the rules once, before a player's first puzzle. */
function showRules() {
  if (shelf.get("set:rules") !== null || playedIds().length) return;
  shelf.set("set:rules", "shown");
  openSheet("rules", { focus: !wide.matches });
}

/** Show a message above the section until the player closes it. */
function notice(...parts) {
  const close = (event) => {
    event.target.closest("p").remove();
    $("main").focus();
  };
  $("notices").append(el("p", {}, ...parts, " ", button("Close", close, "button.quiet")));
}

let warned = false;
/** Tell the player once that nothing more is stored. */
function warnVolatile() {
  if (warned || !shelf.volatile()) return;
  warned = true;
  notice("This browser does not let the page store anything more. Words that you find now are lost when you close the page; you can export them in Settings.");
}

/** Tell the player which stored data is damaged. */
function warnDamaged() {
  const aside = setDamagedAside();
  if (!aside.length) return;
  const ids = aside.map(kindOf).filter(([kind, id]) => kind === "found" && isId(id)).map(([, id]) => id);
  const puzzles = ids.map((id) => (isDate(id) ? dayShort(id) : id.toUpperCase()));
  const of = puzzles.length ? `words of ${puzzles.slice(0, 5).join(", ")}${puzzles.length > 5 ? " and others" : ""}` : "settings";
  notice(`Some data that this browser stored cannot be read: ${of}. Everything that can be read was kept. An export in Settings contains all of it.`);
}

let dayShown = "";
/** When a new day begins, show the new puzzle on the first screen and in the archive, or a message with a link to it in a game. */
function dayTurned() {
  if (document.hidden || !dayShown || puzzleDay() === dayShown) return;
  if (document.body.dataset.section === "game") {
    notice("A new puzzle is here: ", el("a", { href: `#daily/${puzzleDay()}` }, dayName(puzzleDay())), ".");
  }
  dayShown = puzzleDay();
  showAgain();
}

/** Show the first screen or the month of the archive again, if it is open. */
function showAgain() {
  const { section } = document.body.dataset;
  if (section === "start") showStart();
  if (section === "days") showDays(location.hash.split("/")[2] ?? "");
}

// ---------------------------------------------------------------- settings

/** Store a setting whenever it changes, and call `apply`. */
function remembered(id, apply) {
  const field = $(id),
    kind = field.type === "checkbox" ? "checked" : "value";
  applyStored(id);
  field.addEventListener("change", () => {
    shelf.set(`set:${id}`, `${field[kind]}`);
    apply();
  });
}

const again = () => (game.puzzle ? gather() : null);
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
    for (const id of REMEMBERED) applyStored(id);
    theme();
    again();
    if (game.puzzle) readAgain();
    warnVolatile();
    const rest = unread ? ` ${unread === 1 ? "One entry" : `${unread} entries`} could not be read and ${unread === 1 ? "was" : "were"} stored separately.` : "";
    $("settings-said").textContent = `Imported: ${count(puzzles, "puzzle")}.${rest}`;
  } catch (error) {
    $("settings-said").textContent = error.message;
  }
  $("import-file").value = "";
}

const REMEMBERED = ["left-only", "order", "found-order", "define", "filter", "theme"];

function applyStored(id) {
  const kept = shelf.get(`set:${id}`),
    field = $(id);
  if (kept !== null) field[field.type === "checkbox" ? "checked" : "value"] = field.type === "checkbox" ? kept === "true" : kept;
  if (field.selectedIndex < 0) field.selectedIndex = 0;
}

function deleteAll() {
  if (!confirm("Delete everything that this page stored in this browser?")) return;
  for (const key of shelf.keys()) shelf.drop(key);
  location.hash = "/";
  location.reload();
}

// ---------------------------------------------------------------- start

function listen() {
  addEventListener("hashchange", () => route(true));
  addEventListener("popstate", historyMoved);
  addEventListener("visibilitychange", dayTurned);
  addEventListener("pageshow", ({ persisted }) => persisted && foundElsewhere());
  addEventListener("storage", ({ key }) => (key === null || /^bee:(found|answers|hints):/.test(key)) && foundElsewhere());
  setInterval(dayTurned, 60_000);
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("main").focus();
  });
  addEventListener("beforeprint", layOut);
  wide.addEventListener("change", () => (history.state?.menu ? goBack() : $("game").hidden || fitPanels()));
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
    const said = addSeveral($("several-words").value);
    $("several-said").textContent = said;
    say(said.replace(/\. .*/, ".")); // the number, which is still there after a celebration
    $("several-words").value = "";
  });
  const clicked = { "solve-now": () => askPuzzle(true), shuffle, enter, share, reveal: () => reveal("shown"), copy: copyAnswers,
    "forget-all": deleteAll, export: exportStored, import: () => $("import-file").click(),
    "sheet-close": closeSheet, "keep-all": keepAll, "rules-close": closeSheet, menu: turnMenu, print: () => print(),
    "keep-going": closeSheet, "done-share": share, "done-answers": () => openSheet("answers"),
    "print-too": () => print(), "nudge-more": ({ detail }) => detail > 1 || nudge(), "nudge-other": () => nudge(game.hints.word),
    strip: () => openSheet("found") };
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
  for (const tab of document.querySelectorAll("[data-sheet]")) tab.addEventListener("click", () => turnSheet(tab.dataset.sheet));
  for (const one of document.querySelectorAll("[data-practice]")) one.addEventListener("click", () => askPractice(one.dataset.practice));
  for (const one of document.querySelectorAll("[data-next]")) one.addEventListener("click", openNext);
  for (const over of document.querySelectorAll("[data-start-over]")) over.addEventListener("click", startOver);
  for (const choice of document.querySelectorAll("[data-step]")) choice.addEventListener("click", () => openStep(choice.dataset.step));
  $("maybe").addEventListener("toggle", again);
  $("sheet").addEventListener("cancel", closeSheet);
  closeFromOutside($("sheet"), closeSheet);
  addEventListener("click", stopSecondClick, true);
  listenToDelete();
  listenToCard();
  listenToSearch();
  for (const id of REMEMBERED.slice(0, -1)) remembered(id, again);
  remembered("theme", theme);
  // Before this, a click or Enter would be lost, or would load the page again.
  for (const waiting of document.querySelectorAll("#start button")) waiting.disabled = false;
}

/** Another tab found words, or deleted them. */
function foundElsewhere() {
  if (game.puzzle) readAgain();
  showAgain();
}

/** Show what is saved for offline use. */
function showOffline({ kept, of, words, stopped, failed, waits }) {
  const isAll = words >= beeWords.files.length;
  $("offline-said").textContent = failed
    ? "This browser cannot save the page for offline use."
    : waits
      ? "The page saves what a game needs when it loads."
      : kept < of
        ? `${stopped ? "Saving stopped" : "Saving for offline use"}: ${kept} of ${of} files.`
        : isAll
          ? "Everything is saved. The page works offline."
          : "Games work offline. Definitions, clues and records are saved when you look at them.";
  $("keep-all").hidden = Boolean(failed || waits || isAll);
}

/** Save what is known about all words, too. */
const keepAll = () => askWorker({ keep: beeWords.files.map((name) => `words/${name}.json`) });

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
  $("version").textContent = `Release ${beeWords.version}.`;
  const { days, last } = beeWords.covers ?? {};
  if (last) $("covers").textContent = `The list covers ${count(days, "puzzle")}, up to ${dateName(last)}.`;
  $("sources").append(
    ...(beeWords.sources ?? []).map((source) =>
      el("li", {}, /^https?:/.test(source.path) ? el("a", { href: source.path, rel: "noreferrer" }, source.title) : source.title),
    ),
  );
  const named = (beeWords.licenses ?? []).map((one) => `${one.name} (${one.title})`).join(", ");
  $("licenses").textContent = `Licenses of the list: ${named}.`;
}

/** Load the list, and show what the address names. */
async function withWords() {
  try {
    globalThis.beeWords = await load("words.json");
  } catch (error) {
    return broken(location.protocol === "file:" ? "This page was opened from a folder, but it needs a web server." : error.message);
  }
  $("filter").append(...Object.entries(beeWords.filters).map(([value, { says }]) => el("option", { value }, says)));
  applyStored("filter");
  showDots();
  showRelease();
  warnDamaged();
  $("loading").hidden = true;
  dayShown = puzzleDay();
  route(false);
  // Later, so that it does not delay the first answer.
  showOffline({ failed: !("serviceWorker" in navigator), waits: true });
  setTimeout(() => keepOffline(showOffline, offerUpdate), 3000);
  return null;
}

function start() {
  listen();
  theme();
  keepScroll();
  $("start").hidden = location.hash.length > 2;
  withWords();
}

start();

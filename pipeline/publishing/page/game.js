"use strict";
// A puzzle on the screen: the ring, the word that is typed, the rank, and the sheet with found words, hints and answers.
// Text of a release is only ever set as text, never as HTML.

// ---------------------------------------------------------------- building the page

const $ = (id) => document.getElementById(id);

/** Make an element: its class after a dot, attributes, then children, which are elements or text. */
function el(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== "" && child !== null));
  return made;
}

const aloud = (text) => el("span.aloud", {}, text);
const linkTo = (word) => el("a", { href: `#/why/${word}` }, word);

/** A button that does something. */
function button(text, act, kind = "button") {
  const made = el(kind, { type: "button" }, text);
  made.addEventListener("click", act);
  return made;
}

/** A table. On a phone a wide one shows its rows one under the other, any other scrolls when it must. */
function table(rows, caption, kind = rows[0].length > 5 ? "wide" : "") {
  const cells = (row, heads) =>
    row.map((cell, at) => {
      const scope = cell === "" ? "" : heads ? "col" : at === 0 ? "row" : "";
      return el(scope ? "th" : "td", scope ? { scope } : { "data-head": rows[0][at] }, `${cell}`);
    });
  return el(
    "div.scroll",
    { tabindex: "0", role: "region", "aria-label": caption },
    el(
      kind ? `table.${kind}` : "table",
      {},
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, ...cells(rows[0], true))),
      el("tbody", {}, ...rows.slice(1).map((row) => el("tr", {}, ...cells(row, false)))),
    ),
  );
}

/** An entry in a list of words: stars, the mark of a guess, tier and p as asked for, and whether it is found. */
function wordItem(entry, { found = new Set(), sure = false } = {}) {
  const item = el("li", { "data-word": entry.word }, linkTo(entry.word));
  const stars = starred(entry.word);
  if (stars)
    item.append(
      el("span.star", { "aria-hidden": "true" }, stars),
      aloud(stars === " **" ? " perfect pangram" : " pangram"),
    );
  if (entry.guess) item.append(el("span.guess", { title: "A guess: the list has no pangram for these letters" }, " ?"), aloud(" a guess"));
  if (entry.tier !== "core") item.classList.add(entry.tier);
  if (sure && entry.p !== null) item.append(" ", el("small.soft", {}, `p = ${entry.p.toFixed(2)}`));
  if (found.has(entry.word)) {
    item.classList.add("got");
    item.append(aloud(" (found)"));
  }
  return item;
}

/** The definitions of a word under its entry; `shown` says whether offensive senses are. */
function glossList(senses, shown) {
  const kept = senses.filter(([, , rude]) => shown || !rude);
  return el("span.glosses", {}, kept.length ? definition(kept) : "Your filter hides its definition.");
}

// ---------------------------------------------------------------- the puzzle

const game = { puzzle: null, spelled: new Map(), found: new Set(), order: "", typed: "", revealed: false, whole: false };
const groups = new Map();
const release = { words: [], more: null };
const wide = matchMedia("(min-width: 56rem)");

/** The filter that is chosen, as a place in the list of filters; -1 for none. They go from mild to strict. */
const filterAt = () => beeWords.filters.findIndex((filter) => filter.name === $("filter").value);
const shown = (entry) => filterAt() < 0 || entry.hides < beeWords.filters.length - filterAt();
const textOf = (entries) => entries.map((entry) => entry.word);

/** The answers and doubtful words that pass the filter; a guess is included only when everything is loaded. */
function current() {
  const all = [...game.spelled.values()].filter(shown);
  return answered(game.whole ? all : all.filter(listed), game.whole ? candidates().filter(shown) : []);
}

/** The pangrams that may be the guess for the letters of the puzzle. */
const candidates = () => release.pangrams?.get(mask(game.puzzle.letters)) ?? [];

/** Decode the list when it is first needed. */
function firstWords() {
  if (release.words.length) return;
  release.words = unpack(beeWords.list);
  indexed(release.words, groups);
}

/** How many words are decoded before the page can respond to input. */
const AT_A_TIME = 3000;
let reading = null;

/** Words of the puzzle that come with the second file: those with S, and the doubtful ones; and p of the others. */
const moreWords = () =>
  (reading ??= readMore().catch((error) => {
    reading = null;
    throw error;
  }));

async function readMore() {
  const more = await loadMore();
  firstWords();
  const read = [];
  for (const entry of unpacking(more.list)) {
    read.push(entry);
    if (read.length % AT_A_TIME === 0) await new Promise((done) => setTimeout(done));
  }
  withChances(release.words, more.likely);
  indexed(read, groups);
  release.pangrams = indexed(unpacking(more.pangrams));
  release.more = read;
}

function openPuzzle(puzzle) {
  Object.assign(game, { puzzle, found: readFound(puzzle), order: puzzle.given.slice(1), typed: "", revealed: false });
  shelf.set("last", puzzle.given);
  $("hint-said").replaceChildren();
  say("");
  showRing();
  showTyped();
  gather();
  moreWords().then(
    () => game.puzzle === puzzle && gather(),
    (error) => say(error.message),
  );
}

function gather() {
  firstWords();
  game.whole = Boolean(release.more);
  game.spelled = new Map(solve(groups, game.puzzle).map((entry) => [entry.word, entry]));
  const guess = answered([...game.spelled.values()], candidates()).answers.find((entry) => entry.guess);
  if (guess && game.whole) game.spelled.set(guess.word, guess);
  showPuzzle();
}

function showRing() {
  const letters = game.puzzle.center + game.order;
  document.querySelectorAll(".node").forEach((node, at) => {
    node.textContent = letters[at];
    node.setAttribute("aria-label", letters[at].toUpperCase() + (at ? "" : ", the center"));
  });
}

/** Show the word that is being typed; letters that the puzzle lacks are dimmed, the center letter is colored. */
function showTyped() {
  $("typed").classList.toggle("long", game.typed.length > 11);
  $("typed").replaceChildren(
    ...[...game.typed].map((letter) => {
      const kind = letter === game.puzzle.center ? "i.mid" : game.puzzle.letters.includes(letter) ? "i" : "i.not";
      return el(kind, {}, letter);
    }),
  );
}

/** Show everything that depends on the puzzle and on what is found. */
function showPuzzle() {
  const { answers } = current(),
    words = textOf(answers);
  showRank(words);
  $("found-count").textContent = words.filter((word) => game.found.has(word)).length;
  const line = words.length ? totals(words, game.puzzle) : "The list has no words for these letters.";
  for (const id of ["totals", "answers-totals"]) {
    $(id).replaceChildren(...line.split(/(?<=,) /).flatMap((part, at) => [at ? " " : "", el("span", {}, part)]));
  }
  showFound();
  showFiltered(answers);
  if (!$("panel-hints").hidden) showHints();
  if (!$("panel-answers").hidden) showAnswers();
}

/** Show what the filter leaves out, and why there is no certain pangram. */
function showFiltered(answers) {
  const every = [...game.spelled.values()],
    certain = every.filter((entry) => entry.tier !== "review");
  const left = certain.filter((entry) => !shown(entry));
  $("filter-said").hidden = !left.length;
  $("filter-said").textContent =
    `Your filter leaves ${count(left.length, "word")} out. The official totals may count ${left.length === 1 ? "it" : "them"}.`;
  const guess = answers.find((entry) => entry.guess);
  const missing = game.whole && answers.length > 0 && !answers.some((entry) => pangram(entry.word) && !entry.guess);
  $("pangramless").hidden = !missing;
  if (!missing) return;
  const hidden = left.some((entry) => pangram(entry.word));
  const says = hidden
    ? "Every puzzle has a pangram. Your filter leaves out the only one on the list."
    : guess
      ? "Every puzzle has a pangram, but the list has none for these letters. The most likely doubtful word was added and is marked with ?."
      : "Every puzzle has a pangram, but the list has none for these letters. Are the letters right?";
  $("pangramless").replaceChildren(el("p", {}, says));
}

function showRank(words) {
  const most = pointsOf(words),
    points = pointsOf(words.filter((word) => game.found.has(word)));
  const { steps, at, next } = rankAt(points, most);
  const queen = most > 0 && points === most;
  $("rank").textContent = steps[at].name;
  $("rank-points").textContent = points;
  $("rank-button").setAttribute("aria-label", `Rank: ${steps[at].name}, ${count(points, "point")}. Show all ranks`);
  $("rank-button").classList.toggle("queen", queen);
  $("rank-said").textContent =
    `${points} of ${count(most, "point")}.` +
    (next && most ? ` ${next.needed - points} more to ${next.name}.` : queen ? " You have all points." : "");
  $("track-done").style.width = `${most ? (100 * points) / most : 0}%`;
  const row = (step, place) =>
    el(
      place === at ? "tr.here" : "tr",
      {},
      el("th", { scope: "row" }, step.name, place === at ? aloud(", your rank") : ""),
      el("td", {}, `${step.needed}`),
    );
  $("ranks").replaceChildren(
    el("table", {}, el("caption", {}, "Points needed for each rank"), el("tbody", {}, ...steps.map(row))),
  );
  return queen;
}

/** The marks of the ranks on the track never change: they are shares of the points. */
function showTicks() {
  $("track-ticks").replaceChildren(
    ...rules().ranks.slice(1, -1).map(([, percent]) => {
      const tick = el("i");
      tick.style.left = `${percent}%`;
      return tick;
    }),
  );
}

function showFound() {
  const entries = [...game.found].sort().map((word) => game.spelled.get(word)).filter((entry) => entry && shown(entry));
  $("found-none").hidden = entries.length > 0;
  $("forget").hidden = !game.found.size;
  $("found").replaceChildren(
    ...entries.map((entry) => {
      const item = wordItem(entry);
      const worth = entry.tier === "review" && !entry.guess ? "may be accepted" : `${score(entry.word)}`;
      item.append(" ", el("small.soft", {}, worth));
      return item;
    }),
  );
}

// ---------------------------------------------------------------- typing and guessing

const say = (...parts) => $("said").replaceChildren(...parts);

function type(letter) {
  if (game.typed.length < 24) game.typed += letter;
  say("");
  showTyped();
}

function erase() {
  game.typed = game.typed.slice(0, -1);
  showTyped();
}

/** Submit the typed word and show the result. */
function enter() {
  const word = game.typed;
  if (!word) return say("Type or tap a word first.");
  const result = judge(word, game.puzzle, game.spelled, game.found, shown);
  game.typed = "";
  showTyped();
  $("said").className = result.kind;
  if (["unknown", "maybe"].includes(result.kind)) say(`${result.says}. `, el("a", { href: `#/why/${word}` }, "Why?"));
  else say(`${result.says}.`);
  if (["maybe", "good"].includes(result.kind)) {
    game.found.add(word);
    writeFound(game.puzzle, game.found);
    showPuzzle();
    if (result.kind === "good" && $("rank-button").classList.contains("queen")) {
      say(`${word}: that was the last word. Queen Bee!`);
      $("said").className = "good queen";
    }
  }
  return null;
}

/** Add many words at once, as from another device or from paper. */
function addSeveral(text) {
  const words = text.toLowerCase().split(/[\s,;*]+/).filter(Boolean);
  if (!words.length) return "Enter some words first.";
  const missed = [];
  for (const word of words) {
    const { kind } = judge(word, game.puzzle, game.spelled, game.found, shown);
    if (["maybe", "good"].includes(kind)) game.found.add(word);
    else missed.push(word);
  }
  writeFound(game.puzzle, game.found);
  showPuzzle();
  const rest = missed.length ? ` Not added: ${missed.slice(0, 10).join(", ")}${missed.length > 10 ? " and others" : ""}.` : "";
  return `${count(words.length - missed.length, "new word")} of ${words.length}.${rest}`;
}

function shuffle() {
  game.order = jumbled(game.order);
  showRing();
}

/** Letters can be typed anywhere on the screen of a puzzle, without a field that has the focus. */
function keyPressed(event) {
  const field = event.target.closest?.("input:not([type=checkbox]), select, textarea, dialog:modal");
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $("game").hidden || field) return;
  const control = event.target.closest?.("button, a, summary, input");
  const typedHere = game.typed && game.typedAt === control && !control?.matches(".node");
  if (/^[a-z]$/i.test(event.key)) {
    type(event.key.toLowerCase());
    game.typedAt = control;
  } else if (event.key === "Backspace") erase();
  // After a click on a hint its button has the focus: Enter submits a word that was typed since then.
  else if (event.key === "Enter" && (!control || typedHere)) enter();
  else if (event.key === " " && !control) shuffle();
  else return;
  event.preventDefault();
}

// ---------------------------------------------------------------- the sheet

/** Show a panel of the sheet: over the game on a phone, beside it where there is room. */
function openSheet(name, focus = true) {
  for (const panel of document.querySelectorAll(".panel")) panel.hidden = panel.id !== `panel-${name}`;
  for (const tab of document.querySelectorAll(".tabs [data-sheet]")) tab.setAttribute("aria-expanded", tab.dataset.sheet === name);
  $("sheet-title").textContent = $(`panel-${name}`).dataset.title;
  if (wide.matches) $("sheet").open = true;
  else if (!$("sheet").open) $("sheet").showModal();
  $("sheet").scrollTop = 0;
  if (focus) $("sheet-title").focus();
  if (game.puzzle) showPuzzle();
}

function closeSheet() {
  if ($("sheet").open) $("sheet").close();
  sheetClosed();
}

/** The browser reports a closed sheet late, when it may already be open again. */
function sheetClosed() {
  if ($("sheet").open) return;
  for (const tab of document.querySelectorAll(".tabs [data-sheet]")) tab.setAttribute("aria-expanded", "false");
}

/** Beside the game the sheet is always open; over it, only when asked for. */
function fitSheet() {
  closeSheet();
  if (wide.matches && game.puzzle) openSheet("found", false);
}

// ---------------------------------------------------------------- hints

/** The words that hints are about: what remains, or all. */
function hinted() {
  const words = textOf(current().answers);
  return $("left-only").checked ? words.filter((word) => !game.found.has(word)) : words;
}

function showHints() {
  const words = hinted(),
    all = textOf(current().answers);
  const letters = $("split").checked ? 3 : 2;
  $("left-said").textContent = words.length
    ? `${count(words.length, "word")}, ${count(pointsOf(words), "point")}, ${count(words.filter(pangram).length, "pangram")} ` +
      `${words.length < all.length ? "remain" : "in all"}${bingo(all, game.puzzle) ? "; every letter starts a word" : ""}.`
    : "No words remain.";
  $("grid").replaceChildren(words.length ? table(grid(words), "First letter down, length across", "grid") : "");
  $("pairs-title").textContent = `By first ${letters === 3 ? "three" : "two"} letters`;
  $("pairs").replaceChildren(...startLines(words, letters).map((line) => el("li", {}, line.join(" "))));
  fold("starts", () => [
    el(
      "ul.words.starts",
      {},
      ...veiled(words, Number($("first").value)).map(([start, length]) =>
        el(
          "li",
          {},
          el("span", { "aria-hidden": "true" }, start + "·".repeat(length - start.length)),
          aloud(`${start.toUpperCase()}, ${length} letters`),
          " ",
          el("small.soft", { "aria-hidden": "true" }, `${length}`),
        ),
      ),
    ),
  ]);
  fold("clues", (body) => {
    cluesOf(words).then(
      (clues) => body.replaceChildren(el("ul.clues", {}, ...clues.map(clueItem))),
      (error) => body.replaceChildren(el("p.wrong", { role: "alert" }, error.message)),
    );
    return [el("p.soft", {}, "Loading …")];
  });
}

/** Fill a folded part when it is open, and empty it when it is not. */
function fold(id, make) {
  const body = $(id).querySelector(".body");
  body.replaceChildren(...($(id).open ? make(body) : []));
}

/** Clues for words, A to Z by first letter and length; words without a usable gloss come last and say so. */
async function cluesOf(words) {
  const glosses = await glossesOf(words);
  const secret = new Set(textOf(current().answers));
  const made = words.map((word) => {
    const senses = game.spelled.get(word)?.hides ? [] : (glosses.get(word) ?? []);
    return { first: word[0], length: word.length, clue: clueOf(senses, word, secret) };
  });
  return made.sort((one, other) => compare(one.first, other.first) || one.length - other.length || compare(one.clue, other.clue));
}

const clueItem = (made) =>
  el("li", {}, el("b", {}, `${made.first.toUpperCase()} ${made.length}`), " ", made.clue || el("span.soft", {}, "no definition"));

/** A hint for one word that is left, chosen by chance. */
async function hintOne(kind) {
  const answers = textOf(current().answers);
  const left = answers.filter((word) => !game.found.has(word));
  if (!left.length) return $("hint-said").replaceChildren("No words remain.");
  const word = left[Math.floor(Math.random() * left.length)];
  if (kind === "start") return $("hint-said").replaceChildren(`It starts with ${word.slice(0, 2).toUpperCase()} and has ${word.length} letters.`);
  if (kind === "jumble") return $("hint-said").replaceChildren(el("b.jumble", {}, jumbled(word, answers)));
  $("hint-said").replaceChildren("Loading …");
  try {
    const clues = (await cluesOf(left)).filter((made) => made.clue);
    const made = clues[Math.floor(Math.random() * clues.length)];
    return $("hint-said").replaceChildren(...(made ? clueItem(made).childNodes : ["None of the remaining words has a definition."]));
  } catch (error) {
    return $("hint-said").replaceChildren(error.message);
  }
}

// ---------------------------------------------------------------- answers

function showAnswers() {
  $("guarded").hidden = game.revealed;
  $("revealed").hidden = !game.revealed;
  if (!game.revealed) return;
  const { answers, maybe } = current();
  const list = [...answers].sort(ORDERS[$("order").value]);
  const sure = $("sure").checked;
  const item = (entry) => wordItem(entry, { found: game.found, sure });
  const part = (title, some) => (some.length ? [el("h3", {}, `${title} (${some.length})`), el("ol.words", {}, ...some.map(item))] : []);
  const legend = el("p.small", {}, el("em", {}, "Italics:"), " likely, but never tried. Question mark: a guess, not on the list.");
  const byTiers = [
    ...part("core: accepted at the last trial", list.filter((entry) => entry.tier === "core")),
    ...part("likely: never tried", list.filter((entry) => entry.tier === "likely")),
    ...part("a guess", list.filter((entry) => entry.guess)),
  ];
  const plain = [...(list.some((entry) => entry.tier !== "core") ? [legend] : []), el("ol.words", {}, ...list.map(item))];
  $("words").replaceChildren(...($("order").value === "tier" ? byTiers : plain));
  fold("maybe", () => {
    if (!game.whole) return [el("p.soft", {}, "Loading …")];
    if (!maybe.length) return [el("p", {}, "There are none for these letters.")];
    return [
      el("p.small", {}, "Doubtful words that are not on the list, with the probability p that they are accepted."),
      el("ol.words", {}, ...maybe.map((entry) => wordItem(entry, { found: game.found, sure: true }))),
    ];
  });
  if ($("define").checked) addDefinitions(textOf(list));
}

/** Put the definition under each answer. */
async function addDefinitions(words) {
  try {
    const glosses = await glossesOf(words);
    const lists = $("words").querySelectorAll("ol.words");
    for (const list of lists) list.classList.add("defined");
    for (const item of $("words").querySelectorAll("li[data-word]")) {
      if (item.querySelector(".glosses")) continue;
      const found = glosses.get(item.dataset.word);
      item.append(found ? glossList(found, filterAt() < 0) : el("span.glosses", {}, "no definition"));
    }
  } catch (error) {
    $("words").prepend(el("p.wrong", { role: "alert" }, error.message));
  }
}

/** Copy text; true when the browser did. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

async function copyAnswers() {
  const list = [...current().answers].sort(ORDERS[$("order").value]);
  const text = list.map((entry) => entry.word + (entry.guess ? " ?" : "")).join("\n");
  $("copied").textContent = (await copied(text)) ? "Copied." : "The browser did not allow copying.";
}

/**
 * Share the rank without revealing any word; the link opens the same puzzle. A page that was opened from a disk has no
 * address that another person could open.
 */
async function share() {
  const text = shareText(game.puzzle, textOf(current().answers), game.found);
  const linked = location.protocol !== "file:";
  const url = `${location.href.split("#")[0]}#${game.puzzle.given}`;
  if (navigator.share) {
    try {
      return await navigator.share(linked ? { text, url } : { text });
    } catch (error) {
      if (error.name === "AbortError") return null;
    }
  }
  if (!(await copied(linked ? `${text}\n${url}` : text))) return say(text);
  return say(`Copied: your rank, and ${linked ? "a link to these letters" : "these letters"}.`);
}

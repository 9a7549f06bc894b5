"use strict";
// What opens over a puzzle, or next to it if there is room: found words, hints, answers, ranks, rules and the celebration;
// also sharing and printing. Back closes what is open before it leaves the puzzle.

const wide = matchMedia("(min-width: 56rem)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// ---------------------------------------------------------------- opening and closing

const keepState = (part) => history.replaceState({ ...history.state, ...part }, "");

/** Show a panel of the sheet. On a phone, it is an entry of the history, so that Back closes it. */
function openSheet(name, focus = true) {
  for (const panel of document.querySelectorAll(".panel")) panel.hidden = panel.id !== `panel-${name}`;
  for (const tab of document.querySelectorAll(".tabs [data-sheet]")) tab.setAttribute("aria-expanded", tab.dataset.sheet === name);
  $("sheet-title").textContent = $(`panel-${name}`).dataset.title;
  $("sheet-of").textContent = !game.puzzle ? "" : game.puzzle.date ? dayBrief(game.puzzle.date) : nameOf(game.puzzle);
  if (wide.matches) $("sheet").open = true;
  else if (!$("sheet").open) {
    $("sheet").showModal();
    if (history.state?.sheet) keepState({ sheet: name });
    else history.pushState({ sheet: name }, "");
  } else keepState({ sheet: name });
  $("sheet").scrollTop = 0;
  if (focus) $("sheet-title").focus();
  if (game.puzzle) showPuzzle();
}

/** Close the sheet without changing the history, because an address or Back has already changed it. */
function hideSheet() {
  if ($("sheet").open) $("sheet").close();
  for (const tab of document.querySelectorAll(".tabs [data-sheet]")) tab.setAttribute("aria-expanded", "false");
}

let goingBack = false;
/** Go back by some entries once, even if this is called twice, because the history changes a moment later. */
function goBack(entries = 1) {
  if (goingBack) return;
  goingBack = true;
  history.go(-entries);
}

/** Close the sheet for the player. A second tap in the same place does not reach what is under it. */
function closeSheet() {
  hideSheet();
  document.body.classList.add("closing");
  setTimeout(() => document.body.classList.remove("closing"), 350);
  if (history.state?.sheet) goBack();
}

/** The panel that is open, or "". */
const openPanel = () => ($("sheet").open ? document.querySelector(".panel:not([hidden])").id.slice(6) : "");

/** Open or close the sheet: next to the game it is always open; over the game, only if the history says so. */
function fitSheet() {
  const name = history.state?.sheet;
  if (wide.matches) {
    if ($("sheet").open && openPanel() === (name ?? openPanel()) && !$("sheet").matches(":modal")) return;
    hideSheet();
    openSheet(name ?? "found", false);
  } else if (name) {
    if (openPanel() !== name || !$("sheet").matches(":modal")) {
      hideSheet();
      openSheet(name, false);
    }
  } else hideSheet();
}

/** Fill the open panel for the current puzzle and the found words. */
function showSheets(answers, words) {
  const line = words.length ? totals(words, game.puzzle) : "The list has no words for these letters.";
  for (const id of ["totals", "answers-totals"]) {
    $(id).replaceChildren(...line.split(/(?<=,) /).flatMap((part, at) => [at ? " " : "", el("span", {}, part)]));
  }
  showFiltered(answers);
  if (!$("panel-found").hidden) showFound();
  if (!$("panel-hints").hidden) showHints();
  if (!$("panel-answers").hidden) showAnswers();
}

/** Fill a folded part if it is open, and empty it otherwise. */
function fold(id, make) {
  const body = $(id).querySelector(".body");
  body.replaceChildren(...($(id).open ? make(body) : []));
}

/** Show how many words the filter hides, and why there is no certain pangram. */
function showFiltered(answers) {
  const every = [...game.spelled.values()],
    certain = every.filter((entry) => entry.tier !== "review");
  const left = certain.filter((entry) => !shown(entry));
  $("filter-said").hidden = !left.length;
  $("filter-said").textContent =
    `Your filter hides ${count(left.length, "word")}. The official totals may count ${left.length === 1 ? "it" : "them"}.`;
  const guess = answers.find((entry) => entry.guess);
  const missing = game.whole && answers.length > 0 && !answers.some((entry) => pangram(entry.word) && !entry.guess);
  $("pangramless").hidden = !missing;
  if (!missing) return;
  const hidden = left.some((entry) => pangram(entry.word));
  const says = hidden
    ? "Every puzzle has a pangram. Your filter hides the only one on the list."
    : guess
      ? "Every puzzle has a pangram, but the list has none for these letters. The most likely other word was added and is marked with ?."
      : "Every puzzle has a pangram, but the list has none for these letters. Are the letters right?";
  $("pangramless").replaceChildren(el("p", {}, says));
}

// ---------------------------------------------------------------- found words and ranks

function showFound() {
  const entries = [...game.found].map((word) => game.spelled.get(word)).filter((entry) => entry && shown(entry));
  const byOrder = { found: () => [...entries].reverse(), alpha: () => [...entries].sort(byWord), rank: () => [...entries].sort(byRank) };
  $("found-none").hidden = entries.length > 0;
  $("found-choices").hidden = entries.length < 2;
  $("forget").hidden = !game.found.size;
  const doubtful = (entry) => entry.tier === "review" && !entry.guess;
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

function forgetFound() {
  if (!confirm(`Delete the ${count(game.found.size, "word")} found in this puzzle?`)) return;
  for (const kind of ["found", "on"]) shelf.drop(`${kind}:${idOf(game.puzzle)}`);
  game.found = new Set();
  showPuzzle();
  say("Deleted.");
}

const SPARKS = 28;

/** Celebrate that all words are found: show what to do next, with sparks unless the player prefers less motion. */
function celebrate(rank) {
  const { got, most } = progressOf(textOf(current().answers), game.found);
  $("panel-done").dataset.title = `${rank}!`;
  $("done-shared").textContent = "";
  const { now } = streaks(onTime(), puzzleDay());
  $("done-said").textContent = `${nameOf(game.puzzle)}: you found all ${count(got, "word")}, ${count(most, "point")}.${game.puzzle.date && now > 1 ? ` ${now} days in a row.` : ""}`;
  openSheet("done");
  if (!calm.matches) {
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
}

// ---------------------------------------------------------------- hints

/** The words that hints are about: the remaining words, or all words. */
function hinted() {
  const words = textOf(current().answers);
  return $("left-only").checked ? words.filter((word) => !game.found.has(word)) : words;
}

function showHints() {
  const words = hinted(),
    all = textOf(current().answers);
  const letters = $("split").checked ? 3 : 2;
  const none = !words.length;
  $("left-said").textContent = none
    ? all.length ? "You found every word." : ""
    : `${count(words.length, "word")}, ${count(pointsOf(words), "point")}, ${count(words.filter(pangram).length, "pangram")} ` +
      `${words.length < all.length ? "remain" : "in all"}${bingo(all, game.puzzle) ? "; every letter starts a word" : ""}.`;
  for (const part of document.querySelectorAll("#panel-hints .hints")) part.hidden = none;
  if (none) return;
  showHint();
  $("grid").replaceChildren(table(grid(words, all), "First letter down, length across", "grid"));
  for (const cell of $("grid").querySelectorAll("td")) cell.classList.toggle("none", ["0", "-"].includes(cell.textContent));
  $("pairs-title").textContent = `By first ${letters === 3 ? "three" : "two"} letters`;
  $("pairs").replaceChildren(...startLines(words, letters).map((line) => el("li", {}, line.join(" "))));
  fold("starts", () => [el("ul.words.starts", {}, ...veiled(words, Number($("first").value)).map(startItem))]);
  fold("clues", (body) => {
    cluesOf(words).then(
      (clues) => body.replaceChildren(el("ul.clues", {}, ...clues.map(clueItem))),
      (error) => body.replaceChildren(el("p.wrong", { role: "alert" }, error.message)),
    );
    return [el("p.soft", {}, "Loading …")];
  });
}

/** The first letters of a word, a dot for each other letter, and its length. */
const startItem = ([start, length]) => {
  const dots = el("span", { "aria-hidden": "true" }, start + "·".repeat(length - start.length));
  const number = el("small.soft", { "aria-hidden": "true" }, `${length}`);
  return el("li", {}, dots, aloud(`${start.toUpperCase()}, ${length} letters`), " ", number);
};

/** Clues for words, sorted by first letter and length. A word without a usable gloss has the clue "". */
async function cluesOf(words) {
  const known = await sensesOf(words);
  const secret = new Set(textOf(current().answers));
  const clues = words.map((word) => {
    const senses = offensive(word) ? [] : (known.get(word) ?? []);
    return { word, first: word[0], length: word.length, clue: clueOf(senses, word, secret) };
  });
  return clues.sort((one, other) => compare(one.first, other.first) || one.length - other.length || compare(one.clue, other.clue));
}

const clueItem = ({ first, length, clue }) =>
  el("li", {}, el("b", {}, `${first.toUpperCase()} ${length}`), " ", clue || el("span.soft", {}, "no definition"));

/** The hints about one word, in order. `without` are the hints that are no longer useful after a hint. */
const HINTS = {
  clue: { content: ({ clue }) => clue || "It has no definition." },
  first: { content: ({ word }) => `It starts with ${word[0].toUpperCase()}.` },
  two: { content: ({ word }) => `It starts with ${word.slice(0, 2).toUpperCase()}.`, without: ["first"] },
  length: { content: ({ word }) => `It has ${word.length} letters.` },
  jumble: { content: ({ jumble }) => el("b.jumble", {}, jumble), without: ["length"] },
};

/** Give a hint about a remaining word. All hints are about the same word until it is found. */
async function hintOne(kind) {
  const { puzzle } = game;
  try {
    game.hint ??= hintedWord(kind === "clue");
    const hint = await game.hint;
    if (game.puzzle !== puzzle) return;
    game.hint = hint;
    if (!hint.kinds.includes(kind)) hint.kinds.push(kind);
    showHint();
    const content = HINTS[kind].content(hint);
    $("hint-aloud").textContent = content.textContent ?? content;
    if (document.activeElement === document.body) document.querySelector(".asks button:not([hidden])")?.focus();
  } catch (error) {
    game.hint = null;
    $("hint-said").replaceChildren(el("li.wrong", {}, error.message));
    $("hint-aloud").textContent = error.message;
  }
}

/** The word that hints are about; one with a clue if `clued`. */
async function hintedWord(clued) {
  const answers = textOf(current().answers);
  const left = answers.filter((word) => !game.found.has(word));
  const hints = await cluesOf(left).catch((error) => {
    if (clued) throw error;
    return left.map((word) => ({ word, clue: "" }));
  });
  const withClue = hints.filter((hint) => hint.clue);
  const candidates = clued && withClue.length ? withClue : hints;
  const chosen = candidates[Math.floor(Math.random() * candidates.length)];
  return { ...chosen, jumble: jumbled(chosen.word, answers), kinds: [] };
}

function otherHint() {
  game.hint = null;
  showHint();
  document.querySelector("[data-hint]").focus();
}

/** Show the hints about the word, and the buttons for hints that are still useful. */
function showHint() {
  const kinds = game.hint?.kinds ?? [];
  const pointless = new Set(kinds.flatMap((kind) => HINTS[kind].without ?? []));
  const shownKinds = kinds.filter((kind) => !pointless.has(kind));
  $("hint-said").replaceChildren(...shownKinds.map((kind) => el("li", {}, HINTS[kind].content(game.hint))));
  if (kinds.length && !game.hint.clue) pointless.add("clue");
  for (const choice of document.querySelectorAll("[data-hint]")) {
    choice.hidden = kinds.includes(choice.dataset.hint) || pointless.has(choice.dataset.hint);
  }
  $("hint-other").hidden = !kinds.length;
}

// ---------------------------------------------------------------- answers

function showAnswers() {
  $("guarded").hidden = game.revealed;
  $("revealed").hidden = !game.revealed;
  if (!game.revealed) return;
  const { answers, maybe } = current();
  const list = [...answers].sort(ORDERS[$("order").value]);
  const item = (entry) => wordItem(entry, game.found);
  const part = (title, some) => (some.length ? [el("h3", {}, `${title} (${some.length})`), el("ol.words", {}, ...some.map(item))] : []);
  const legend = el("p.small", {}, game.found.size ? "✓ found. " : "", el("em", {}, "Italics:"), " likely, but never tried. Question mark: a guess, not on the list.");
  const byTiers = [
    ...part("core: accepted at the last trial", list.filter((entry) => entry.tier === "core")),
    ...part("likely: never tried", list.filter((entry) => entry.tier === "likely")),
    ...part("a guess", list.filter((entry) => entry.guess)),
  ];
  const found = game.found.size ? [el("p.small", {}, `Your game: ${progressText(progressOf(textOf(list), game.found))}.`)] : [];
  const plain = [...found, ...(list.some((entry) => entry.tier !== "core") ? [legend] : []), el("ol.words", {}, ...list.map(item))];
  $("words").replaceChildren(...($("order").value === "tier" ? byTiers : plain));
  fold("maybe", () => {
    if (!game.whole) return [el("p.soft", {}, "Loading …")];
    if (!maybe.length) return [el("p", {}, "There are none for these letters.")];
    return [
      el("p.small", {}, "Doubtful words that are not on the list, with the probability that they are accepted."),
      el("ol.words", {}, ...maybe.map(doubtfulItem)),
    ];
  });
  if ($("define").checked) addDefinitions(textOf(list));
}

function doubtfulItem(entry) {
  const item = wordItem(entry, game.found);
  item.append(" ", el("small.soft", {}, `${Math.round(100 * entry.p)}%`));
  return item;
}

/** Add its definition under each answer. */
async function addDefinitions(words) {
  try {
    const known = await sensesOf(words);
    const lists = $("words").querySelectorAll("ol.words");
    for (const list of lists) list.classList.add("defined");
    for (const item of $("words").querySelectorAll("li[data-word]")) {
      if (item.querySelector(".glosses")) continue;
      const senses = known.get(item.dataset.word);
      item.append(el("span.glosses", {}, senses ? definition(senses) : "no definition"));
    }
  } catch (error) {
    $("words").prepend(el("p.wrong", { role: "alert" }, error.message));
  }
}

async function copyAnswers() {
  const list = [...current().answers].sort(ORDERS[$("order").value]);
  const text = list.map((entry) => entry.word + (entry.guess ? " ?" : "")).join("\n");
  $("copied").textContent = (await copied(text)) ? "Copied." : "The browser did not allow copying.";
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
      el("ul.steps", {}, ...steps),
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

"use strict";
// A puzzle on the screen: the ring, the typed word, and the rank. What opens over it is in sheets.js, hints.js and answers.js.

// ---------------------------------------------------------------- the puzzle

const game = { puzzle: null, spelled: new Map(), found: new Set(), order: "", typed: "", typedAt: null, revealed: "", hints: null };
const groups = new Map();
const release = { words: false, more: false, guesses: new Map() };

/** The words that each filter leaves out, by its name. */
const hidden = new Map();
/** Whether the chosen filter shows an entry. */
const shown = ({ word }) => !hidden.get($("filter").value)?.has(word);
/** Whether some readers find a word offensive. */
const offensive = (word) => [...hidden.values()].some((words) => words.has(word));
const textOf = (entries) => entries.map((entry) => entry.word);

/** The answers and doubtful words that pass the filter. */
const current = () => answered([...game.spelled.values()].filter(shown), guesses().find(shown));

/** The words among the answers that are not found. */
const remaining = (words) => words.filter((word) => !game.found.has(word));

/** The entries of the found words, in the order in which they were found. */
const foundEntries = () => [...game.found].map((word) => game.spelled.get(word)).filter((entry) => entry && shown(entry));

/** Whether all words of the puzzle are loaded: more.json has those that are rarely possible. */
const isComplete = () => release.more || inPlay(game.puzzle.letters);

/** The pangrams that can be the guess for the letters of the puzzle, if the list has none; the likeliest comes first. */
const guesses = () => release.guesses.get(mask(game.puzzle.letters)) ?? [];

function take(data) {
  indexed(entriesOf(data), groups);
  for (const [name, words] of Object.entries(data.hidden)) hidden.set(name, new Set([...(hidden.get(name) ?? []), ...words]));
}

/** Index the list when it is first needed. */
function firstWords() {
  if (release.words) return;
  release.words = true;
  take(beeWords);
}

/** The listed words that some letters spell and the filter shows. Before more.json is loaded, some may be missing. */
function answersOf(puzzle) {
  firstWords();
  return textOf(solve(groups, puzzle).filter((entry) => listed(entry) && shown(entry)));
}

let reading = null;

/** Load more.json: the words that few puzzles can have, and the doubtful words. */
const moreWords = () =>
  (reading ??= readMore().catch((error) => {
    reading = null;
    throw error;
  }));

async function readMore() {
  const more = await load("more.json");
  firstWords();
  take(more);
  release.guesses = indexed(more.guesses.map((word) => ({ word, tier: "review", guess: true })));
  release.more = true;
  if (game.puzzle) gather();
}

/** What this browser stored about a puzzle: the found words, whether the answers were shown ("" if not), and the hints. */
const readGame = (puzzle) => {
  const id = idOf(puzzle);
  return { found: readFound(id), revealed: shelf.get(`answers:${id}`) ?? "", hints: readHints(id) };
};

/** Read again what this browser stored, for example after another tab changed it, and show it. */
function readAgain() {
  Object.assign(game, readGame(game.puzzle));
  showPuzzle();
}

function openPuzzle(puzzle) {
  Object.assign(game, { puzzle, order: puzzle.given.slice(1), typed: "", ...readGame(puzzle) });
  remember(puzzle.date ?? puzzle.given);
  say("");
  $("several").open = false;
  for (const said of ["typed-aloud", "several-said", "copied"]) $(said).textContent = "";
  showRing();
  showTyped();
  gather();
  showLevel();
  moreWords().catch((error) => say(error.message));
}

/** Find the words that the letters of the puzzle spell. */
function gather() {
  firstWords();
  game.spelled = new Map(solve(groups, game.puzzle).map((entry) => [entry.word, entry]));
  const guessed = answered([...game.spelled.values()], guesses().find(shown)).answers.find((entry) => entry.guess);
  if (guessed) game.spelled.set(guessed.word, guessed);
  showPuzzle();
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
  $("typed").replaceChildren(
    ...[...game.typed].map((letter) => {
      const kind = letter === game.puzzle.center ? "i.mid" : game.puzzle.letters.includes(letter) ? "i" : "i.not";
      return el(kind, {}, letter);
    }),
  );
  $("typed").scrollLeft = $("typed").scrollWidth; // so that the end of a long word is visible
}

/** Show everything that depends on the puzzle and on the found words. */
function showPuzzle() {
  const { answers, maybe } = current();
  const words = textOf(answers);
  showRank(words);
  for (const place of [$("found-count"), $("beside-count")]) place.textContent = words.filter((word) => game.found.has(word)).length;
  showStrip();
  showSheets(answers, maybe);
}

function showRank(words) {
  const { points, most, rank, at, next, steps, done } = progressOf(words, game.found);
  $("rank").textContent = rank;
  $("rank-points").textContent = points;
  const togo = next && most ? `${next.needed - points} to ${next.name}` : "";
  $("rank-next").textContent = togo;
  $("rank-button").setAttribute("aria-label", `Rank: ${rank}, ${count(points, "point")}${togo ? `, ${togo}` : ""}. Show all ranks`);
  const dots = [...$("track-dots").children];
  const share = next && most ? (points - steps[at].needed) / (next.needed - steps[at].needed) : 0; // of the way to the next rank
  $("track-done").style.width = `${(100 * (at + share)) / (dots.length - 1)}%`;
  for (const [place, dot] of dots.entries()) dot.classList.toggle("reached", place <= at);
  showRanks({ points, most, at, next, done });
}

/** Show a dot for each rank on the track, all the same distance apart; Genius has its letter. */
function showDots() {
  const last = rules().ranks.length - 1;
  $("track-dots").replaceChildren(
    ...rules().ranks.map((_, at) => {
      const dot = at === last - 1 ? el("i.genius", {}, "G") : el("i");
      dot.style.left = `${(100 * at) / last}%`;
      return dot;
    }),
  );
}

/** Show the last found words in one line below the buttons. */
function showStrip() {
  const item = (entry) => el(doubtful(entry) ? "em.soft" : pangram(entry.word) ? "b.star" : "span", {}, entry.word);
  const last = foundEntries().slice(-20).reverse().flatMap((entry, at) => [at ? "  " : "", item(entry)]);
  $("strip").replaceChildren(...(last.length ? last : [el("span.soft", {}, "No words yet")]));
}

// ---------------------------------------------------------------- typing and guessing

function say(...parts) {
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

/** Submit the typed word and show the result. */
function enter() {
  const word = game.typed;
  if (!word) return say("Type or tap a word first.");
  const result = judged(word);
  game.typed = "";
  showTyped();
  const raised = isFind(result) ? keepWords([word]) : "";
  if (["unknown", "maybe"].includes(result.kind)) say(`${result.says}. `, linkTo(word, "Why?"));
  else say(`${result.says}.`, el("b", {}, raised));
  $("said").className = result.kind === "good" && pangram(word) ? "good pangram" : result.kind;
  return null;
}

/** Whether a judged word is a new find. */
const isFind = ({ kind }) => ["maybe", "good"].includes(kind);

/** The judgment of a word in this game. After the answers were shown, words no longer count. */
function judged(word) {
  const result = judge(word, game.puzzle, game.spelled, game.found, shown);
  return game.revealed && isFind(result) ? { kind: "late", says: `${word}: right, but words no longer count, as you have seen the answers` } : result;
}

/** Store new words. If they reach a new rank, it is shown, and what to say about it is returned. */
function keepWords(words) {
  const answers = textOf(current().answers);
  const before = progressOf(answers, game.found);
  game.found = addFound(idOf(game.puzzle), words);
  const { date } = game.puzzle;
  if (date && shelf.get(`on:${date}`) === null) shelf.set(`on:${date}`, puzzleDay());
  warnVolatile();
  if (openPanel() === "rules") closeSheet();
  showPuzzle();
  const after = progressOf(answers, game.found);
  if (after.at === before.at) return "";
  raise(after.at);
  return isGenius(after.at) ? ` ${after.rank}!` : ` New rank: ${after.rank}.`;
}

/** Show that a rank is reached, and celebrate Genius and Queen Bee. */
function raise(at) {
  $("rank").classList.remove("raised");
  $("rank").getBoundingClientRect(); // so that the animation starts again
  $("rank").classList.add("raised");
  if (isGenius(at) && isComplete()) celebrate();
}

/** Add many words at once, for example from another device or from paper. */
function addSeveral(text) {
  const words = text.toLowerCase().split(/[\s,;:.*|"'“”‘’()[\]{}<>]+/).filter(Boolean);
  if (!words.length) return "Enter some words first.";
  const good = new Set(words.filter((word) => isFind(judged(word))));
  const old = new Set(words.filter((word) => game.found.has(word)));
  const wrong = words.filter((word) => !good.has(word) && !old.has(word));
  const named = (title, some) => (some.length ? ` ${title}: ${some.slice(0, 10).join(", ")}${some.length > 10 ? " and others" : ""}.` : "");
  const raised = good.size ? keepWords([...good]) : "";
  return `${count(good.size, "new word")} of ${words.length}.${named("Already found", [...old])}${named("Not added", wrong)}${raised}`;
}

function shuffle() {
  game.order = shuffled(game.order);
  showRing();
  $("typed-aloud").textContent = `Shuffled: ${[...game.order.toUpperCase()].join(" ")}`;
}

/** Handle a key on the screen of a puzzle: letters can be typed without a field that has the focus. */
function keyPressed(event) {
  const field = event.target.closest?.("input:not([type=checkbox]), select, textarea, dialog:modal");
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || $("game").hidden || field) return;
  const control = event.target.closest?.("button, a, summary, input");
  const typedHere = game.typed && game.typedAt === control && !control?.matches(".node");
  if (/^[a-z]$/i.test(event.key)) {
    type(event.key.toLowerCase());
    press(event.key.toLowerCase());
    game.typedAt = control;
  } else if (event.key === "Backspace") erase();
  else if (event.key === "Escape" && game.typed) erase(game.typed.length);
  else if (event.key === "Escape" && openPanel() && !event.repeat) closeSheet();
  // After a click on a hint, its button has the focus. Enter then submits a word that was typed after the click.
  else if (event.key === "Enter" && (!control || typedHere)) enter();
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
  key.addEventListener("pointerdown", ({ isPrimary, button }) => {
    if (!isPrimary || button) return;
    stop();
    isHeld = false;
    timer = setTimeout(repeat, 450);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) key.addEventListener(end, stop);
  addEventListener("blur", stop);
  key.addEventListener("click", ({ detail }) => (detail && isHeld) || erase()); // a key has no detail
}

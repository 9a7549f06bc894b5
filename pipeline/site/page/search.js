"use strict";
// Looking words up: the words that match what is typed, and those that resemble an unknown word.

// ---------------------------------------------------------------- matching

/**
 * What a text asks for: a `word` to look up, and the words that match, whose pattern has ? for one letter and * for any
 * letters. `isList` says that the text names only matches: it has ? or *, or the word "pangrams". Otherwise the words
 * that begin with it match.
 */
function readQuery(text) {
  const parts = text.trim().toLowerCase().split(/\s+/);
  const ofPangrams = parts.includes("pangrams");
  const asked = parts.filter((part) => part !== "pangrams").join(" ");
  const isPattern = /[?*]/.test(asked);
  const pattern = isPattern ? asked : `${asked}*`;
  const matcher = matcherOf(pattern);
  return {
    word: isPattern || (ofPangrams && asked) ? "" : asked || (ofPangrams ? "pangrams" : ""),
    isList: isPattern || ofPangrams,
    pattern,
    says: (ofPangrams ? "Pangrams" : "Words") + (isPattern ? ` like ${asked}` : asked && ` that begin with ${asked}`),
    fits: ({ word }) => matcher.test(word) && (!ofPangrams || pangram(word)),
  };
}

function matcherOf(pattern) {
  // "*?*" and "?*" mean the same; of one run of them, a regular expression would try every division.
  const run = (marks) => "[a-z]".repeat(marks.replaceAll("*", "").length) + (marks.includes("*") ? "[a-z]*" : "");
  return new RegExp(`^${pattern.replaceAll(/[^a-z?*]/g, "-").replaceAll(/[?*]+/g, run)}$`);
}

const MAX_NEAR = 5;

/** The words that are one or two edits away from an unknown one, the closest first. */
function nearWords(word, words) {
  const limit = word.length < 6 ? 1 : 2;
  return words
    .filter((other) => Math.abs(other.length - word.length) <= limit)
    .map((other) => ({ other, edits: countEdits(word, other) }))
    .filter(({ edits }) => edits <= limit)
    .sort((one, two) => one.edits - two.edits || compare(one.other, two.other))
    .slice(0, MAX_NEAR)
    .map(({ other }) => other);
}

/** How many letters must be inserted, deleted, replaced, or swapped with the next one, to make one word of another. */
function countEdits(word, other) {
  let before = [],
    row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= word.length; line++) {
    const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const isSame = word[line - 1] === other[column - 1];
      const isSwapped = column > 1 && word[line - 1] === other[column - 2] && word[line - 2] === other[column - 1];
      const swapped = isSwapped ? before[column - 2] + 1 : Infinity;
      next.push(Math.min(row[column - 1] + !isSame, row[column] + 1, next[column - 1] + 1, swapped));
    }
    [before, row] = [row, next];
  }
  return row[other.length];
}

// ---------------------------------------------------------------- the section

const SHOWN = 200; // words at first, and with each click on "Show more"
const MAX_TEXT = 60;
const PAUSE = 700; // milliseconds after the last key, before the number of matches is read out

const queryAddress = (text) => (text.trim() ? `#/why/${encodeURIComponent(text.trim().toLowerCase())}` : "#/why");

/** Show what an address asks for: what is known about a word, the words that match, or both. */
function lookUp(text) {
  if (queryAddress($("word").value) !== queryAddress(text)) $("word").value = text.slice(0, MAX_TEXT);
  const { word, isList } = readQuery($("word").value);
  const matches = isList || !word ? showMatches($("word").value) : clearMatches();
  return Promise.all([matches, word && showWord(word)]);
}

/** Look up what was typed, as an entry of the history. */
function askWord() {
  const address = queryAddress($("word").value);
  if (location.hash === address) route(false);
  else location.hash = address;
}

async function showWord(word) {
  const place = el("div"),
    near = el("div");
  $("why-card").replaceChildren(el("h2", {}, word), place, near);
  await fillKnown(place, word);
  if (!ruleBroken(word) && (await knownOf(word).catch(() => null))) return;
  const { entries } = await everyEntry();
  if (!entries.some((entry) => entry.word === word)) near.append(...nearLinks(nearWords(word, textOf(entries))));
}

const nearLinks = (near) => (near.length ? [el("p", {}, "Did you mean:"), el("ul.chips", {}, ...near.map((word) => el("li", {}, linkTo(word))))] : []);

let sortedEntries = { isWhole: null, entries: [] };

/** The entries of all words that are on the list or doubtful and that the filter shows, A to Z; and what did not load. */
async function everyEntry() {
  firstWords();
  const wrong = await moreWords().then(() => "", ({ message }) => message);
  if (sortedEntries.isWhole !== release.more) sortedEntries = { isWhole: release.more, entries: [...groups.values()].flat().sort(byWord) };
  return { entries: sortedEntries.entries.filter(shown), wrong };
}

function clearMatches() {
  $("matches").dataset.asked = "";
  $("matches").replaceChildren();
}

/** Show the words that match a text; if none does, those that resemble it; without a text, examples. */
function showMatches(text) {
  $("why-card").replaceChildren();
  return fill($("matches"), `${text} ${$("filter").value}`, async () => {
    const loading = everyEntry(); // also without a text, so that it is there when the player types
    if (!text.trim()) return examples();
    const { entries, wrong } = await loading;
    const { word, isList, says, fits } = readQuery(text);
    const found = entries.filter(fits);
    const near = found.length || isList ? [] : nearWords(word, textOf(entries));
    const line = el("p.small", {}, `${says}: ${found.length.toLocaleString("en-US")}`);
    readOut(line, near);
    return [line, ...alertOf(wrong), ...(found.length ? matchList(found) : nearLinks(near))];
  });
}

let readingOut = 0; // the timer of what is read out

/** Have the number of matches read out after a pause, if it is still shown. */
function readOut(line, near) {
  clearTimeout(readingOut);
  const read = () => line.isConnected && ($("matches-aloud").textContent = [line.textContent, ...near].join(", "));
  readingOut = setTimeout(read, PAUSE);
}

function matchList(found) {
  const list = el("ul.words");
  const showUpTo = (end) => {
    list.append(...found.slice(list.children.length, end).map(wordItem));
    more.hidden = end >= found.length;
    more.textContent = `Show ${count(Math.min(SHOWN, found.length - end), "more word")}`;
  };
  const more = button("", () => {
    const old = list.children.length;
    showUpTo(old + SHOWN);
    keepState({ listed: list.children.length });
    list.children[old].querySelector("a").focus({ preventScroll: true });
  });
  showUpTo(history.state?.listed ?? SHOWN);
  const note = (what, says) => el("p.small", {}, el("em", {}, what), says);
  const legend = [
    found.some(doubtful) ? note("Italics:", " a doubtful word that is not on the list.") : "",
    found.some(({ word }) => pangram(word)) ? note("Star:", " a pangram, with seven different letters.") : "",
  ];
  return [...legend, list, more];
}

const EXAMPLES = ["luff", "co??nant", "pangrams", "pangrams in*ing"];
const examples = () => [
  el("p.soft", {}, "For example:"),
  el("ul.chips", {}, ...EXAMPLES.map((text) => el("li", {}, el("a", { href: queryAddress(text) }, text)))),
];

/** Before a match is opened, keep the matches as an entry of the history, to which Back leads. */
function keepMatches(event) {
  const text = $("word").value;
  if (!event.target.closest("a") || !text || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { isList, pattern } = readQuery(text);
  const isFound = $("matches").querySelector(".words");
  history.replaceState(history.state, "", queryAddress(isList || !isFound ? text : pattern));
}

function wordTyped() {
  if (history.state?.listed) keepState({ listed: undefined });
  showMatches($("word").value);
}

function listenToSearch() {
  $("word").addEventListener("input", wordTyped);
  $("matches").addEventListener("click", keepMatches, true);
}

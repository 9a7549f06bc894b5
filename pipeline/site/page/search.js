"use strict";
// Looking words up: the words that match what is typed, and those that resemble an unknown word.

// ---------------------------------------------------------------- matching

/**
 * What a text asks for. With ? (one letter) or * (any letters) or the word "pangrams", these are the words that match it;
 * otherwise it is a word to look up, and the words that begin with it match. `says` names the matches, and `fits` tells
 * whether a word is one of them.
 */
function readQuery(text) {
  const parts = text.trim().toLowerCase().split(/\s+/);
  const pattern = parts.filter((part) => part !== "pangrams").join(" ");
  const ofPangrams = parts.includes("pangrams"),
    isPattern = /[?*]/.test(pattern);
  const how = isPattern ? ` like ${pattern}` : pattern && `${ofPangrams ? "" : " that begin"} with ${pattern}`;
  // "*?*" and "?*" mean the same; of one run of them, a regular expression would try every division.
  const run = (marks) => "[a-z]".repeat(marks.replaceAll("*", "").length) + (marks.includes("*") ? "[a-z]*" : "");
  const shape = pattern.replaceAll(/[^a-z?*]/g, "-").replaceAll(/[?*]+/g, run);
  const matcher = new RegExp(isPattern ? `^${shape}$` : `^${shape}`);
  return {
    word: ofPangrams || isPattern ? "" : pattern,
    says: (ofPangrams ? "Pangrams" : "Words") + how,
    fits: (word) => matcher.test(word) && (!ofPangrams || pangram(word)),
  };
}

const MAX_NEAR = 5;

/** The words that are one or two edits away from an unknown one, the closest first. */
function nearWords(word, words) {
  const limit = word.length < 6 ? 1 : 2;
  return words
    .filter((other) => Math.abs(other.length - word.length) <= limit)
    .map((other) => [countEdits(word, other), other])
    .filter(([edits]) => edits <= limit)
    .sort(([edits, word], [more, other]) => edits - more || compare(word, other))
    .slice(0, MAX_NEAR)
    .map(([, other]) => other);
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

const queryAddress = (text) => `#/why/${encodeURIComponent(text.trim().toLowerCase())}`;

/** Show what an address asks for: what is known about a word, or the words that match. */
function lookUp(text) {
  if (queryAddress($("word").value) !== queryAddress(text)) $("word").value = text;
  const { word } = readQuery(text);
  return word ? showWord(word) : showMatches($("word").value);
}

/** Look up what was typed, as an entry of the history. */
function askWord() {
  const address = queryAddress($("word").value);
  if (location.hash === address) route(false);
  else location.hash = address;
}

async function showWord(word) {
  clearMatches();
  const place = el("div"),
    near = el("div");
  $("why-card").replaceChildren(el("h2", {}, word), place, near);
  await fillKnown(place, word);
  const isKnown = !ruleBroken(word) && (await knownOf(word).catch(() => true));
  if (!isKnown) near.append(...nearLinks(word, await everyEntry()));
}

const nearLinks = (word, entries) => {
  const links = nearWords(word, textOf(entries)).map((other) => el("li", {}, linkTo(other)));
  return links.length ? [el("p", {}, "Did you mean:"), el("ul.chips", {}, ...links)] : [];
};

let entriesInOrder = { more: null, entries: [] };

/** The entries of all words that are on the list or doubtful and that the filter shows, A to Z. */
async function everyEntry() {
  firstWords();
  await moreWords().catch(() => null); // without it, the words of most puzzles are there
  if (entriesInOrder.more !== release.more) entriesInOrder = { more: release.more, entries: [...groups.values()].flat().sort(byWord) };
  return entriesInOrder.entries.filter(shown);
}

function clearMatches() {
  $("matches-said").textContent = "";
  $("matches").replaceChildren();
  $("matches").dataset.asked = "";
}

/** Show the words that match a text; if none does, those that resemble it; without a text, examples. */
function showMatches(text) {
  $("why-card").replaceChildren();
  const { word, says, fits } = readQuery(text);
  return fill($("matches"), `${text} ${$("filter").value}`, async () => {
    const loading = everyEntry(); // also without a text, so that it is there when the player types
    if (!text.trim()) {
      $("matches-said").textContent = "";
      return examples();
    }
    const entries = await loading;
    if ($("word").value.trim() !== text.trim()) return [];
    const found = entries.filter((entry) => fits(entry.word));
    $("matches-said").textContent = `${says}: ${found.length.toLocaleString("en-US")}`;
    return found.length ? matchList(found) : word ? nearLinks(word, entries) : [];
  });
}

function matchList(found) {
  const list = el("ul.words");
  const more = button("", () => showMore());
  let at = 0;
  const showMore = () => {
    list.append(...found.slice(at, at + SHOWN).map(wordItem));
    at += SHOWN;
    more.hidden = at >= found.length;
    more.textContent = `Show ${count(Math.min(SHOWN, found.length - at), "more word")}`;
  };
  showMore();
  const legend = found.some(doubtful) ? [el("p.small", {}, el("em", {}, "Italics:"), " a doubtful word that is not on the list.")] : [];
  return [...legend, list, more];
}

const examples = () => [
  el("p.soft", {}, "For example:"),
  el("ul.chips", {}, ...["luff", "co??nant", "pangrams", "pangrams in*ing"].map((text) => el("li", {}, el("a", { href: queryAddress(text) }, text)))),
];

/** Before a match is opened, keep the matches as an entry of the history, to which Back leads. */
function keepMatches(event) {
  const text = $("word").value;
  if (event.target.closest("a") && text) history.replaceState(history.state, "", queryAddress(readQuery(text).word ? `${text.trim()}*` : text));
}

function listenToSearch() {
  $("word").addEventListener("input", () => showMatches($("word").value));
  $("matches").addEventListener("click", keepMatches, true);
}

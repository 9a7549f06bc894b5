// What is known about a word: looked up by itself, by a pattern or among pangrams, or as a card over a puzzle. Offers
// drawCard, lookUp, listenToLookup.

import { count, isPangram, nearWords, notSpelled, score, whyUnplayable } from "./game.js";
import { dateName } from "./days.js";
import { entryOf, everyEntry, factsOf, isShown, isWhole, list, moreWords, recordText, relativesOf } from "./list.js";
import { setting } from "./saved.js";
import { $, addFact, addressOf, alertOf, button, clear, el, fill, go, goBack, here, leaveFocus, linkTo, puzzleAddress, redraw, shown } from "./page.js";
import { closeFromOutside, game, isOver, remaining } from "./play.js";
import { legendOf, wordItem } from "./board.js";

// ---------------------------------------------------------------- a word

/** Text in which dates are not broken across lines. */
const dated = (text) => text.split(/(\d{4}-\d\d-\d\d)/).map((part, at) => (at % 2 ? el("span.date", {}, part) : part));
const percent = (p) => (p > 0.99 ? "more than 99%" : p < 0.01 ? "less than 1%" : `${Math.round(100 * p)}%`);
const STATUS = { core: ["good", "On the list"], likely: ["good", "On the list"], review: ["doubt", "Doubtful"], refused: ["bad", "Not on the list"] };

const statusOf = (tier) => {
  const [kind, says] = STATUS[tier];
  return el(`p.status.${kind}`, {}, says);
};

/** What is known about a word, the verdict first. `known` is null for a word that the release does not know. */
function cardOf(word, known, relatives, isInGame) {
  const broken = whyUnplayable(word);
  if (broken || !known) {
    const why = broken ? `No puzzle can have it: ${broken}.` : "No official puzzle has accepted it, and no ordinary dictionary has it.";
    return [statusOf("refused"), el("p.verdict", {}, why)];
  }
  const { tier, p, because, estimate, senses, record, flags = [] } = known;
  if (!isShown(word) || flags.some((flag) => list.filters[setting("filter")]?.flags.includes(flag))) return [el("p.verdict", {}, "Your filter hides this word.")];
  const facts = el("dl.facts");
  if (isInGame) addFact(facts, "In this puzzle", inPuzzle(word, tier));
  addFact(facts, "Worth", `${count(score(word), "point")}${isPangram(word) ? ", as a pangram" : ""}`);
  if (estimate) addFact(facts, "Chance", el("meter", { min: 0, max: 1, value: p, "aria-hidden": "true" }), ` ${percent(p)} to be accepted`);
  if (because || estimate) addFact(facts, "Because", ...dated(`${(because ?? estimate).replace(/\.$/, "")}.`));
  if (relatives.length) addFact(facts, "Relatives", ...relatives.flatMap((one, at) => [at ? ", " : "", linkTo(one)]));
  return [
    statusOf(tier),
    record || estimate ? el("p.verdict", {}, recordText(record)) : "",
    senses ? senseList(senses) : el("p.soft", {}, "No definition."),
    record ? recordBar(record) : "",
    facts,
    el("details", {}, el("summary", {}, "Details"), el("div.body", {}, details(word, known))),
  ];
}

function senseList(senses) {
  const item = ({ pos, gloss, form, base }) => el("li", {}, el("span.soft", {}, pos), ...(base ? [`, ${form} of `, linkTo(base)] : []), `: ${gloss}`);
  return el("ul.plain", {}, ...senses.map(item));
}

/** The record of a word as a bar: in how many of the puzzles that could have it, it was accepted. */
function recordBar({ offered, accepted, first_accepted: first, last_refused: refused }) {
  const bar = el("span.bar");
  bar.style.setProperty("--far", `${(100 * accepted) / offered}%`);
  const dates = [first && `first accepted ${dateName(first)}`, refused && `last refused ${dateName(refused)}`].filter(Boolean);
  return el("p.record", {}, bar, el("b", {}, `${accepted.toLocaleString("en-US")} of ${offered.toLocaleString("en-US")}`), el("span.small", {}, dates.join(", ")));
}

/** The other facts about a word. */
function details(word, { tier, p, because, estimate, record, flags = [] }) {
  const facts = el("dl.facts");
  if (record && !because) addFact(facts, "Chance the next time", percent(p));
  for (const flag of flags) addFact(facts, "Flag", list.flags[flag]);
  if (isPangram(word)) {
    const letters = [...new Set(word)].sort();
    const link = (center) => el("a", { href: `#${center}${letters.filter((letter) => letter !== center).join("")}` }, center.toUpperCase());
    addFact(facts, "Its puzzles", "with center ", ...letters.flatMap((center, at) => [at ? ", " : "", link(center)]));
  }
  addFact(facts, "Tier", tier);
  if (list.repository) addFact(facts, "Wrong?", reportLink(word, tier, because ?? estimate, flags));
  return facts;
}

function inPuzzle(word, tier) {
  const wrong = notSpelled(word, game.puzzle);
  if (wrong) return `not an answer: ${wrong}`;
  if (game.answers.some((entry) => entry.word === word && entry.guess)) return "a guess: the most likely pangram";
  return { review: "it may be an answer", refused: "not an answer, although its letters fit" }[tier] ?? "an answer";
}

/** A link that opens an issue about a word, with the known facts filled in. */
function reportLink(word, tier, because = "its record", flags) {
  const body =
    `Word: ${word}\nTier: ${tier}\nReason: ${because}\nFlags: ${flags.join(", ") || "none"}\nRelease: ${list.version}\n\n` +
    "What is wrong, and how can we check it?\n";
  const asked = new URLSearchParams({ title: `Word: ${word}`, body });
  return el("a", { href: `${list.repository}/issues/new?${asked}`, rel: "noreferrer" }, "Report this word");
}

/** What the list says about a word whose record did not load: nothing if the filter hides it, or if the list is not whole. */
function statusOfList(word) {
  const entry = entryOf(word);
  if (!(entry ? isShown(word) : isWhole())) return [];
  return [statusOf(entry?.tier ?? "refused")];
}

/** Fill a place with what is known about a word. In a game, no answer that is to be found is a relative. Resolves when it is there. */
function fillKnown(place, word, isInGame) {
  const secret = isInGame && !isOver() ? remaining() : [];
  return fill(place, [word, isInGame && puzzleAddress(game.puzzle), secret.length, setting("filter"), isWhole()].join(" "), async () => {
    const { facts, wrong } = await factsOf(whyUnplayable(word) ? [] : [word]);
    if (wrong) return [...statusOfList(word), ...alertOf(wrong)];
    const known = facts.get(word) ?? null;
    const relatives = known ? await relativesOf(word) : [];
    return cardOf(word, known, relatives.filter((one) => !secret.includes(one)), isInGame);
  });
}

// ---------------------------------------------------------------- the card over a puzzle

/** Show the card of the word that the address names, or close it. */
export function drawCard({ word }) {
  const card = $("card");
  if (!word) {
    if (card.open) {
      card.close();
      leaveFocus();
    }
    return null;
  }
  const isNew = !card.open || $("card-title").textContent !== word;
  $("card-title").textContent = word;
  if (isNew) {
    card.close();
    card.showModal();
    card.scrollTop = 0;
    $("card-title").focus();
  }
  return fillKnown($("card-said"), word, true);
}

/** Close the card and those below it, from which it was opened. */
function closeCard() {
  const { puzzle, panel, part } = shown();
  goBack(addressOf({ puzzle, panel, part }));
}

/** Open the card of a word whose link was clicked on a puzzle, unless the player wants a new tab. */
function wordClicked(event) {
  const word = event.target.closest("a[data-card]")?.dataset.card;
  if (!word || $("game").hidden || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { puzzle, panel, part } = shown();
  go(addressOf({ puzzle, panel, part, word }));
}

// ---------------------------------------------------------------- matching

/**
 * What a text asks for: a `word` to look up, and the words that match, whose pattern has ? for one letter and * for any
 * letters. `isList` says that the text names only matches: it has ? or *, or the word "pangrams". Otherwise the words
 * that begin with it match.
 */
function readQuery(text) {
  const parts = text.trim().toLowerCase().replaceAll(".", "?").split(/\s+/);
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
    fits: ({ word }) => matcher.test(word) && (!ofPangrams || isPangram(word)),
  };
}

function matcherOf(pattern) {
  // "*?*" and "?*" mean the same; of one run of them, a regular expression would try every division.
  const run = (marks) => "[a-z]".repeat(marks.replaceAll("*", "").length) + (marks.includes("*") ? "[a-z]*" : "");
  return new RegExp(`^${pattern.replaceAll(/[^a-z?*]/g, "-").replaceAll(/[?*]+/g, run)}$`);
}

// ---------------------------------------------------------------- the section

const SHOWN = 200; // words at first, and with each click on "Show more"
const MAX_TEXT = 60;
const PAUSE = 700; // milliseconds after the last key, before the number of matches is read out

const queryAddress = (text) => (text.trim() ? `/why/${encodeURIComponent(text.trim().toLowerCase())}` : "/why");
let typedSince = false; // whether the player typed after the address was opened

/** Show what an address asks for: what is known about a word, the words that match, or both. */
export function lookUp(text) {
  if (!typedSince && queryAddress($("word").value) !== queryAddress(text)) $("word").value = text.slice(0, MAX_TEXT);
  typedSince = false;
  $("matches-aloud").textContent = "";
  const asked = text.slice(0, MAX_TEXT);
  const { word, isList } = readQuery(asked);
  if (isList || !word) showMatches(asked);
  else clear($("matches"));
  if (word) return showWord(word);
  return clear($("why-card"));
}

/** Look up what was typed, as an entry of the history. */
function askWord() {
  typedSince = false;
  const address = queryAddress($("word").value);
  return location.hash === `#${address}` ? redraw() : go(address);
}

async function showWord(word) {
  const address = here();
  const place = el("div"),
    near = el("div");
  $("why-card").dataset.asked = word;
  $("why-card").replaceChildren(el("h2.word", {}, word), place, near);
  await fillKnown(place, word, false);
  if (whyUnplayable(word) || !place.querySelector(".bad")) return;
  await moreWords().catch(() => null);
  if (here() === address && !entryOf(word)) near.append(...nearLinks(nearWords(word, everyEntry().map((entry) => entry.word))));
}

const nearLinks = (near) => (near.length ? [el("p", {}, "Did you mean:"), el("ul.chips", {}, ...near.map((word) => el("li", {}, linkTo(word))))] : []);

/** Show the words that match a text; if none does, those that resemble it; without a text, examples. */
function showMatches(text) {
  clear($("why-card"));
  return fill($("matches"), `${text} ${setting("filter")}`, async () => {
    const loading = moreWords().then(() => "", ({ message }) => message); // also without a text, so that it is there when the player types
    if (!text.trim()) return examples();
    const wrong = await loading;
    const entries = everyEntry();
    const { word, isList, says, fits } = readQuery(text);
    const found = entries.filter(fits);
    const near = found.length || isList ? [] : nearWords(word, entries.map((entry) => entry.word));
    const line = el("p.small", {}, `${says}: ${found.length.toLocaleString("en-US")}`);
    readOut(line, near);
    return [line, ...alertOf(wrong), ...(found.length ? matchList(text, found) : nearLinks(near))];
  });
}

let readingOut = 0; // the timer of what is read out

/** Have the number of matches read out after a pause, if it is still shown. */
function readOut(line, near) {
  clearTimeout(readingOut);
  const read = () => line.isConnected && ($("matches-aloud").textContent = [line.textContent, ...near].join(", "));
  readingOut = setTimeout(read, PAUSE);
}

const shownOf = new Map(); // how many words were shown, by what they match

function matchList(text, found) {
  const words = el("ul.words");
  const showUpTo = (end) => {
    shownOf.set(text, end);
    words.append(...found.slice(words.children.length, end).map(wordItem));
    more.hidden = end >= found.length;
    more.textContent = `Show ${count(Math.min(SHOWN, found.length - end), "more word")}`;
  };
  const more = button("", () => {
    const old = words.children.length;
    showUpTo(old + SHOWN);
    words.children[old].querySelector("a").focus({ preventScroll: true });
  });
  showUpTo(shownOf.get(text) ?? SHOWN);
  return [...legendOf(found), words, more];
}

const EXAMPLES = ["luff", "co??nant", "pangrams", "pangrams in*ing"];
const examples = () => [
  el("p.soft", {}, "For example:"),
  el("ul.chips", {}, ...EXAMPLES.map((text) => el("li", {}, el("a", { href: `#${queryAddress(text)}` }, text)))),
];

/** Before a match is opened, keep the matches as an entry of the history, to which Back leads. */
function keepMatches(event) {
  const text = $("word").value;
  if (!event.target.closest("a") || !text || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { isList, pattern } = readQuery(text);
  const isFound = $("matches").querySelector(".words");
  typedSince = false;
  history.replaceState(history.state, "", `#${queryAddress(isList || !isFound ? text : pattern)}`);
}

export function listenToLookup() {
  $("word").addEventListener("input", () => {
    typedSince = true;
    showMatches($("word").value);
  });
  $("matches").addEventListener("click", keepMatches, true);
  $("why-form").addEventListener("submit", (event) => {
    event.preventDefault();
    askWord();
  });
  $("card-close").addEventListener("click", closeCard);
  closeFromOutside($("card"), closeCard);
  document.addEventListener("click", wordClicked);
}

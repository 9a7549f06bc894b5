// The found words: as a board, with a slot for each word that is not found; and words in lists. Offers wordItem, legendOf,
// drawBoard.

import { compare, isPangram, isPerfect, starred } from "./game.js";
import { isDoubtful } from "./list.js";
import { $, aloud, button, el, linkTo, wide } from "./page.js";
import { closePanel, game, isFound, isOver, keep } from "./play.js";

/** An entry in a list of words, with stars and the mark of a guess. */
export function wordItem({ word, guess, tier }) {
  const item = el("li", { "data-word": word }, linkTo(word));
  const stars = starred(word);
  if (stars) item.append(el("span.star", { "aria-hidden": "true" }, stars), aloud(stars === " **" ? " perfect pangram" : " pangram"));
  if (guess) item.append(el("span.guess", { title: "A guess: the list has no pangram for these letters" }, " ?"), aloud(" a guess"));
  if (isDoubtful({ tier, guess })) item.classList.add("doubtful");
  return item;
}

/** What the marks of a list of words mean, for those that appear in it. */
export function legendOf(entries) {
  const marks = {
    "*": [entries.some(({ word }) => isPangram(word)), "a pangram, which uses all seven letters"],
    "**": [entries.some(({ word }) => isPerfect(word)), "a perfect one, which uses each of them once"],
    "?": [entries.some(({ guess }) => guess), "a guess, not on the list"],
    Italics: [entries.some(isDoubtful), "a doubtful word, not on the list; it may be accepted"],
  };
  const used = Object.entries(marks).filter(([, [isUsed]]) => isUsed);
  return used.length ? [el("p.legend.small", {}, ...used.map(([mark, [, says]]) => el("span", {}, el("b", {}, mark), ` ${says}`)))] : [];
}

// ---------------------------------------------------------------- the board

/** Show the board where it can be seen: the found words, and a slot for each word that is not found, by first letter and length. */
export function drawBoard({ panel }) {
  if (!wide.matches && panel !== "found") return;
  const focused = document.activeElement?.closest("#board") && document.activeElement.dataset.slot;
  const { seen } = game.record;
  const doubtful = game.maybe.filter(({ word }) => isFound(word));
  const state = JSON.stringify([game.record, game.answers, doubtful]);
  if ($("board").dataset.state === state) return; // the focus stays on the word whose card was opened
  $("board").dataset.state = state;
  const byPlace = (one, other) => compare(one.word[0], other.word[0]) || one.word.length - other.word.length || isFound(other.word) - isFound(one.word) || compare(one.word, other.word);
  const groups = new Map();
  for (const entry of [...game.answers].sort(byPlace)) groups.set(entry.word[0], [...(groups.get(entry.word[0]) ?? []), entry]);
  const group = ([first, entries]) => {
    const got = entries.filter(({ word }) => isFound(word)).length;
    const head = el("h3", {}, first.toUpperCase(), " ", el("small", {}, `${got} of ${entries.length}`));
    return el("div.group", {}, head, el("ul", {}, ...entries.map((entry) => (isFound(entry.word) ? wordItem(entry) : seen ? missedItem(entry) : slotItem(entry.word, entries)))));
  };
  $("board").hidden = seen === "solved";
  $("board").replaceChildren(...[...groups].map(group));
  $("doubtful").replaceChildren(...(doubtful.length ? [el("h3", {}, "May be accepted, without points"), el("ul", {}, ...doubtful.map(wordItem))] : []));
  $("board-legend").replaceChildren(...legendOf([...game.answers.filter(({ word }) => isFound(word) || seen), ...doubtful]));
  $("board-said").hidden = isOver();
  if (focused) $("board").querySelector(`[data-slot="${focused}"]`)?.focus({ preventScroll: true });
}

function missedItem(entry) {
  const item = wordItem(entry);
  item.classList.add("missed");
  item.append(aloud(" missed"));
  return item;
}

/** A slot for a word that is not found. It opens the clue of the word. */
function slotItem(word, group) {
  const told = game.record.told[word] ?? 0;
  const start = told > 1 ? word.slice(0, 2).toUpperCase() : "";
  const slot = button(start || `${word.length}`, () => tell(word, told), "button.slot");
  slot.style.setProperty("--letters", word.length);
  slot.dataset.slot = `${word[0]} ${group.findIndex((entry) => entry.word === word)}`;
  slot.setAttribute("aria-label", `${start || word[0].toUpperCase()}, ${word.length} letters, not found: show its clue`);
  slot.setAttribute("aria-pressed", game.record.pinned === word);
  return el("li", {}, slot);
}

/** Show the clue of a word above the ring, which a sheet over the game would cover. */
function tell(word, told) {
  keep({ pinned: word, told: { [word]: Math.max(told, 1) } });
  if (!wide.matches) closePanel();
}

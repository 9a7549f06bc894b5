// How a game ends: the rank, what was found and missed, and sharing; for a solver, a plain list of the words. Also the
// puzzle on paper. Offers drawAnswers, listenToEnding.

import { byRank, compare, count, isGenius, isPangram, pointsOf, ranks } from "./game.js";
import { dayShort, hoursToNext, puzzleDay } from "./days.js";
import { summary } from "./clues.js";
import { byRarity, definition, factsOf, isWhole, nameOf } from "./list.js";
import { dropGame, idOf, setSetting, setting } from "./saved.js";
import { $, alertOf, copied, el, fill, go, onClick, puzzleAddress, redraw, ringPicture } from "./page.js";
import { comesNext, hintsOf, openPractice, streak } from "./archive.js";
import { answerWords, closePanel, game, isFound, isOver, keep, progressHere, readAgain, say } from "./play.js";
import { legendOf, wordItem } from "./board.js";
import { bingoText } from "./hints.js";

export function drawAnswers({ panel }) {
  nameNext();
  if (panel !== "answers") return;
  const words = answerWords();
  const isSolved = game.record.seen === "solved";
  const { at, rank } = progressHere();
  const isReached = isGenius(at) && !isSolved;
  if (isReached) $("sheet-title").textContent = `${rank}!`;
  $("answers-said").textContent = words.length ? `${summary(words)}.${bingoText(words)}` : "The list has no words for these letters.";
  $("ending").hidden = isSolved || !(isReached || isOver());
  if (!$("ending").hidden) showEnding();
  $("guarded").hidden = isOver();
  $("revealed").hidden = !isOver();
  if (!isOver()) return;
  $("answers-choices").hidden = !isSolved;
  if (isSolved) showSolved();
  else showMissed();
  $("maybe").querySelector(".body").replaceChildren(...($("maybe").open ? doubtfulWords() : []));
}

/** Show the answers. Words that are found after that no longer count. */
function reveal() {
  keep({ seen: "shown" });
  $("sheet-title").focus({ preventScroll: true }); // the button is hidden now
}

// ---------------------------------------------------------------- the ending of a game

/** Show what the player reached: the rank, the rarest word, hints, the streak, and when the next puzzle comes. */
function showEnding() {
  const { got, of, points, most, rank } = progressHere();
  const hints = hintsOf(game.record);
  const { now } = streak();
  const isToday = game.puzzle.date === puzzleDay();
  $("ending-said").textContent = `${rank}: ${got.length} of ${count(of, "word")}, ${points} of ${count(most, "point")}.`;
  const facts = {
    Hints: hints ? count(hints, "hint") : "none",
    ...(isToday && now ? { Streak: count(now, "day") } : {}),
    ...(isToday ? { "Next puzzle": `in ${count(hoursToNext(), "hour")}` } : {}),
  };
  $("ending-facts").replaceChildren(...Object.entries(facts).flatMap(([term, text]) => [el("dt", {}, term), el("dd", {}, text)]));
  $("keep-going").hidden = isOver();
  $("ending-next").hidden = !isOver();
  $("preview").textContent = shareText();
  fill($("rarest"), got.join(" "), async () => {
    const { facts: known, wrong } = await factsOf(got);
    const [word] = [...got].sort(byRarity(known));
    return word && !wrong ? ["Rarest word found: ", el("b", {}, word)] : [];
  });
}

/** A player's result as text that reveals no word. */
function shareText() {
  const { got, of, points, most, rank } = progressHere();
  const pangrams = got.filter(isPangram).length;
  const hints = hintsOf(game.record);
  const parts = [rank, `${got.length} of ${count(of, "word")}`, `${points} of ${count(most, "point")}`];
  if (pangrams) parts.push(count(pangrams, "pangram"));
  return `Bee Words, ${nameOf(game.puzzle)}: ${[...parts, hints ? count(hints, "hint") : "no hints"].join(", ")}`;
}

/** Share the result, and a link to the puzzle. */
async function share() {
  const text = shareText();
  const url = `${location.href.split("#")[0]}#${puzzleAddress(game.puzzle)}`;
  if (navigator.share) {
    try {
      return await navigator.share({ text, url });
    } catch (error) {
      if (error.name === "AbortError") return null;
    }
  }
  const whole = `${text}\n${url}`;
  const said = (await copied(whole)) ? "Copied: your rank, and a link to this puzzle." : `This browser did not allow copying: ${whole}`;
  $("shared").textContent = said;
  return say(said);
}

/** Name the next puzzle on its buttons. */
function nameNext() {
  const { date, level } = comesNext(game.puzzle);
  const name = date === puzzleDay() ? "Today’s puzzle" : date ? `Play ${dayShort(date)}` : `Next ${level} puzzle`;
  for (const one of document.querySelectorAll("[data-next]")) one.textContent = name;
  const isPractice = !game.puzzle.date && Boolean(game.puzzle.level);
  $("another").hidden = !(isOver() || isPractice);
}

async function openNext() {
  const { date, level } = comesNext(game.puzzle);
  if (date) return go(`daily/${date}`);
  try {
    return await openPractice(level, game.puzzle.letters);
  } catch (error) {
    return say(error.message);
  }
}

/** Delete what the player found and saw of the puzzle. */
function startOver() {
  if (!confirm("Start over? What you found and saw of this puzzle is deleted.")) return;
  dropGame(idOf(game.puzzle));
  readAgain();
  closePanel();
  say("You can start over now.");
  $("game-title").focus({ preventScroll: true }); // the button may be hidden now
}

// ---------------------------------------------------------------- lists of words

/** Show the words that the player missed and found with definitions, the commonest first. */
function showMissed() {
  const words = answerWords();
  fill($("words"), `${game.record.found.join(" ")} of ${words.join(" ")}`, async () => {
    const { facts, wrong } = await factsOf(words);
    const common = [...game.answers].sort((one, other) => byRarity(facts)(other.word, one.word));
    const part = (title, some) => (some.length ? [el("h3", {}, `${title} ${some.length}`), el("ul.words.defined", {}, ...some.map((entry) => definedItem(entry, facts)))] : []);
    const note = wrong ? alertOf(wrong) : [el("p.small", {}, "The most common words come first.")];
    return [...note, ...legendOf(game.answers), ...part("You missed", common.filter(({ word }) => !isFound(word))), ...part("You found", common.filter(({ word }) => isFound(word)))];
  });
}

const ORDERS = { rank: (one, other) => byRank(one.word, other.word), alpha: (one, other) => compare(one.word, other.word) };
const solvedEntries = () => [...game.answers].sort(ORDERS[setting("order")] ?? ORDERS.rank);

/** Show the list of a solver. */
function showSolved() {
  const isDefined = $("define").checked;
  const entries = solvedEntries();
  for (const choice of document.querySelectorAll("[data-order]")) choice.setAttribute("aria-pressed", choice.dataset.order === setting("order", "rank"));
  fill($("words"), `${isDefined} ${entries.map(({ word }) => word).join(" ")}`, async () => {
    const { facts, wrong } = await factsOf(isDefined ? answerWords() : []);
    const item = (entry) => (isDefined ? definedItem(entry, facts) : wordItem(entry));
    return [...alertOf(wrong), ...legendOf(entries), el(isDefined ? "ul.words.defined" : "ul.words", {}, ...entries.map(item))];
  });
}

function definedItem(entry, facts) {
  const item = wordItem(entry);
  const { senses } = facts.get(entry.word) ?? {};
  item.append(el("span.glosses", {}, senses ? definition(senses) : facts.has(entry.word) ? "no definition" : ""));
  return item;
}

/** The doubtful words of the puzzle with their p. */
function doubtfulWords() {
  if (!isWhole()) return [el("p.soft", {}, "Loading …")];
  if (!game.maybe.length) return [el("p", {}, "There are none for these letters.")];
  const item = (entry) => {
    const made = wordItem(entry);
    made.append(" ", el("small.soft", {}, `${Math.round(100 * entry.p)}%`));
    return made;
  };
  return [el("p.small", {}, "How likely each word is to be accepted."), el("ul.words", {}, ...game.maybe.map(item))];
}

async function copyAnswers() {
  const text = solvedEntries().map(({ word, guess }) => word + (guess ? " ?" : "")).join("\n");
  $("copied").textContent = (await copied(text)) ? "Copied." : "The browser did not allow copying.";
}

// ---------------------------------------------------------------- paper

/** Lay out the puzzle for printing: a page to write on, and a separate page with the answers. */
function layOut() {
  const paper = $("paper");
  if ($("game").hidden) return paper.replaceChildren();
  const words = answerWords().sort();
  const { date, level, given } = game.puzzle;
  const about = `${level ? `${level}, ` : ""}${count(words.length, "word")}, ${count(pointsOf(words), "point")}, ${count(words.filter(isPangram).length, "pangram")}`;
  const steps = ranks(pointsOf(words)).map(({ name, needed }) => el("li", {}, name, " ", el("b", {}, `${needed}`)));
  const rules = [...document.querySelectorAll("#panel-rules li")].map((rule) => el("li", {}, rule.textContent));
  const head = (text, says = "") => el("h1", {}, text, " ", el("small", {}, `Bee Words${says}`));
  const title = nameOf(game.puzzle);
  return paper.replaceChildren(
    el(
      "div.page",
      {},
      head(title, ", answers on page 2"),
      ringPicture(given),
      el("p", {}, `${about[0].toUpperCase()}${about.slice(1)}.`),
      el("ol", {}, ...rules),
      el("ul.needed", {}, ...steps),
      el("ol.blanks", {}, ...words.map(() => el("li"))),
    ),
    el(
      "div.page",
      {},
      head(`Answers: ${date ? `${title}, ${given[0].toUpperCase()} ${given.slice(1).toUpperCase()}` : title}`),
      el("ol.words", {}, ...words.map((word) => el("li", {}, isPangram(word) ? el("b", {}, word) : word))),
      el("p", {}, "Bold words are pangrams, which use all seven letters. Not affiliated with The New York Times."),
    ),
  );
}

export function listenToEnding() {
  onClick("share", share);
  onClick("next", openNext);
  onClick("start-over", startOver);
  onClick("print", () => print());
  onClick("order", (order) => (setSetting("order", order), redraw()));
  $("reveal").addEventListener("click", reveal);
  $("keep-going").addEventListener("click", closePanel);
  $("copy").addEventListener("click", copyAnswers);
  $("define").addEventListener("change", redraw);
  $("maybe").addEventListener("toggle", () => $("game").hidden || redraw());
  addEventListener("beforeprint", layOut);
}

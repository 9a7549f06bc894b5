"use strict";
// What is known about a word: as a card over a puzzle, and where words are looked up (search.js).

// ---------------------------------------------------------------- what it says

/** "June 29, 2025"; `short` leaves out the year if it is the current one. */
const dateName = (date, short = false) =>
  written(date, { month: "long", day: "numeric", ...(short && date.slice(0, 4) === puzzleDay().slice(0, 4) ? {} : { year: "numeric" }) });
/** Text in which dates are not broken across lines. */
const dated = (text) => text.split(/(\d{4}-\d\d-\d\d)/).map((part, at) => (at % 2 ? el("span.date", {}, part) : part));
const chance = (p) => (p > 0.99 ? "more than 99%" : p < 0.01 ? "less than 1%" : `${Math.round(100 * p)}%`);

/** How often and when official puzzles accepted or refused a word. Texts of dates sort like dates. */
function recordText({ offered, accepted, last_accepted: last, last_refused: refused }) {
  const times = (number) => (offered === 1 ? "once, on" : `${number} times, last on`);
  if (!accepted) return `refused ${times(offered)} ${dateName(refused)}`;
  const later = refused > last ? `, but refused on ${dateName(refused)}` : "";
  return `accepted ${times(`${accepted} of ${offered}`)} ${dateName(last, !later)}${later}`;
}

/** Whether a word is on the list, and its record, as a sentence. */
function verdictOf({ tier, because, record }) {
  const isListed = listed({ tier });
  const place = isListed ? "On the list" : tier === "review" ? "Doubtful, not on the list" : "Not on the list";
  if (!record && because) return `${place}.`;
  if (!record) {
    const untried = "no official puzzle had its letters yet";
    return isListed ? `Probably accepted: ${untried}.` : `${place}: ${untried}${tier === "refused" ? ", and it is unlikely" : ""}.`;
  }
  const text = recordText(record);
  const wasAccepted = record.accepted > 0 && !(record.last_refused > record.last_accepted);
  if (isListed && wasAccepted) return `${text[0].toUpperCase()}${text.slice(1)}.`;
  return `${place}${isListed !== wasAccepted ? ", although" : ":"} ${text}.`;
}

function senseList(senses) {
  const item = ({ pos, gloss, form, base }) => el("li", {}, el("span.soft", {}, pos), ...(base ? [`, ${form} of `, linkTo(base)] : []), `: ${gloss}`);
  return el("ul.plain", {}, ...senses.map(item));
}

/** What is known about a word, the verdict first. `known` is null for a word that the release does not know. */
function cardOf(word, known) {
  const wrong = ruleBroken(word);
  if (wrong || !known) {
    const why = wrong ? `No puzzle can have it, because ${wrong}.` : "No official puzzle has accepted it, and no ordinary dictionary has it.";
    return [el("p.verdict", {}, "Not on the list."), el("p", {}, why)];
  }
  const { p, because, estimate, senses, record, flags = [] } = known;
  if (flags.some((flag) => beeWords.filters[$("filter").value]?.flags.includes(flag))) return [el("p.verdict", {}, "Your filter hides this word.")];
  const facts = el("dl.facts");
  if (!$("game").hidden) addFact(facts, "In this puzzle", inPuzzle(word, known.tier));
  if (record) addFact(facts, "First accepted", record.first_accepted ? dateName(record.first_accepted) : "never");
  if (record) addFact(facts, "Last refused", record.last_refused ? dateName(record.last_refused) : "never");
  if (estimate) addFact(facts, "Chance of being accepted", chance(p));
  return [
    el("p.verdict", {}, verdictOf(known)),
    because ? el("p", {}, ...dated(`Because: ${because.replace(/\.$/, "")}.`)) : "",
    senses ? senseList(senses) : el("p.soft", {}, "No definition."),
    facts,
    el("details", {}, el("summary", {}, "Details"), el("div.body", {}, details(word, known))),
  ];
}

/** The other facts about a word. */
function details(word, { tier, p, because, estimate, record, flags = [] }) {
  const list = el("dl.facts");
  if (estimate) addFact(list, "Why this chance", `${estimate}.`);
  if (record) addFact(list, "Possible in", count(record.offered, "official puzzle"));
  if (record && !because) addFact(list, "Chance the next time", chance(p));
  addFact(list, "Worth", `${count(score(word), "point")}${pangram(word) ? ", as a pangram" : ""}`);
  for (const flag of flags) addFact(list, "Flag", beeWords.flags[flag]);
  if (pangram(word)) {
    const letters = [...new Set(word)].sort();
    const link = (center) => el("a", { href: `#${center}${letters.filter((letter) => letter !== center).join("")}` }, center.toUpperCase());
    addFact(list, "Its puzzles", "with center ", ...letters.flatMap((center, at) => [at ? ", " : "", link(center)]));
  }
  if (beeWords.repository) addFact(list, "Wrong?", reportLink(word, tier, because ?? estimate, flags));
  return list;
}

function inPuzzle(word, tier) {
  const wrong = notSpelled(word, game.puzzle);
  if (wrong) return `not an answer: ${wrong}`;
  if (game.spelled.get(word)?.guess) return "a guess: the most likely pangram";
  return { review: "it may be an answer", refused: "not an answer, although its letters fit" }[tier] ?? "an answer";
}

/** A link that opens an issue about a word, with the known facts filled in. */
function reportLink(word, tier, because = "its record", flags) {
  const body =
    `Word: ${word}\nTier: ${tier}\nReason: ${because}\nFlags: ${flags.join(", ") || "none"}\nRelease: ${beeWords.version}\n\n` +
    "What is wrong, and how can we check it?\n";
  const asked = new URLSearchParams({ title: `Word: ${word}`, body });
  return el("a", { href: `${beeWords.repository}/issues/new?${asked}`, rel: "noreferrer" }, "Report this word");
}

/** What the list says about a word whose record did not load; "" if the filter hides it, or if the list is not whole. */
function verdictOfList(word) {
  const entry = groups.get(mask(word))?.find((one) => one.word === word);
  if (!(entry ? shown(entry) : release.more)) return "";
  return verdictOf({ tier: entry?.tier ?? "refused", because: "the list" });
}

/** Fill a place with what is known about a word. */
const fillKnown = (place, word) =>
  fill(place, [word, game.puzzle && idOf(game.puzzle), $("game").hidden, $("filter").value].join(" "), async () => {
    const { facts, wrong } = await factsOf(ruleBroken(word) ? [] : [word]);
    return wrong ? [el("p.verdict", {}, verdictOfList(word)), ...alertOf(wrong)] : cardOf(word, facts.get(word) ?? null);
  });

// ---------------------------------------------------------------- the card over a puzzle

/** Show the card that the history names, or close it. */
function fitCard() {
  const word = document.body.dataset.section === "game" ? history.state?.card : "";
  if (!word) return $("card").open && $("card").close();
  $("card-title").textContent = word;
  $("card").close();
  $("card").showModal(); // again, so that it is above a sheet that was opened later
  $("card").scrollTop = 0;
  $("card-title").focus();
  return fillKnown($("card-said"), word);
}

/** Open the card of a word as an entry of the history, so that Back closes it, or returns to the card that named it. */
function openCard(word) {
  history.pushState({ ...history.state, card: word, cards: (history.state?.cards ?? 0) + 1 }, "");
  fitCard();
}

function closeCard() {
  $("card").close();
  if (history.state?.card) goBack(history.state.cards);
}

function listenToCard() {
  $("card-close").addEventListener("click", closeCard);
  $("card").addEventListener("cancel", closeCard);
  closeFromOutside($("card"), closeCard);
  document.addEventListener("click", wordClicked);
}

/** Open the card of a word whose link was clicked on a puzzle, unless the player wants a new tab. */
function wordClicked(event) {
  const word = event.target.closest("a[data-card]")?.dataset.card;
  if (!word || $("game").hidden || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openCard(word);
}

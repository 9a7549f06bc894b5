"use strict";
// The answers of a puzzle: after a game, what was missed and what was found; for a solver, a plain list.

/** Show the answers. Words that are found after that no longer count. `how` is "shown" to a player, or "solved" for a solver. */
function reveal(how) {
  game.revealed = how;
  shelf.set(`answers:${idOf(game.puzzle)}`, how);
  warnVolatile();
  openSheet("answers", { entry: false });
}

/**
 * Show the answers that an address asks for: for a solver, and of an earlier day that was played. The others are only
 * offered, so that no address ends a game.
 */
function openAnswers() {
  const { date } = game.puzzle;
  const isDue = date ? date < puzzleDay() && game.found.size > 0 : !game.found.size;
  if (isDue && !game.revealed && remaining(textOf(current().answers)).length) reveal(date ? "shown" : "solved");
  else openSheet("answers", { entry: false });
}

/** Fill the panel if the player asked for the answers, or found all of them. */
function showAnswers(answers, maybe) {
  const words = textOf(answers);
  $("answers-said").textContent = words.length
    ? `${summary(words)}.${bingoText(words)}`
    : "The list has no words for these letters.";
  const isOver = game.revealed !== "" || (isComplete() && words.length > 0 && !remaining(words).length);
  const isGame = game.revealed !== "solved";
  $("guarded").hidden = isOver;
  $("revealed").hidden = !isOver;
  if (!isOver) return;
  $("answers-choices").hidden = isGame;
  $("over").hidden = !isGame;
  nameNext();
  showWords(answers, isGame);
  const body = $("maybe").querySelector(".body");
  body.replaceChildren(...($("maybe").open ? doubtfulWords(maybe) : []));
}

/** Show the words that a player missed and found, the commonest first and with definitions; or a list for a solver. */
function showWords(answers, isGame) {
  const isDefined = isGame || $("define").checked;
  const words = textOf(answers);
  fill($("words"), [idOf(game.puzzle), $("order").value, isGame, isDefined, ...words, ...game.found].join(" "), async () => {
    const { facts, wrong } = await factsOf(isDefined ? words : []);
    const item = (entry) => (isDefined && !(wrong && !facts.has(entry.word)) ? definedItem(entry, facts) : wordItem(entry));
    const list = (some) => el(isDefined ? "ul.words.defined" : "ul.words", {}, ...some.map(item));
    const part = (title, some) => (some.length ? [el("h3", {}, `${title} ${some.length}`), list(some)] : []);
    const note = (text) => [el("p.small", {}, text)];
    const isFound = ({ word }) => game.found.has(word);
    const common = [...answers].sort(byCommonness(facts));
    return [
      ...alertOf(wrong),
      ...(answers.some(({ guess }) => guess) ? note("Question mark: a guess, not on the list.") : []),
      ...(isGame
        ? [...(wrong ? [] : note("The most common words come first.")), ...part("You missed", common.filter((entry) => !isFound(entry))), ...part("You found", common.filter(isFound))]
        : [list(inOrder(answers))]),
    ];
  });
}

const inOrder = (answers) => [...answers].sort(ORDERS[$("order").value]);

function definedItem(entry, facts) {
  const item = wordItem(entry);
  const { senses } = facts.get(entry.word) ?? {};
  item.append(el("span.glosses", {}, senses ? definition(senses) : "no definition"));
  return item;
}

/** The doubtful words of the puzzle with their p. */
function doubtfulWords(maybe) {
  if (!release.more) return [el("p.soft", {}, "Loading …")];
  if (!maybe.length) return [el("p", {}, "There are none for these letters.")];
  const item = (entry) => {
    const made = wordItem(entry);
    made.append(" ", el("small.soft", {}, `${Math.round(100 * entry.p)}%`));
    return made;
  };
  return [el("p.small", {}, "How likely each word is to be accepted."), el("ul.words", {}, ...maybe.map(item))];
}

async function copyAnswers() {
  const text = inOrder(current().answers).map((entry) => entry.word + (entry.guess ? " ?" : "")).join("\n");
  $("copied").textContent = (await copied(text)) ? "Copied." : "The browser did not allow copying.";
}

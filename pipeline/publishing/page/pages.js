"use strict";
// The other pages: word lookup, flags, the list, and the documents of the release.

/** Load the record once and call back with it. `place` shows a message while it loads. */
async function withRecord(place, then) {
  if (!record.size) place.replaceChildren(el("p.soft", {}, "Loading the record …"));
  try {
    const read = await loadRecord();
    await moreWords();
    if (!record.size) readRecord(read);
    then();
  } catch (error) {
    place.replaceChildren(el("p.wrong", { role: "alert" }, error.message));
  }
}

const record = new Map();

/** Every word of the release by name, each with its own code of flags, record and reason. */
function readRecord(read) {
  const rows = read.rows.split(" ");
  [...release.words, ...release.more, ...unpack(read.list)].forEach((entry, at) => {
    record.set(entry.word, Object.assign(entry, { code: rows[at] }));
  });
}

// ---------------------------------------------------------------- looking a word up

const VERDICTS = {
  core: ["On the list", "tier core"],
  likely: ["On the list", "tier likely"],
  review: ["Doubtful", "not on the list, tier review; it may be accepted"],
  refused: ["Not on the list", "tier refused"],
};

function lookUp(text) {
  const word = text.trim().toLowerCase();
  $("word").value = word;
  if (!word) return $("why-said").replaceChildren(el("p.soft", {}, "Enter any word, for example:"), examples());
  return withRecord($("why-said"), () => {
    $("why-said").replaceChildren(...explained(word));
    if (!ruleBroken(word)) addGlosses(word).then(() => addKin(word));
  });
}

const examples = () =>
  el("ul.chips", {}, ...["luff", "covenant", "canto", "null"].map((word) => el("li", {}, linkTo(word))));

function explained(word) {
  const entry = record.get(word),
    wrong = ruleBroken(word);
  const head = (verdict, rest) => el("p.verdict", {}, `${word}: `, el("b", {}, verdict), `, ${rest}.`);
  if (wrong) return [head("Not on the list", "cannot be in any puzzle"), el("p", {}, `Because ${wrong}.`)];
  const dl = el("dl.facts", { id: "facts" });
  if (!entry) {
    return [
      head("Not on the list", "not in the release"),
      el("p", {}, "No puzzle ever accepted it. Either it is too unlikely, or no word list has it as a common word."),
      dl,
    ];
  }
  facts(entry, dl);
  return [head(...VERDICTS[entry.tier]), el("p", {}, `Because: ${because(entry, beeRecord)}.`), dl, reportLink(entry)];
}

function facts(entry, list) {
  const add = (term, ...parts) => addFact(list, term, ...parts);
  const tried = recordOf(entry.code, beeRecord.since);
  if (tried) {
    add(
      "Record",
      `possible on ${count(tried.offered, "day")}` +
        (tried.first ? `; accepted on ${tried.accepted}, first ${tried.first}, last ${tried.last}` : "; never accepted") +
        (tried.refused ? `; last refused ${tried.refused}` : "; never refused"),
    );
  } else add("Record", "never tried");
  if (entry.p !== null) {
    add("Estimate", `p = ${entry.p.toFixed(2)}`);
    if (reasonOf(entry, beeRecord)[0] === "estimate") speaks(entry, add);
  }
  for (const flag of flagsOf(entry, beeRecord)) {
    add("Flag", el("a", { href: `#/flags/${flag.id}` }, flag.name), ` (${flag.severity}). ${flag.says}`);
  }
  if (game.puzzle) add("In " + game.puzzle.given, inPuzzle(entry));
  add("Worth", `${count(score(entry.word), "point")}${pangram(entry.word) ? ", as a pangram" : ""}`);
  if (pangram(entry.word)) {
    const letters = [...new Set(entry.word)].sort();
    const link = (center) =>
      el("a", { href: `#${center}${letters.filter((letter) => letter !== center).join("")}` }, center.toUpperCase());
    add("Its puzzles", "with center ", ...letters.flatMap((center, at) => [at ? ", " : "", link(center)]));
  }
}

/** The reasons for and against a word that was never tried. */
function speaks(entry, add) {
  const phrases = phrasesOf(entry, beeRecord);
  const side = (mark) => phrases.filter((phrase) => phrase.startsWith(mark)).map((phrase) => phrase.slice(2));
  for (const [term, mark] of [["For it", "+ "], ["Against it", "- "]]) {
    const some = side(mark);
    if (some.length) add(term, some.join(", "));
  }
}

let kin = null;

/** Add which lists have a word, and the tried words that it is made of or that are made of it, with their records. */
async function addKin(word) {
  const list = $("facts");
  if (!list || !record.has(word)) return;
  try {
    kin ??= readKin([...record.keys()].sort(), await loadKin());
    const { size, relatives } = kin.get(word);
    addFact(list, "Lists", size < 100 ? `SCOWL size ${size}` : "in no SCOWL list");
    const item = ({ word: name, relation }) => {
      const other = record.get(name);
      const tried = recordOf(other.code, beeRecord.since);
      return tried ? [el("li", {}, linkTo(name), ` (${relation}) accepted ${tried.accepted} of ${tried.offered}`)] : [];
    };
    const items = [...relatives].sort(byWord).flatMap(item);
    if (items.length) addFact(list, "Relatives", el("ul.plain", {}, ...items));
  } catch (error) {
    addFact(list, "Lists", error.message);
  }
}

/** Add the definition of a word to its facts. */
async function addGlosses(word) {
  const list = $("facts");
  if (!list || !beeWords.glosses) return;
  try {
    const found = (await glossesOf([word])).get(word);
    const apart = ["core", "likely", "review"].includes(record.get(word)?.tier);
    const none = apart ? "none yet" : "this page has definitions for listed and doubtful words only";
    const says = found ? glossList(found, filterAt() < 0) : none;
    addFact(list, "Definition", says);
  } catch (error) {
    addFact(list, "Definition", error.message);
  }
}

/** A link that opens an issue about a word, with what is known of it filled in; nothing when no repository is named. */
function reportLink(entry) {
  if (!beeWords.repository) return "";
  const body =
    `Word: ${entry.word}\nTier: ${entry.tier}\nReason: ${because(entry, beeRecord)}\n` +
    `Flags: ${flagsOf(entry, beeRecord).map((flag) => flag.id).join(", ") || "none"}\nRelease: ${beeWords.version}\n\n` +
    "What is wrong, and where can it be checked?\n";
  const asked = new URLSearchParams({ title: `Word: ${entry.word}`, body });
  return el("p", {}, el("a", { href: `${beeWords.repository}/issues/new?${asked}`, rel: "noreferrer" }, "Report this word"));
}

function inPuzzle(entry) {
  const wrong = notSpelled(entry.word, game.puzzle);
  if (wrong) return `not an answer: ${wrong}`;
  if (game.spelled.get(entry.word)?.guess) return "a guess: the most likely pangram";
  return { review: "it may be an answer", refused: "not an answer, although the letters spell it" }[entry.tier] ?? "an answer";
}

// ---------------------------------------------------------------- flags

const AT_ONCE = 200;

/** The entries with a flag, of the chosen tier; offensive words only when they are asked for. */
function flagged(id) {
  const chosen = $("flags-tier").value;
  const fits = (entry) => (chosen === "listed" ? ["core", "likely"].includes(entry.tier) : entry.tier === chosen);
  const letter = String.fromCharCode(65 + beeRecord.flags.findIndex((flag) => flag.id === id));
  return [...record.values()].filter((entry) => fits(entry) && /^[A-Z]*/.exec(entry.code)[0].includes(letter));
}

function showFlags(id, moved) {
  return withRecord($("flagged"), () => {
    const known = beeRecord.flags.some((flag) => flag.id === id) ? id : "";
    $("catalogue").replaceChildren(
      ...beeRecord.flags.map((flag) => {
        const link = el("a", { href: `#/flags/${flag.id}` }, flag.name);
        if (flag.id === known) link.setAttribute("aria-current", "true");
        const facts = `${flag.severity}, ${count(flagged(flag.id).length, "word")}`;
        return el("li", {}, link, ` `, el("small", {}, facts), el("p.small", {}, flag.says));
      }),
    );
    $("flagged").replaceChildren(...(known ? flaggedWords(known) : [el("p.soft", {}, "Choose a flag to see its words.")]));
    if (moved && known) $("flagged-title").focus();
  });
}

function flaggedWords(id) {
  const all = flagged(id),
    polite = all.filter((entry) => $("rude").checked || !entry.hides).sort(byWord);
  const name = beeRecord.flags.find((flag) => flag.id === id).name;
  const list = el("ol.words");
  const more = button(`Show ${AT_ONCE} more`, () => grow(), "button.quiet");
  const grow = () => {
    const from = list.children.length;
    list.append(...polite.slice(from, from + AT_ONCE).map((entry) => wordItem(entry)));
    more.hidden = list.children.length >= polite.length;
    if (from) list.children[from]?.querySelector("a").focus();
  };
  grow();
  const hidden = all.length - polite.length;
  const rest = hidden ? `; ${hidden} offensive ${hidden === 1 ? "one is" : "ones are"} not shown.` : ".";
  return [
    el("h2", { id: "flagged-title", tabindex: "-1" }, `Words flagged: ${name}`),
    el("p.small", {}, count(polite.length, "word"), rest),
    list,
    more,
  ];
}

// ---------------------------------------------------------------- changes and accuracy: the release's own Markdown

/** Turn `code`, *emphasis* and plain text into nodes; a word of a list entry becomes a link to its reason. */
function inline(text, wordsAreLinks) {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1").split(/(`[^`]+`|\*[^*]+\*)/).map((part) => {
    if (part.startsWith("`"))
      return wordsAreLinks && /^`[a-z]+`$/.test(part) ? linkTo(part.slice(1, -1)) : el("code", {}, part.slice(1, -1));
    return /^\*.+\*$/.test(part) ? el("em", {}, part.slice(1, -1)) : part;
  });
}

/**
 * Read the little Markdown that the release and the report use: headings, lists, tables, plots, paragraphs. With
 * `folded` the part under every second-level heading but the first is a fold.
 */
function markdown(text, folded = false) {
  const made = [];
  let title = "",
    into = made,
    heads = 0;
  const blocks = text.split(/\n{2,}/).map((part) => part.trim()).filter(Boolean);
  for (const block of blocks) {
    const heading = /^(#+) (.*)$/.exec(block),
      plot = /^!\[([^\]]*)\]\(([\w-]+\.svg)\)$/.exec(block);
    if (heading) {
      title = heading[2];
      const part = heading[1].length === 2 && folded && ++heads > 1;
      if (part) {
        into = el("details", {}, el("summary", {}, ...inline(title)));
        made.push(into);
      } else into === made || heading[1].length > 2 ? into[into === made ? "push" : "append"](el("h3", {}, ...inline(title))) : made.push(el("h2", {}, ...inline(title)));
      continue;
    }
    into[into === made ? "push" : "append"](blockOf(block, plot, title));
  }
  return made;
}

function blockOf(block, plot, title) {
  if (plot) return el("img", { src: plot[2], alt: plot[1], loading: "lazy" });
  if (block.startsWith("|")) return table(tableRows(block), title);
  if (!block.startsWith("- ")) return el("p", {}, ...inline(block.replaceAll("\n", " ")));
  const items = block.split(/\n- /).map((item) => el("li", {}, ...inline(item.replace(/^- /, ""), true)));
  return el("ul", {}, ...items);
}

const tableRows = (block) =>
  block
    .split("\n")
    .filter((line) => !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .replace(/^\||\|$/g, "")
        .split("|")
        .map((cell) => cell.trim().replaceAll("_", " ").replaceAll("`", "")),
    );

function showText(section, text, folded = false) {
  const body = $(section).querySelector(".body");
  return withRecord(body, () => body.replaceChildren(el("div.report", {}, ...markdown(text(), folded))));
}

// ---------------------------------------------------------------- the release

/** The files of the release in every format, with sizes and checksums. */
function showDownloads() {
  const files = beeWords.files ?? [];
  $("downloads").replaceChildren(
    el("h2", {}, "Downloads"),
    ...files.map(({ path, says, bytes, sha256 }) =>
      el(
        "div.download",
        {},
        el("a", { href: path, download: "" }, path.split("/").at(-1)),
        el("p.small", {}, ...inline(says), ` ${(bytes / 1000).toLocaleString("en-US", { maximumFractionDigits: 0 })} kB`),
        el("code.sum", {}, sha256),
      ),
    ),
  );
}

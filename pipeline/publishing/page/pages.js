"use strict";
// The other pages: word lookup, flags, the list, and the documents of the release.

const FEW = 20,
  AT_ONCE = 200;

/** Text in which dates are not broken across lines. */
const dated = (text) => text.split(/(\d{4}-\d\d-\d\d)/).map((part, at) => (at % 2 ? el("span.date", {}, part) : part));

/** A list that shows its first items, and a button that shows more. */
function growing(all, item, kind = "ol.words", first = AT_ONCE) {
  const list = el(kind);
  const more = button("", () => grow(AT_ONCE), "button.quiet");
  const grow = (some) => {
    const from = list.children.length;
    list.append(...all.slice(from, from + some).map(item));
    const left = all.length - list.children.length;
    more.hidden = !left;
    more.textContent = `Show ${Math.min(left, AT_ONCE)} more`;
    if (from) list.children[from].querySelector("a")?.focus();
  };
  grow(first);
  return [list, more];
}

/** A part under a heading. It is closed at first; `make` returns its content when it is opened for the first time. */
function folded(level, title, make) {
  const part = el("details", {}, el("summary", {}, el(`h${level}`, {}, title)));
  part.addEventListener("toggle", () => part.open && part.children.length < 2 && part.append(el("div.body", {}, ...make())));
  return part;
}

/** Call `then` when the record, or what `load` loads, is loaded. `place` shows a message in the meantime. */
async function withRecord(place, then, load = readRecord) {
  if (!record.size) place.replaceChildren(el("p.soft", {}, "Loading …"));
  try {
    await load();
    then();
  } catch (error) {
    place.replaceChildren(el("p.wrong", { role: "alert" }, error.message));
  }
}

const record = new Map();

/** Read every word of the release into `record`, with the code of its flags, record and reason. Does this only once. */
async function readRecord() {
  const read = await loadRecord();
  await moreWords();
  if (record.size) return;
  const rows = read.rows.split(" ");
  [...release.words, ...release.more, ...unpack(read.list)].forEach((entry, at) => {
    record.set(entry.word, Object.assign(entry, { code: rows[at], because: read.reasons[read.because[at]] }));
  });
}

// ---------------------------------------------------------------- looking a word up

const VERDICTS = {
  core: ["On the list", "tier core"],
  likely: ["On the list", "tier likely"],
  review: ["Doubtful", "not on the list, tier review, but it may be accepted"],
  refused: ["Not on the list", "tier refused"],
};

function lookUp(text) {
  const word = text.trim().toLowerCase();
  $("word").value = word;
  if (!word) return $("why-said").replaceChildren(...examples());
  return withRecord($("why-said"), () => {
    $("why-said").replaceChildren(...explained(word));
    if ($("facts")) addMore(record.get(word));
  });
}

const examples = () => [
  el("p.soft", {}, "Enter any word, for example:"),
  el("ul.chips", {}, ...["luff", "covenant", "canto", "null"].map((word) => el("li", {}, linkTo(word)))),
];

function explained(word) {
  const entry = record.get(word),
    wrong = ruleBroken(word);
  const head = (verdict, rest) => el("p.verdict", {}, `${word}: `, el("b", {}, verdict), `, ${rest}.`);
  if (wrong) return [head("Not on the list", "cannot be in any puzzle"), el("p", {}, `Because ${wrong}.`)];
  if (!entry) {
    const why = "No puzzle has accepted it. It is too unlikely, or no word list has it as a common word.";
    return [head("Not on the list", "a word that we do not know"), el("p", {}, why)];
  }
  const why = el("p", {}, ...dated(`Because: ${entry.because.replace(/\.$/, "")}.`));
  return [head(...VERDICTS[entry.tier]), why, facts(entry), reportLink(entry)];
}

function facts(entry) {
  const list = el("dl.facts", { id: "facts" });
  const add = (term, ...parts) => addFact(list, term, ...parts);
  if (beeWords.glosses) add("Definition", el("div", { id: "meaning" }, "Loading …"));
  const tried = recordOf(entry.code, beeRecord.since);
  const says = tried
    ? `possible on ${count(tried.offered, "day")}` +
      (tried.first ? `; accepted on ${tried.accepted}, first ${tried.first}, last ${tried.last}` : "; never accepted") +
      (tried.refused ? `; last refused ${tried.refused}` : "; never refused")
    : "never tried";
  add("Record", ...dated(says));
  if (entry.p !== null) add("Estimate", `p = ${entry.p.toFixed(2)}`);
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
  return list;
}

let relativesOf = null; // by word, from kin.js

/** Add what is in other files about a word: its definition, its list, and its relatives. */
async function addMore(entry) {
  const list = $("facts"),
    meaning = $("meaning");
  try {
    if (meaning) meaning.replaceChildren(await meaningOf(entry));
    relativesOf ??= readRelatives([...record.keys()].sort(), await loadRelatives());
    const { size, relatives } = relativesOf.get(entry.word);
    addFact(list, "Lists", size < 100 ? `SCOWL size ${size}` : "in no SCOWL list");
    const item = ({ word, relation }) => {
      const tried = recordOf(record.get(word).code, beeRecord.since);
      return tried ? [el("li", {}, linkTo(word), ` (${relation}) accepted ${tried.accepted} of ${tried.offered}`)] : [];
    };
    const items = [...relatives].sort(byWord).flatMap(item);
    if (items.length) addFact(list, "Relatives", el("ul.plain", {}, ...items));
  } catch (error) {
    addFact(list, "Not loaded", error.message);
  }
}

/** The definition of a word. Definitions of tried words that are not on the list are on the pages without scripts. */
async function meaningOf({ word, tier, code, hides }) {
  const senses = (await glossesOf([word])).get(word);
  if (senses) return senseList(senses);
  if (tier !== "refused" || !recordOf(code, beeRecord.since)) return "none";
  const start = word.slice(0, 2);
  return el("a", { href: `words/${start}${hides ? "-more" : ""}.html#${word}` }, `On the page of words that begin with ${start.toUpperCase()}`);
}

function senseList(senses) {
  const item = ([part, gloss, form, base]) =>
    el("li", {}, el("em", {}, part), ...(base ? [`, ${form} of `, linkTo(base)] : []), `: ${gloss}`);
  return el("ul.plain", {}, ...senses.map(item));
}

/** A link that opens an issue about a word, with the known facts filled in; "" if there is no repository. */
function reportLink(entry) {
  if (!beeWords.repository) return "";
  const body =
    `Word: ${entry.word}\nTier: ${entry.tier}\nReason: ${entry.because}\n` +
    `Flags: ${flagsOf(entry, beeRecord).map((flag) => flag.id).join(", ") || "none"}\nRelease: ${beeWords.version}\n\n` +
    "What is wrong, and how can we check it?\n";
  const asked = new URLSearchParams({ title: `Word: ${entry.word}`, body });
  return el("p", {}, el("a", { href: `${beeWords.repository}/issues/new?${asked}`, rel: "noreferrer" }, "Report this word"));
}

function inPuzzle(entry) {
  const wrong = notSpelled(entry.word, game.puzzle);
  if (wrong) return `not an answer: ${wrong}`;
  if (game.spelled.get(entry.word)?.guess) return "a guess: the most likely pangram";
  return { review: "it may be an answer", refused: "not an answer, although its letters fit" }[entry.tier] ?? "an answer";
}

// ---------------------------------------------------------------- flags

/** The entries of the chosen tier by the id of each of their flags. */
function flagged() {
  const all = new Map(beeRecord.flags.map(({ id }) => [id, []]));
  for (const entry of record.values()) {
    if ((listed(entry) ? "listed" : entry.tier) !== $("flags-tier").value) continue;
    for (const { id } of flagsOf(entry, beeRecord)) all.get(id).push(entry);
  }
  return all;
}

function showFlags(id, moved) {
  return withRecord($("flagged"), () => {
    const all = flagged();
    const known = beeRecord.flags.find((flag) => flag.id === id);
    $("catalogue").replaceChildren(
      ...beeRecord.flags.map((flag) => {
        const link = el("a", { href: `#/flags/${flag.id}`, "aria-current": flag === known }, flag.name);
        const facts = `${flag.severity}, ${count(all.get(flag.id).length, "word")}`;
        return el("li", {}, link, ` `, el("small", {}, facts), el("p.small", {}, flag.says));
      }),
    );
    $("flagged").replaceChildren(
      ...(known ? flaggedWords(known.name, all.get(id)) : [el("p.soft", {}, "Choose a flag to see its words.")]),
    );
    if (moved && known) $("flagged-title").focus();
  });
}

/** The words with a flag. Offensive words are shown only if the reader asks for them. */
function flaggedWords(name, all) {
  const polite = all.filter((entry) => $("rude").checked || !entry.hides).sort(byWord);
  const hidden = all.length - polite.length;
  const rest = hidden ? `; ${count(hidden, "offensive word")} not shown.` : ".";
  return [
    el("h2", { id: "flagged-title", tabindex: "-1" }, `Words flagged: ${name}`),
    el("p.small", {}, count(polite.length, "word"), rest),
    ...growing(polite, (entry) => wordItem(entry)),
  ];
}

// ---------------------------------------------------------------- changes and accuracy: the release's own Markdown

/** The HTML of the simple Markdown of the release and the report. Parts under headings of the levels `folds` are folded. */
function markdown(text, folds, level = 2, name = "") {
  const [before, ...parts] = text.split(RegExp(`^${"#".repeat(level)} `, "m"));
  const under = parts.flatMap((part) => {
    const [title] = part.split("\n", 1);
    const made = () => markdown(part.slice(title.length), folds, level + 1, title);
    return folds.includes(level) ? folded(level, title, made) : [el(`h${level}`, {}, title), ...made()];
  });
  return [...blocks(before, name), ...under];
}

/** Lists, tables, plots and paragraphs. The name of a table is the paragraph before it, or else the heading. */
const blocks = (text, name) =>
  text.split(/\n{2,}/).map((part) => part.trim()).filter(Boolean).flatMap((block) => {
    const [, alt, src] = /^!\[([^\]]*)\]\(([\w-]+\.svg)\)$/.exec(block) ?? [];
    if (src) return el("div.scroll", { tabindex: "0", role: "region", "aria-label": alt }, el("img", { src, alt, loading: "lazy" }));
    if (block.startsWith("|")) return tableOf(block, name);
    if (block.startsWith("- ")) return items(block.slice(2).split(/\n- /));
    if (block.endsWith(":")) name = block.slice(0, -1);
    return el("p", {}, ...inline(block.replaceAll("\n", " ")));
  });

/** A list without the words that the filter hides. */
function items(all) {
  const kept = all.filter((item) => shown(record.get(/^`([a-z]+)`/.exec(item)?.[1]) ?? { hides: 0 }));
  const left = all.length - kept.length;
  return [
    ...growing(kept, (item) => el("li", {}, ...inline(item)), "ul", FEW),
    left ? el("p.small", {}, `Your filter hides ${count(left, "word")}.`) : "",
  ];
}

/** Turn `code`, *emphasis* and plain text into nodes; a word at the start becomes a link to its reason. */
function inline(text) {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1").split(/(`[^`]+`|\*[^*]+\*)/).flatMap((part, at) => {
    if (at === 1 && /^`[a-z]+`: /.test(text)) return linkTo(part.slice(1, -1));
    if (part.startsWith("`")) return el("code", {}, part.slice(1, -1));
    return /^\*.+\*$/.test(part) ? el("em", {}, part.slice(1, -1)) : dated(part);
  });
}

/** A table. If it has many columns and not enough room, it shows the cells of a row below each other. */
function tableOf(block, name) {
  const cells = (line) => line.replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim().replaceAll("`", ""));
  const rows = block.split("\n").filter((line) => !/^[|\s:-]+$/.test(line)).map(cells);
  return table(rows, name, rows[0].length > 4 ? "wide" : "");
}

/** Fill a place. It is filled again only for another filter, so that parts that a reader opened stay open. */
function fill(place, make) {
  if (place.dataset.filter === $("filter").value) return;
  place.dataset.filter = $("filter").value;
  place.replaceChildren(...make());
}

/** The report without its title; its first part is open. */
const showReport = () =>
  withRecord($("report"), () =>
    fill($("report"), () => {
      const made = markdown(beeRecord.report.replace(/^# .*/, ""), [2]);
      made.find((part) => part.localName === "details").open = true;
      return made;
    }),
  );

/** Show the newest changes, with each cause folded, and then those of earlier releases, one level lower. */
function showChanges() {
  return withRecord($("changes-said"), () => {
    const [newest, ...earlier] = beeRecord.changes.split(/^(?=# )/m);
    fill($("changes-said"), () => [
      ...markdown(newest.replace(/^# .*/, ""), [3]),
      ...markdown(earlier.join("").replace(/^#/gm, "##"), [2, 4]),
    ]);
    let words;
    $("changed").oninput = () => searchChanges((words ??= changedWords(beeRecord.changes)));
  });
}

/** The changed words, and how, when and why each changed. */
function changedWords(text) {
  const titles = [];
  return text.split("\n").flatMap((line) => {
    const [, mark, title] = /^(#+) (.*)$/.exec(line) ?? [];
    if (mark) titles[mark.length] = title.replace(/: \d+$/, "");
    const [, word, reason] = /^- `([a-z]+)`: (.*)$/.exec(line) ?? [];
    const version = titles[1].replace("Changes in ", "");
    return word ? [{ word, how: titles[2].toLowerCase(), why: `in ${version}. ${titles[3]}: ${reason}` }] : [];
  });
}

/** Show whether the typed word changed, and below it when and why, with other changed words that begin with it. */
function searchChanges(words) {
  const text = $("changed").value.trim().toLowerCase();
  const found = words.filter(({ word }) => text && word.startsWith(text));
  const same = found.find(({ word }) => word === text);
  const none = [`${text}: no change. `, el("a", { href: `#/why/${text}` }, "Why is it on or off the list?")];
  $("changed-said").replaceChildren(...(same ? [`${text}: ${same.how}.`] : text ? none : []));
  $("changed-like").replaceChildren(...items(found.map(({ word, how, why }) => `\`${word}\`: ${how} ${why}`)));
}

// ---------------------------------------------------------------- the release

/** Show the listed words that the filter allows: `#/list/c` has links to CA, CE, …, and `#/list/ca` has the words. */
function showList(start, moved) {
  showDownloads();
  const list = () => {
    const words = [...release.words, ...release.more].filter((entry) => listed(entry) && shown(entry)).sort(byWord);
    const some = words.filter(({ word }) => start && word.startsWith(start));
    const title = el("h3", { id: "listed-title", tabindex: "-1" }, `${start.toUpperCase()}: ${count(some.length, "word")}`);
    const under = startLinks(words.filter(({ word }) => word[0] === start[0]), 2, start);
    const made = start ? [under, title, ...growing(some, (entry) => wordItem(entry))] : [];
    $("list-words").replaceChildren(startLinks(words, 1, start), ...made);
    if (moved) title.focus();
  };
  return withRecord($("list-words"), list, moreWords);
}

/** Links to words by their first letters, one for each start of this length. */
function startLinks(words, length, chosen) {
  const link = (start) => el("a", { href: `#/list/${start}`, "aria-current": chosen.startsWith(start) }, start.toUpperCase());
  const starts = new Set(words.map(({ word }) => word.slice(0, length)));
  return el("ul.chips.letters", {}, ...[...starts].map((start) => el("li", {}, link(start))));
}

/** The files of the release in every format, with sizes and checksums. */
function showDownloads() {
  const item = ({ path, says, bytes, sha256 }) => [
    el("a", { href: path, download: "" }, path.split("/").at(-1)),
    el("p.small", {}, ...inline(says), ` ${Math.round(bytes / 1000).toLocaleString("en-US")} kB`),
    el("code.sum", {}, sha256),
  ];
  const files = (beeWords.files ?? []).map((file) => el("div.download", {}, ...item(file)));
  $("downloads").replaceChildren(el("h2", {}, "Downloads"), ...files);
}

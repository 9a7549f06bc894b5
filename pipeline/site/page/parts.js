"use strict";
// Parts of the page that many sections use: elements, buttons, tables, entries of words, the picture of a puzzle. Text of
// a release is always set as text, never as HTML.

const $ = (id) => document.getElementById(id);

/** An element. `what` is its tag, followed by its classes after dots; children are elements or text. */
function el(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== "" && child !== null));
  return element;
}

const aloud = (text) => el("span.aloud", {}, text);
/** A link to what is known about a word. On a puzzle, it opens as a card: see card.js. */
const linkTo = (word, text = word) => el("a", { href: `#/why/${word}`, "data-card": word }, text);

/** A button with an action. */
function button(text, act, kind = "button") {
  const element = el(kind, { type: "button" }, text);
  element.addEventListener("click", act);
  return element;
}

/** A sentence that says what is wrong, if anything is. */
const alertOf = (wrong) => (wrong ? [el("p.wrong", { role: "alert" }, wrong)] : []);

let filled = null; // the promise of what was filled last

/**
 * Fill a place with elements that take time to make, unless it already has what is asked for. Only what was asked for last
 * is shown. If something did not load, it is made again the next time.
 */
function fill(place, asked, make) {
  filled = fillWith(place, asked, make);
  return filled;
}

async function fillWith(place, asked, make) {
  if (place.dataset.asked === asked) return;
  place.dataset.asked = asked;
  place.replaceChildren(el("p.soft", {}, "Loading …"));
  const made = await make();
  if (place.dataset.asked !== asked) return;
  place.replaceChildren(...made);
  if (place.querySelector(".wrong")) place.dataset.asked = "";
}

/** A table, which can be scrolled if it is too wide. */
function table(rows, caption, kind) {
  const cells = (row, heads) =>
    row.map((cell, at) => {
      const scope = cell === "" ? "" : heads ? "col" : at === 0 ? "row" : "";
      const empty = ["-", 0].includes(cell) ? "td.none" : "td";
      return el(scope ? "th" : empty, scope ? { scope } : {}, cell);
    });
  return el(
    "div.scroll",
    { tabindex: "0", role: "region", "aria-label": caption },
    el(
      `table.${kind}`,
      {},
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, ...cells(rows[0], true))),
      el("tbody", {}, ...rows.slice(1).map((row) => el("tr", {}, ...cells(row, false)))),
    ),
  );
}

/** An entry in a list of words, with stars and the mark of a guess. */
function wordItem(entry) {
  const item = el("li", { "data-word": entry.word }, linkTo(entry.word));
  const stars = starred(entry.word);
  if (stars)
    item.append(
      el("span.star", { "aria-hidden": "true" }, stars),
      aloud(stars === " **" ? " perfect pangram" : " pangram"),
    );
  if (entry.guess) item.append(el("span.guess", { title: "A guess: the list has no pangram for these letters" }, " ?"), aloud(" a guess"));
  if (doubtful(entry)) item.classList.add("doubtful");
  return item;
}

/** The positions of the letters in a picture, the center first, in percent of its size. */
const PLACES = [[50, 50], [50, 14], [81.2, 32], [81.2, 68], [50, 86], [18.8, 68], [18.8, 32]];

/** The ring of a puzzle as a picture: its letters in circles at the corners of a hexagon. */
function ringPicture(letters) {
  const { namespaceURI } = document.querySelector("svg");
  const make = (tag, attributes, ...children) => {
    const element = document.createElementNS(namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };
  const node = (letter, at) => {
    const [x, y] = PLACES[at];
    const circle = make("circle", { cx: x, cy: y, r: at ? 12 : 14 });
    return make("g", at ? {} : { class: "center" }, circle, make("text", { x, y: y + (at ? 3.6 : 4.4), "text-anchor": "middle" }, letter.toUpperCase()));
  };
  return make(
    "svg",
    { viewBox: "0 0 100 100", class: "picture", "aria-hidden": "true", focusable: "false" },
    make("path", { d: "M50 14 81.2 32V68L50 86 18.8 68V32Z" }),
    make("path", { class: "spokes", d: "M50 14V86M81.2 32 18.8 68M18.8 32 81.2 68" }),
    ...[...letters].map(node),
  );
}

const addFact = (list, term, ...parts) => list.append(el("dt", {}, term), el("dd", {}, ...parts));

/** Download a text as a file. */
function download(text, name, type) {
  const link = el("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Copy text; returns whether the browser allowed it. */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

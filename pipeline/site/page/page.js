// What every section is made of: the address, which names what is shown, and elements. Text of a release is always set as
// text, never as HTML. Offers puzzleAddress, addressOf, here, shown, drawnBy, redraw, go, goBack, wasFollowed, $, wide,
// roomy, el, aloud, button, linkTo, alertOf, onClick, fill, clear, notice, clearNotices, waitFor, isByKey, leaveFocus,
// ringPicture, addFact, copied.

// ---------------------------------------------------------------- addresses

const PANELS = ["found", "hints", "answers", "ranks", "rules"];

/**
 * What an address names. `/why/luff` is a `section` with a `rest`. `vctaoen` or `daily/2026-11-22` is the section "game" with
 * a `puzzle`, as text; what is open over it follows: a `panel` with its `part`, such as `/hints/grid`, and the card of a
 * `word`, such as `/why/luff`.
 */
function readAddress(text) {
  const [, section, rest] = /^\/(\w*)\/?(.*)$/s.exec(text) ?? [];
  if (section !== undefined && section !== "solve") return { section: section || "start", rest };
  if (!text) return { section: "start", rest: "" };
  const [given, ...more] = (section === "solve" ? rest : text).split("/");
  const isDaily = /^daily$/i.test(given);
  const hasDate = isDaily && more.length > 0 && !PANELS.includes(more[0]) && more[0] !== "why";
  const puzzle = isDaily ? `daily${hasDate ? `/${more.shift()}` : ""}` : given;
  const panel = PANELS.includes(more[0]) ? more.shift() : "";
  const part = panel && more[0] !== "why" ? (more.shift() ?? "") : "";
  const word = more[0] === "why" ? (more[1] ?? "") : "";
  return { section: "game", rest: "", puzzle, panel, part, word, isSolving: section === "solve" };
}

export const puzzleAddress = (puzzle) => (puzzle.date ? `daily/${puzzle.date}` : puzzle.given);

/** The address of a puzzle (its own address), with what is open over it. */
export const addressOf = ({ puzzle, panel = "", part = "", word = "" }) =>
  [puzzle, panel, panel && part, word && "why", word].filter(Boolean).join("/");

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address that is open, as text and as what it names. */
export const here = () => decoded(location.hash.slice(1));
export const shown = () => readAddress(here());

let draw = () => null;
/** Set the function that draws what the address names. */
export const drawnBy = (drawing) => (draw = drawing);
export const redraw = () => draw();

/**
 * Open an address. As a new entry of the history, it knows the entries `below` it that this page opened, so that closing it
 * is going back; `replace` the current entry if Back should not lead to it.
 */
export function go(address, { replace = false } = {}) {
  const below = history.state?.below ?? [];
  isFollowing = true;
  if (replace) history.replaceState({ below }, "", `#${address}`);
  else history.pushState({ below: [...below, here()] }, "", `#${address}`);
  return draw();
}

let isGoingBack = false;
/** Return to an address: back to its entry, if it is below this one, otherwise in place of this one. */
export function goBack(address) {
  if (isGoingBack) return; // a second click, before the history has changed
  if (address === here()) return void draw(); // an entry below may have the same address, and no event would tell
  const below = history.state?.below ?? [];
  const at = below.lastIndexOf(address);
  if (at < 0) {
    go(address, { replace: true });
    return;
  }
  isGoingBack = true;
  history.go(at - below.length);
}

addEventListener("hashchange", () => {
  isGoingBack = false;
  draw();
});

let isFollowing = false;
addEventListener(
  "click",
  ({ target, ctrlKey, metaKey, shiftKey }) => {
    const to = target.closest("a")?.hash;
    isFollowing = Boolean(to) && to !== location.hash && !(ctrlKey || metaKey || shiftKey);
  },
  true,
);

/** Whether the player went to the address by a link or a button, and not by Back or Forward. */
export function wasFollowed() {
  const was = isFollowing;
  isFollowing = false;
  return was;
}

// ---------------------------------------------------------------- elements

export const $ = (id) => document.getElementById(id);

/** Whether there is room for a column next to the game, which a phone in landscape does not have. */
export const wide = matchMedia("(min-width: 45rem) and (min-height: 32.01rem), (min-width: 70rem)");
/** Whether there is room for another column, in which something is always open. */
export const roomy = matchMedia("(min-width: 70rem)");

/** An element. `what` is its tag, followed by its classes after dots; children are elements or text. */
export function el(what, attributes = {}, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== "" && child !== null));
  return element;
}

/** Text that is read out, but not shown. */
export const aloud = (text) => el("span.aloud", {}, text);

/** A button with an action. */
export function button(text, act, kind = "button") {
  const element = el(kind, { type: "button" }, text);
  element.addEventListener("click", act);
  return element;
}

/** A link to what is known about a word. Over a puzzle, it opens as a card: see lookup.js. */
export const linkTo = (word, text = word) => el("a", { href: `#/why/${word}`, "data-card": word }, text);

/** A sentence that says what is wrong, if anything is. */
export const alertOf = (wrong) => (wrong ? [el("p.wrong", { role: "alert" }, wrong, " ")] : []);

/** Call a function with the value of each field or button that has a data attribute when it is clicked. */
export function onClick(attribute, act) {
  for (const one of document.querySelectorAll(`[data-${attribute}]`)) one.addEventListener("click", (event) => act(one.dataset[attribute], event));
}

/**
 * Fill a place with elements that take time to make, unless it already has what is asked for. Only what was asked for last
 * is shown. If something did not load, there is a button to try again.
 */
export async function fill(place, asked, make) {
  if (place.dataset.asked === asked) return;
  place.dataset.asked = asked;
  place.replaceChildren(el("p.soft", {}, "Loading …"));
  const made = await make();
  if (place.dataset.asked !== asked) return;
  place.replaceChildren(...made);
  const wrong = place.querySelector(".wrong");
  if (!wrong) return;
  const again = () => {
    place.tabIndex = -1;
    place.focus({ preventScroll: true }); // the button goes away
    place.dataset.asked = "";
    return fill(place, asked, make);
  };
  wrong.append(button("Try again", again));
  place.dataset.asked = ""; // so that it is made again the next time
}

/** Empty a place at once. */
export function clear(place) {
  place.dataset.asked = "";
  place.replaceChildren();
}

/** Show a message over the page. It goes away after a while, or when the player closes it or goes elsewhere. */
export function notice(...parts) {
  const made = el("p", {}, ...parts, " ");
  made.append(button("Close", () => (made.remove(), $("main").focus()), "button.quiet"));
  $("notices").append(made);
  setTimeout(() => made.remove(), 20_000);
}

export const clearNotices = () => $("notices").replaceChildren();

/** Wait for something, with a sign of progress if it takes long. */
export async function waitFor(promise) {
  const slow = setTimeout(() => ($("loading").hidden = false), 300);
  try {
    return await promise;
  } finally {
    clearTimeout(slow);
    $("loading").hidden = true;
  }
}

/** Whether the player used the keyboard last, and not a pointer. */
export let isByKey = false;
addEventListener("keydown", () => (isByKey = true), true);
addEventListener("pointerdown", () => (isByKey = false), true);

/** After a click or a tap, no button or link keeps the focus, so that Enter and Space are about the typed word. */
export const leaveFocus = () => isByKey || (document.activeElement?.matches("button, a") && document.activeElement.blur());

const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS(document.querySelector("svg").namespaceURI, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** The positions of the letters in a picture, the center first, in percent of its size. */
const PLACES = [[50, 50], [50, 14], [81.2, 32], [81.2, 68], [50, 86], [18.8, 68], [18.8, 32]];

/** The ring of a puzzle as a picture: its letters in circles at the corners of a hexagon. */
export function ringPicture(letters) {
  const node = (letter, at) => {
    const [x, y] = PLACES[at];
    const circle = svg("circle", { cx: x, cy: y, r: at ? 12 : 14 });
    return svg("g", at ? {} : { class: "center" }, circle, svg("text", { x, y: y + (at ? 3.6 : 4.4), "text-anchor": "middle" }, letter.toUpperCase()));
  };
  return svg(
    "svg",
    { viewBox: "0 0 100 100", class: "picture", "aria-hidden": "true", focusable: "false" },
    svg("path", { d: "M50 14 81.2 32V68L50 86 18.8 68V32Z" }),
    svg("path", { class: "spokes", d: "M50 14V86M81.2 32 18.8 68M18.8 32 81.2 68" }),
    ...[...letters].map(node),
  );
}

export const addFact = (list, term, ...parts) => list.append(el("dt", {}, term), el("dd", {}, ...parts));

/** Copy text; returns whether the browser allowed it. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

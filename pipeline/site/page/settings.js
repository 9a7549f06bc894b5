// What the player chooses, moves and deletes, and what is saved for offline use. Offers showSettings, listenToSettings,
// saveOffline.

import { count } from "./game.js";
import { puzzleDay } from "./days.js";
import { dropAll, exportText, importText, setSetting, setting } from "./saved.js";
import { answersOf, dayPuzzle, filesOf, list } from "./list.js";
import { $, button, el, notice } from "./page.js";

const CHOICES = ["filter", "theme"];

const applyTheme = () => {
  document.documentElement.dataset.theme = setting("theme");
};

/** Show what was chosen. */
export function showSettings() {
  if ($("filter").length === 1) $("filter").append(...Object.entries(list.filters).map(([value, { says }]) => el("option", { value }, says)));
  for (const id of CHOICES) {
    $(id).value = setting(id);
    if ($(id).selectedIndex < 0) $(id).selectedIndex = 0;
  }
  $("keep-all").textContent = `Save everything (${Math.round(list.bytes / 1e6)} MB)`;
}

/** Download the player's data as a file. */
function exportKept() {
  const link = el("a", { href: URL.createObjectURL(new Blob([exportText()], { type: "application/json" })), download: "bee-words.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  $("settings-said").textContent = "Exported.";
}

async function importKept(changed) {
  const [file] = $("import-file").files;
  if (!file) return;
  try {
    const { puzzles, unread } = importText(await file.text());
    applyTheme();
    showSettings();
    const rest = unread ? ` ${unread === 1 ? "One entry" : `${unread} entries`} could not be read and ${unread === 1 ? "was" : "were"} stored separately.` : "";
    $("settings-said").textContent = `Imported: ${count(puzzles, "puzzle")}.${rest}`;
    changed();
  } catch (error) {
    $("settings-said").textContent = error.message;
  }
  $("import-file").value = "";
}

function deleteAll(changed) {
  if (!confirm("Delete everything that this page stored in this browser?")) return;
  dropAll();
  applyTheme();
  showSettings();
  $("settings-said").textContent = "Everything is deleted.";
  changed();
}

/** `changed` is called after a choice or an import. */
export function listenToSettings(changed) {
  applyTheme();
  for (const id of CHOICES) {
    $(id).addEventListener("change", () => {
      setSetting(id, $(id).value);
      applyTheme();
      changed();
    });
  }
  $("export").addEventListener("click", exportKept);
  $("import").addEventListener("click", () => $("import-file").click());
  $("import-file").addEventListener("change", () => importKept(changed));
  $("forget-all").addEventListener("click", () => deleteAll(changed));
  $("keep-all").addEventListener("click", () => askWorker({ keep: list.files.map((name) => `words/${name}.json`) }));
}

// ---------------------------------------------------------------- offline

/** Ask the worker that saves files for something. */
const askWorker = async (what) => (await navigator.serviceWorker.ready).active.postMessage(what);

/** Show what is saved: how many files of the page, and how many with what is known about words. */
function showOffline({ kept, of, words, stopped }) {
  const isAll = words >= list.files.length;
  const saving = stopped ? `Saving stopped after ${kept} of ${of} files. Check the network connection, then try again.` : `Saving for offline use: ${kept} of ${of} files.`;
  const games = "Games and the clues of today work offline. Other clues, definitions and records are saved when you look at them.";
  $("offline-said").textContent = kept < of ? saving : isAll ? "Everything is saved. The page works offline." : games;
  $("keep-all").hidden = isAll;
}

/** The files with the clues and definitions of today's puzzle. */
function filesOfToday() {
  try {
    return filesOf(answersOf(dayPuzzle(puzzleDay())));
  } catch {
    return []; // this release has no puzzle for today
  }
}

/** Save the page and the clues of today for offline use, and offer a new release if there is one. */
export async function saveOffline() {
  $("offline-said").textContent = "The page saves what a game needs when it loads.";
  try {
    let isKnown = Boolean(navigator.serviceWorker.controller);
    const registration = await navigator.serviceWorker.register("sw.js");
    const offer = () => {
      if (!registration.waiting || !navigator.serviceWorker.controller) return;
      notice("A new release of the list is ready. ", button("Use it now", () => registration.waiting.postMessage("take over")));
    };
    offer();
    registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", offer));
    const update = () => document.hidden || registration.update().catch(() => null);
    if (isKnown) update(); // browsers check for updates themselves, but not on every visit
    addEventListener("visibilitychange", update);
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (isKnown) location.reload();
      isKnown = true; // at the first visit, the worker takes over a page of its own build
    });
    navigator.serviceWorker.addEventListener("message", ({ data }) => data?.of && showOffline(data));
    await askWorker({ keep: filesOfToday() });
  } catch {
    $("offline-said").textContent = "This browser cannot save the page for offline use.";
    $("keep-all").hidden = true;
  }
}

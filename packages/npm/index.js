// A curated word list for the Spelling Bee, with a solver. Runs in browsers and in Node. `game.js` is that of the web page.
import { core, likely, notForFamilies, review, unsafe, version } from "./data.js";
import { byRank, isPangram, readPuzzle, score, spells, whyUnplayable } from "./game.js";

export { core, isPangram, likely, review, score, version, whyUnplayable };
export const tiers = ["core", "likely", "review", "refused"];
export const words = [...core, ...likely].sort();
export const safe = without(unsafe);
export const family = without(notForFamilies);

function without(unwanted) {
  const left = new Set(unwanted);
  return words.filter((word) => !left.has(word));
}

export function solve(letters, list = words) {
  const puzzle = readPuzzle(letters);
  return [...list].filter((word) => spells(puzzle, word)).sort(byRank);
}


// ---------------------------------------------------------------- the solver of this package

/** The words of a list that are answers of a puzzle: pangrams first, then the longest first, then A to Z. */
function answers(letters, words) {
  if (typeof letters !== "string") throw new TypeError("The letters of a puzzle must be text, such as \"vctaoen\".");
  if (!words) throw new TypeError("A list is missing: call solve(letters, words), for example with words from \"bee-wordlist\".");
  const puzzle = readPuzzle(letters);
  const spelled = [...words].filter((word) => word.includes(puzzle.center) && !notSpelled(word, puzzle));
  return spelled.map((word) => ({ word })).sort(byRank).map((entry) => entry.word);
}

export { answers as solve, pangram as isPangram, score };

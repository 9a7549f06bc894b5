// Solve with the ES module: node module.mjs vctaoen

import { words } from "./bee.mjs";

const letters = process.argv[2].toLowerCase();
const fits = (word) => word.includes(letters[0]) && [...word].every((letter) => letters.includes(letter));
console.log(words.filter(fits).join("\n"));

// Solve: node solve.mjs words.txt vctaoen

import { readFileSync } from "node:fs";

const path = process.argv[2], letters = process.argv[3].toLowerCase();
const fits = new RegExp(`^[${letters}]*${letters[0]}[${letters}]*$`);
for (const word of readFileSync(path, "utf8").split("\n")) if (fits.test(word)) console.log(word);

// Solve with the masks file: node masks.mjs bee.masks vctaoen

// Answers use the center and some of the six outer letters: the masks of these sets of letters.
import { readFileSync } from "node:fs";

const path = process.argv[2], letters = process.argv[3].toLowerCase();
const bytes = readFileSync(path), view = new DataView(bytes.buffer, bytes.byteOffset);
const number = (at) => view.getUint32(at, true), n = number(8), text = 20 + 8 * n;
const [center, ...outer] = [...letters].map((letter) => 1 << (letter.charCodeAt(0) - 97));
const all = outer.reduce((sum, bit) => sum | bit, center);
for (let i = 0; i < n; i++) {
  const mask = number(16 + 4 * i), [first, last] = [number(16 + 4 * n + 4 * i), number(20 + 4 * n + 4 * i)];
  if (mask & center && !(mask & ~all)) process.stdout.write(bytes.subarray(text + first, text + last));
}

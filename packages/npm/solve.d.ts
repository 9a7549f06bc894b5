/**
 * Returns the words of a list that are answers of a puzzle: pangrams first, then the longest first, then A to Z.
 * `letters` are seven different letters, center first. Throws an Error that says what is wrong with them.
 */
export declare function solve(letters: string, words: Iterable<string>): string[];
/** Returns the points of a word: 1 for four letters, otherwise its length, and 7 more for a pangram. */
export declare function score(word: string): number;
/** Returns whether a word has seven different letters. */
export declare function isPangram(word: string): boolean;

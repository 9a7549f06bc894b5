/** The tiers: core, likely, review and refused. The list consists of core and likely. */
export declare const tiers: readonly Tier[];
export type Tier = "core" | "likely" | "review" | "refused";
/** The version of the list: the last date that it covers, then a build number. */
export declare const version: string;
/** The whole list, A to Z. */
export declare const words: readonly string[];
/** The words of the tier core, A to Z. */
export declare const core: readonly string[];
/** The words of the tier likely, A to Z. */
export declare const likely: readonly string[];
/** The words of the tier review, which are not on the list, A to Z. */
export declare const review: readonly string[];
/** The words of the list without slurs, vulgar and explicit words. */
export declare const safe: readonly string[];
/** The words of `safe` without crude and sensitive words. */
export declare const family: readonly string[];
/**
 * Returns the answers of a puzzle: pangrams first, then longest first, then A to Z. `letters` are seven letters, center
 * first; case and blanks are ignored. The default list is `words`. Throws an Error if the letters are not a puzzle.
 */
export declare function solve(letters: string, list?: Iterable<string>): string[];
/** Returns the points of a word: 1 for four letters, otherwise its length, and 7 more for a pangram. */
export declare function score(word: string): number;
/** Returns whether a word has seven different letters. */
export declare function isPangram(word: string): boolean;
/** Returns why no puzzle can have a word in lower case, or "" if one can. */
export declare function whyUnplayable(word: string): string;

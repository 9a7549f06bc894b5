import type { Tier } from "./index.js";

/** On how many days a word was possible, on how many of them it was accepted, and when; null if on no day. */
export interface WordRecord {
  offered: number;
  accepted: number;
  first_accepted: string | null;
  last_accepted: string | null;
  last_refused: string | null;
}

/** What the list says about a word. */
export interface Why {
  word: string;
  tier: Tier | "unknown" | "unplayable";
  listed: boolean;
  /** The probability that a puzzle accepts the word the next time it is possible; null for a word without a tier. */
  p: number | null;
  /** The reason for the tier, in a sentence. */
  because: string;
  flags: string[];
  /** null if the word was never possible. */
  record: WordRecord | null;
  /** Up to five words of the list that resemble a word without a tier. */
  near: string[];
}

/** Returns what the list says about a word, which can be in upper or lower case. */
export declare function why(word: string): Why;
/** Returns the definition of a word in one line, or "" if there is none. */
export declare function define(word: string): string;
/** Yields what the list says about each word that has a tier, A to Z. */
export declare function entries(): Generator<Why, void, undefined>;

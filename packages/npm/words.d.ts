/** {sentence}, A to Z. */
declare const words: readonly string[];
/** The version of the list: the last date that it covers, then a build number. */
declare const version: string;
export { version, words };
export default words;

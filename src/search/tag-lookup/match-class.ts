/**
 * How well a tag option answers a query; the smaller class comes first. A query of several words is as good as its
 * weakest word. Inside a class: active before deactivated, more media, shorter label, smaller id.
 */
export const MATCH_CLASS = {
  /** The query is the label or the full name. */
  exactName: 0,
  exactAlias: 1,
  exactId: 2,
  /** A name begins with the query. */
  namePrefix: 3,
  /** Every query word begins a word of the names, in any order. */
  wordPrefix: 4,
  /** Every query word of two letters or more (or one ideograph) is inside a word. */
  infix: 5,
  /** One query word is the shirt number, the others begin words of that shirt's club or of the player's names. */
  shirt: 6,
  /** One edit away from a word. */
  typo1: 7,
  /** One edit away from the beginning of a word; the last query word only, since it may be unfinished. */
  typo1Prefix: 8,
  typo2: 9,
  typo2Prefix: 10,
} as const;

/** The work grows with the length, and no name has a word like that. */
const TYPO_WORD_LENGTH_MAX = 64;

/** Typos are looked for only when the better classes hold fewer hits than this: nobody misspelt what was found. */
export const TYPOS_BELOW_HITS = 5;

/**
 * Edits forgiven in a query word: in short words one edit already makes another real word, and another year or number
 * is not a typo.
 */
export function editsAllowed(word: string): 0 | 1 | 2 {
  if (word.length < 4 || word.length > TYPO_WORD_LENGTH_MAX || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/** Hiragana to katakana and the ideographs: one such character carries a meaning, so it is looked for inside words. */
export function isIdeograph(codeUnit: number): boolean {
  return (codeUnit >= 0x3041 && codeUnit <= 0x30ff) || (codeUnit >= 0x3400 && codeUnit <= 0x9fff);
}

/** Whether a query word is looked for inside words. One letter of an alphabet is inside nearly everything. */
export function looksInside(word: string): boolean {
  return word.length > 1 || isIdeograph(word.charCodeAt(0));
}

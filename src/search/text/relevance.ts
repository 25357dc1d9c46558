/**
 * The score of an asset for a text query, in whole numbers so that every engine computes the same one: for each positive
 * clause the impact of its best match times the clause's weight, summed. It is BM25 (Robertson and Zaragoza, "The
 * Probabilistic Relevance Framework", 2009) with k1 = 1.2 and b = 0.75 over fields of different weight, but with a fixed
 * average length: the score of one asset must not change because others were added.
 */

/** How much an occurrence counts, by the class of its field: name and headline, caption and keywords, everything else. */
export const PLACE_WEIGHTS = { A: 4, B: 2, C: 1 } as const;

/** The impact of a word that is in the label, full name or an alias of a tag option on the asset. */
export const TAG_IMPACT = 160;

/** A word that only begins as the query's, or is one or two typing errors away, counts half. */
export function looseImpact(impact: number): number {
  return impact >> 1;
}

/**
 * Impact (0..254) of a word in the asset's own text.
 * @param frequency occurrences of the word, each times its PLACE_WEIGHTS
 * @param length words of the asset's text
 */
export function impactOf(frequency: number, length: number): number {
  // k1 * (1 - b) = 0.3; k1 * b / average length of 24 words = 0.0375; both in thousandths.
  return Math.floor((255_000 * frequency) / (1000 * frequency + 300 + 37 * length));
}

/** Weight (1 and up) of a clause that `matching` of all `assets` meet: rare words count more. */
export function weightOf(matching: number, assets: number): number {
  return Math.max(1, Math.round(64 * Math.log(1 + (assets - matching + 0.5) / (matching + 0.5))));
}

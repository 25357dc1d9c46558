import { looseImpact, TAG_IMPACT } from '../../text/relevance.ts';
import type { ResolvedClause } from '../../text/resolved-text.ts';
import { CHUNK_DOCUMENTS, entryOf } from '../segment/packed-sets.ts';
import { type ChunkValue, hasLow, newValue } from './chunk-value.ts';
import type { Chunk, SetRef } from './node.ts';
import { phraseNode } from './phrase.ts';
import { visitRanks } from './ranks.ts';
import { clauseSets, type TestContext } from './tests.ts';

/** A positive clause and its weight. */
export type WeightedClause = { readonly clause: ResolvedClause; readonly weight: number };

/** Scores of documents that were found (src/search/text/relevance.ts says how they are made up). */
export type Scores = {
  /** Scores of some documents of a chunk, given by their lower 16 bits, ascending; good until the next call. */
  of(chunk: Chunk, lows: Uint16Array): Uint32Array;
};

/** Below the levels that the filter's own evaluation holds while its sinks run. */
const SCORE_DEPTH = 4;

export function createScores(context: TestContext, clauses: readonly WeightedClause[]): Scores {
  const { segment } = context;
  const { words } = segment;
  let scores = new Uint32Array(256);
  let best = new Uint8Array(256);
  const value: ChunkValue = newValue();
  const plans = clauses.map(({ clause, weight }) => ({
    clause,
    weight,
    sets: clauseSets(segment, clause),
    phrase: clause.kind === 'phrase' ? phraseNode(context.work, segment, clause.words) : undefined,
  }));

  const raiseByWord = (word: number, options: { chunk: Chunk; lows: Uint16Array; loose: boolean }) => {
    const { chunk, lows, loose } = options;
    const entry = entryOf(words, word, chunk.key);
    if (entry < 0) return;
    const from = words.impactPlaces?.[entry] ?? 0;
    visitRanks(words, { entry, documents: chunk.documents, lows }, (at, rank) => {
      const impact = words.impacts?.[from + rank] ?? 0;
      const counted = loose ? looseImpact(impact) : impact;
      if (counted > (best[at] ?? 0)) best[at] = counted;
    });
  };
  const raiseByTag = (ref: SetRef, options: { chunk: Chunk; lows: Uint16Array; impact: number }) => {
    const { chunk, lows, impact } = options;
    const entry = entryOf(ref.sets, ref.set, chunk.key);
    if (entry < 0) return;
    visitRanks(ref.sets, { entry, documents: chunk.documents, lows }, (at) => {
      if (impact > (best[at] ?? 0)) best[at] = impact;
    });
  };

  return {
    of(chunk, lows) {
      if (scores.length < lows.length) {
        const length = Math.min(CHUNK_DOCUMENTS, lows.length * 2);
        scores = new Uint32Array(length);
        best = new Uint8Array(length);
      }
      scores.fill(0, 0, lows.length);
      for (const { clause, weight, sets, phrase } of plans) {
        best.fill(0, 0, lows.length);
        for (const word of sets.exactWords) raiseByWord(word, { chunk, lows, loose: false });
        if (clause.kind === 'word') {
          for (const word of sets.looseWords) raiseByWord(word, { chunk, lows, loose: true });
        } else {
          // The words of a phrase count where they follow one another.
          value.kind = 'none';
          phrase?.evaluate(chunk, value, SCORE_DEPTH);
          for (let at = 0; at < lows.length; at += 1) if (!hasLow(value, lows[at] ?? 0)) best[at] = 0;
        }
        for (const ref of sets.exactTags) raiseByTag(ref, { chunk, lows, impact: TAG_IMPACT });
        for (const ref of sets.looseTags) raiseByTag(ref, { chunk, lows, impact: looseImpact(TAG_IMPACT) });
        for (let at = 0; at < lows.length; at += 1) scores[at] = (scores[at] ?? 0) + weight * (best[at] ?? 0);
      }
      return scores;
    },
  };
}

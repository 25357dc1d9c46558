import { looseImpact, TAG_IMPACT } from '../../text/relevance.ts';
import type { ResolvedClause } from '../../text/resolved-text.ts';
import { CHUNK_DOCUMENTS, entryOf } from '../segment/packed-sets.ts';
import { newValue, setEntry, visitLows } from './chunk-value.ts';
import { allNode, anySetNode, type Chunk, eachNode, type Node, type SetRef } from './node.ts';
import { createPhraseTest } from './phrase.ts';
import { clauseSets, type PlanContext } from './plan.ts';

/** A positive clause and its weight. */
export type WeightedClause = { readonly clause: ResolvedClause; readonly weight: number };

/** Below the levels that the filter's own evaluation holds while its sinks run. */
const SCORE_DEPTH = 4;

/** The phrase in the asset's own words, without tag options that have it. */
function ownPhrase(context: PlanContext, words: readonly string[]): Node | undefined {
  const { work, segment } = context;
  const { size } = segment;
  const passes = createPhraseTest(segment, words);
  if (!passes) return undefined;
  const nodes = words.map((word) => {
    const { from } = segment.wordRange(word, { prefix: false });
    return anySetNode(work, [{ sets: segment.words, set: from }], size);
  });
  return allNode([...nodes, eachNode(work, { size, cost: 10, passes })], size);
}

/** Scores of all documents of a chunk (src/search/text/relevance.ts says how they are made up). */
export function createScores(
  context: PlanContext,
  clauses: readonly WeightedClause[],
): { of(chunk: Chunk): Uint32Array } {
  const { segment } = context;
  const { words } = segment;
  const scores = new Uint32Array(CHUNK_DOCUMENTS);
  const best = new Uint8Array(CHUNK_DOCUMENTS);
  const inWords = new Uint8Array(CHUNK_DOCUMENTS);
  const value = newValue();
  const plans = clauses.map(({ clause, weight }) => ({
    clause,
    weight,
    sets: clauseSets(segment, clause),
    phrase: clause.kind === 'phrase' ? ownPhrase(context, clause.words) : undefined,
  }));

  const raiseByWord = (target: Uint8Array, word: number, options: { chunk: Chunk; loose: boolean }) => {
    const { chunk, loose } = options;
    const entry = entryOf(words, word, chunk.key);
    if (entry < 0) return;
    let at = words.impactPlaces?.[entry] ?? 0;
    setEntry(value, words, { entry, documents: chunk.documents });
    visitLows(value, { from: 0, to: chunk.documents }, (low) => {
      const impact = words.impacts?.[at] ?? 0;
      at += 1;
      const counted = loose ? looseImpact(impact) : impact;
      if (counted > (target[low] ?? 0)) target[low] = counted;
    });
  };
  const raiseByTag = (ref: SetRef, chunk: Chunk, impact: number) => {
    setEntry(value, ref.sets, { entry: entryOf(ref.sets, ref.set, chunk.key), documents: chunk.documents });
    visitLows(value, { from: 0, to: chunk.documents }, (low) => {
      if (impact > (best[low] ?? 0)) best[low] = impact;
    });
  };

  return {
    of(chunk) {
      scores.fill(0);
      for (const { clause, weight, sets, phrase } of plans) {
        best.fill(0);
        if (clause.kind === 'word') {
          for (const word of sets.exactWords) raiseByWord(best, word, { chunk, loose: false });
          for (const word of sets.looseWords) raiseByWord(best, word, { chunk, loose: true });
        } else if (phrase) {
          inWords.fill(0);
          for (const word of sets.exactWords) raiseByWord(inWords, word, { chunk, loose: false });
          phrase.evaluate(chunk, value, SCORE_DEPTH);
          visitLows(value, { from: 0, to: chunk.documents }, (low) => {
            best[low] = inWords[low] ?? 0;
          });
        }
        for (const ref of sets.exactTags) raiseByTag(ref, chunk, TAG_IMPACT);
        for (const ref of sets.looseTags) raiseByTag(ref, chunk, looseImpact(TAG_IMPACT));
        for (let low = 0; low < chunk.documents; low += 1) {
          scores[low] = (scores[low] ?? 0) + weight * (best[low] ?? 0);
        }
      }
      return scores;
    },
  };
}

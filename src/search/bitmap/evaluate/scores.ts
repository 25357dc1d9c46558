import { looseImpact, TAG_IMPACT } from '../../text/relevance.ts';
import type { ResolvedClause } from '../../text/resolved-text.ts';
import { CHUNK_DOCUMENTS, entryOf, LIST_MAX, type PackedSets } from '../segment/packed-sets.ts';
import { type ChunkValue, hasLow, newValue } from './chunk-value.ts';
import { allNode, anySetNode, type Chunk, eachNode, type Node, type SetRef, SLOW_COST } from './node.ts';
import { createPhraseTest } from './phrase.ts';
import { clauseSets, type PlanContext } from './plan.ts';

/** A positive clause and its weight. */
export type WeightedClause = { readonly clause: ResolvedClause; readonly weight: number };

/** Scores of documents that were found (src/search/text/relevance.ts says how they are made up). */
export type Scores = {
  /** Scores of some documents of a chunk, given by their lower 16 bits, ascending; good until the next call. */
  of(chunk: Chunk, lows: Uint16Array): Uint32Array;
};

/** Below the levels that the filter's own evaluation holds while its sinks run. */
const SCORE_DEPTH = 4;

/** The phrase in the asset's own words, without tag options that have it. */
function ownPhrase(context: PlanContext, words: readonly string[]): Node | undefined {
  const { work, segment } = context;
  const { size } = segment;
  const test = createPhraseTest(segment, words);
  if (!test) return undefined;
  const nodes = words.map((word) => {
    const { from } = segment.wordRange(word, { prefix: false });
    return anySetNode(work, [{ sets: segment.words, set: from }], size);
  });
  return allNode([...nodes, eachNode(work, { size, cost: SLOW_COST, ...test })], size);
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/**
 * Visits those of `lows` that an entry of sets has, with their place in `lows` and their rank among the entry's documents.
 */
function visitRanks(
  sets: PackedSets,
  { entry, documents, lows }: { readonly entry: number; readonly documents: number; readonly lows: Uint16Array },
  visit: (at: number, rank: number) => void,
): void {
  const size = (sets.sizes[entry] ?? 0) + 1;
  const place = sets.places[entry] ?? 0;
  if (size === documents) {
    for (let at = 0; at < lows.length; at += 1) visit(at, lows[at] ?? 0);
  } else if (size <= LIST_MAX) {
    const { lists } = sets;
    let from = place;
    const end = place + size;
    for (let at = 0; at < lows.length && from < end; at += 1) {
      const low = lows[at] ?? 0;
      // Steps that double, then a bisection: the fewer of the two may be many times fewer.
      let step = 1;
      while (from + step < end && (lists[from + step] ?? 0) < low) step *= 2;
      let high = Math.min(end, from + step + 1);
      while (from < high) {
        const middle = (from + high) >>> 1;
        if ((lists[middle] ?? 0) < low) from = middle + 1;
        else high = middle;
      }
      if (from < end && lists[from] === low) visit(at, from - place);
    }
  } else {
    const { bits } = sets;
    let word = 0;
    let before = 0;
    for (let at = 0; at < lows.length; at += 1) {
      const low = lows[at] ?? 0;
      for (; word < low >>> 5; word += 1) before += bitsIn(bits[place + word] ?? 0);
      const present = bits[place + word] ?? 0;
      if (((present >>> (low & 31)) & 1) === 0) continue;
      visit(at, before + bitsIn(present & ~(-1 << (low & 31))));
    }
  }
}

export function createScores(context: PlanContext, clauses: readonly WeightedClause[]): Scores {
  const { segment } = context;
  const { words } = segment;
  let scores = new Uint32Array(256);
  let best = new Uint8Array(256);
  const value: ChunkValue = newValue();
  const plans = clauses.map(({ clause, weight }) => ({
    clause,
    weight,
    sets: clauseSets(segment, clause),
    phrase: clause.kind === 'phrase' ? ownPhrase(context, clause.words) : undefined,
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

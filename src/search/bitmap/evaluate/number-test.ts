import type { Comparison } from '../../filter/filter-tree.ts';
import { SLOT_WORDS } from '../kernels/kernels.ts';
import { type NumberColumn, ZONE_DOCUMENTS } from '../segment/number-column.ts';
import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import { type ChunkValue, filterEach, setAll, setBits, type Workspace } from './chunk-value.ts';
import type { Chunk, Node } from './node.ts';

/** What a number must be; bounds are inclusive. */
export type NumberTest =
  | { readonly kind: 'between'; readonly least: number; readonly greatest: number }
  | { readonly kind: 'in'; readonly values: readonly number[] }
  | { readonly kind: 'not'; readonly value: number }
  | { readonly kind: 'exists'; readonly exists: boolean };

const asNumber = new Float64Array(1);
const asBits = new BigInt64Array(asNumber.buffer);

/** The least number above this one: confidences are no whole numbers. */
export function nextAbove(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  if (!Number.isFinite(value)) return value;
  // Numbers of one sign are in the order of their bits (IEEE 754).
  asNumber[0] = value;
  asBits[0] = (asBits[0] ?? 0n) + (value > 0 ? 1n : -1n);
  return asNumber[0];
}

export function numberTestOf(comparison: Comparison, values: readonly number[]): NumberTest {
  const value = values[0] ?? Number.NaN;
  switch (comparison) {
    case 'eq':
      return { kind: 'between', least: value, greatest: value };
    case 'in':
      return { kind: 'in', values };
    case 'ne':
      return { kind: 'not', value };
    case 'gt':
      return { kind: 'between', least: nextAbove(value), greatest: Number.POSITIVE_INFINITY };
    case 'gte':
      return { kind: 'between', least: value, greatest: Number.POSITIVE_INFINITY };
    case 'lt':
      return { kind: 'between', least: Number.NEGATIVE_INFINITY, greatest: -nextAbove(-value) };
    case 'lte':
      return { kind: 'between', least: Number.NEGATIVE_INFINITY, greatest: value };
  }
}

/** NaN, which stands for no value, is between nothing and differs from every value. */
function passerOf(test: NumberTest): (value: number) => boolean {
  switch (test.kind) {
    case 'between':
      return (value) => value >= test.least && value <= test.greatest;
    case 'in': {
      const wanted = new Set(test.values);
      return (value) => wanted.has(value);
    }
    case 'not':
      return (value) => value !== test.value;
    case 'exists':
      return (value) => Number.isNaN(value) !== test.exists;
  }
}

type ZoneAnswer = 'none' | 'some' | 'all';

/** What is known of a zone's documents without looking at them. */
function answerOfZone(test: NumberTest, column: NumberColumn, zone: number): ZoneAnswer {
  const least = column.zoneLeast(zone);
  const greatest = column.zoneGreatest(zone);
  const missing = column.zoneHasMissing(zone);
  const empty = least > greatest;
  switch (test.kind) {
    case 'between':
      if (empty || greatest < test.least || least > test.greatest) return 'none';
      return !missing && least >= test.least && greatest <= test.greatest ? 'all' : 'some';
    case 'in':
      return empty || !test.values.some((value) => value >= least && value <= greatest) ? 'none' : 'some';
    case 'not':
      if (empty || test.value < least || test.value > greatest) return 'all';
      return !missing && least === test.value && greatest === test.value ? 'none' : 'some';
    case 'exists':
      if (empty) return test.exists ? 'none' : 'all';
      if (!missing) return test.exists ? 'all' : 'none';
      return 'some';
  }
}

const ZONE_WORDS = ZONE_DOCUMENTS / 32;

/** A test of a column, zone by zone where it can be. */
export function numberNode(work: Workspace, column: NumberColumn, options: { test: NumberTest; size: number }): Node {
  const { test, size } = options;
  const passes = passerOf(test);
  const { codes } = column;
  // A table lookup a document: code 255, no value, is read as NaN.
  const passesCode =
    codes && Uint8Array.from({ length: 256 }, (_, code) => Number(passes(codes.values[code] ?? Number.NaN)));
  const passesDocument =
    codes && passesCode
      ? (document: number) => passesCode[codes.byDocument[document] ?? 255] === 1
      : (document: number) => passes(column.value(document));

  const restrict = (chunk: Chunk, value: ChunkValue, depth: number) => {
    const base = chunk.key * CHUNK_DOCUMENTS;
    const level = work.level(depth);
    const { kernels } = work;
    if (value.kind === 'none') return;
    if (value.kind === 'list') {
      filterEach(work, level, { value, documents: chunk.documents, passes: (low) => passesDocument(base + low) });
      return;
    }
    const zones = Math.ceil(chunk.documents / ZONE_DOCUMENTS);
    const firstZone = base / ZONE_DOCUMENTS;
    const answers = Array.from({ length: zones }, (_, zone) => answerOfZone(test, column, firstZone + zone));
    if (answers.every((answer) => answer === 'all')) return;
    if (answers.every((answer) => answer === 'none')) {
      value.kind = 'none';
      return;
    }
    const { words } = kernels;
    const at = level.slot * SLOT_WORDS;
    const source = value.kind === 'bits' ? { bits: value.bits, at: value.at } : undefined;
    // Nothing is read behind where it is written, so the source may be the level's own slot.
    for (let zone = 0; zone < SLOT_WORDS / ZONE_WORDS; zone += 1) {
      const answer = answers[zone] ?? 'none';
      const end = Math.min(chunk.documents, (zone + 1) * ZONE_DOCUMENTS);
      for (let word = zone * ZONE_WORDS; word < (zone + 1) * ZONE_WORDS; word += 1) {
        if (answer === 'none') {
          words[at + word] = 0;
          continue;
        }
        let left = source ? (source.bits[source.at + word] ?? 0) : maskBelow(end - word * 32);
        if (answer === 'all') {
          words[at + word] = left;
          continue;
        }
        const document = base + word * 32 + 31;
        if (codes && passesCode && isDense(left)) {
          words[at + word] = left & passingCodes(codes.byDocument, passesCode, document);
          continue;
        }
        let kept = left;
        while (left !== 0) {
          const lowest = left & -left;
          if (!passesDocument(document - Math.clz32(lowest))) kept ^= lowest;
          left ^= lowest;
        }
        words[at + word] = kept;
      }
    }
    setBits(value, words, at);
  };
  return {
    estimate: size,
    cost: 1,
    restrict,
    evaluate(chunk, value, depth) {
      setAll(value);
      restrict(chunk, value, depth);
    },
  };
}

/** So many of 32 documents are looked at one by one; of more, looking at all without a branch is quicker. */
const DENSE = 6;

function isDense(word: number): boolean {
  let left = word;
  for (let bits = 0; bits < DENSE; bits += 1) left &= left - 1;
  return left !== 0;
}

/** Which of the 32 documents up to `last` have a code that passes, as bits. What they say of documents behind the last is not asked. */
function passingCodes(byDocument: Uint8Array, passesCode: Uint8Array, last: number): number {
  let passing = 0;
  for (let document = last; document > last - 32; document -= 1) {
    passing = (passing << 1) | (passesCode[byDocument[document] ?? 0] ?? 0);
  }
  return passing;
}

/** The lowest `count` bits of a word; all from 32 on, none up to 0. */
function maskBelow(count: number): number {
  if (count >= 32) return -1;
  return count <= 0 ? 0 : ~(-1 << count);
}

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDraws } from '../../../../test/support/index-rows.ts';
import { CHUNK_DOCUMENTS, createPackedSetsBuilder, entryOf, openPackedSets, sizeOf } from '../segment/packed-sets.ts';
import { type ChunkValue, countOf, createWorkspace, hasLow, newValue, visitLows } from './chunk-value.ts';
import { allNode, anyNode, anySetNode, eachNode, type Node, noneNode } from './node.ts';

/** One byte a document: 1 = it is in. */
type Lows = Uint8Array;
const work = createWorkspace();
/** Full, not a whole number of words, and as small as it gets. */
const CHUNKS = [CHUNK_DOCUMENTS, 40_003, 4096, 1] as const;

/** Sets of sizes around where their form changes, and of the borders of chunk, word and zone. */
function lowsOf(documents: number, { size, seed, edge }: { size: number; seed: number; edge: boolean }): number[] {
  const draw = createDraws(seed);
  const lows = new Set<number>();
  const borders = [0, 1, 31, 32, 1023, 1024, documents - 2, documents - 1];
  if (edge) for (const low of borders) if (low >= 0 && low < documents) lows.add(low);
  const wanted = Math.min(size, documents);
  if (wanted === documents) return Array.from({ length: documents }, (_, low) => low);
  while (lows.size < wanted) lows.add(draw(documents));
  return [...lows].slice(0, wanted).sort((a, b) => a - b);
}

const SIZES = [0, 1, 3, 15, 16, 17, 511, 512, 513, 4095, 4096, 4097, 9000, 30_000, 65_535, 65_536];
const setSpec = fc.record({
  size: fc.constantFrom(...SIZES),
  seed: fc.integer({ min: 1, max: 1e6 }),
  edge: fc.boolean(),
});

/** The same sets packed, of several chunks. */
function pack(chunks: readonly (readonly (readonly number[])[])[], sizes: readonly number[]) {
  const builder = createPackedSetsBuilder({ withImpacts: true });
  const count = chunks[0]?.length ?? 0;
  for (const [key, sets] of chunks.entries()) {
    const members = sets.flatMap((lows, set) => lows.map((low) => ({ low, set }))).sort((a, b) => a.low - b.low);
    for (const { low, set } of members) builder.add(set, low, { impact: (low + set) % 255, position: 1 });
    builder.endChunk(key, sizes[key] ?? 0);
  }
  return openPackedSets(builder.finish(count, 'sets'), 'sets');
}

function lows(value: ChunkValue, documents: number): number[] {
  const found: number[] = [];
  visitLows(value, { from: 0, to: documents }, (low) => void found.push(low));
  return found;
}

function bytesOf(lows: readonly number[], documents: number): Lows {
  const bytes = new Uint8Array(documents);
  for (const low of lows) bytes[low] = 1;
  return bytes;
}

/** Comparing arrays of 65,536 numbers element by element takes seconds. */
function expectLows(value: ChunkValue, documents: number, expected: Lows): void {
  const found = lows(value, documents);
  expect(found.findIndex((low, at) => expected[low] !== 1 || (found[at - 1] ?? -1) >= low)).toBe(-1);
  const count = expected.reduce((sum, one) => sum + one, 0);
  expect(found.length).toBe(count);
  expect(countOf(work, value, documents)).toBe(count);
}

type Tree =
  | { readonly kind: 'sets'; readonly sets: readonly number[] }
  | { readonly kind: 'each'; readonly modulus: number; readonly cost: number }
  | { readonly kind: 'all' | 'any' | 'none'; readonly children: readonly Tree[] };

const SET_COUNT = 6;

function trees(): fc.Arbitrary<Tree> {
  const sets = fc.record({
    kind: fc.constant('sets' as const),
    sets: fc.array(fc.nat(SET_COUNT - 1), { maxLength: 4 }),
  });
  const each = fc.record({
    kind: fc.constant('each' as const),
    modulus: fc.constantFrom(1, 2, 3, 50, 70_000),
    cost: fc.constantFrom(1, 10),
  });
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
    const kind = fc.constantFrom('all', 'any', 'none');
    const group = fc.record({ kind, children: fc.array(tie('tree'), { minLength: 1, maxLength: 4 }) });
    const leaf = fc.oneof({ weight: 4, arbitrary: sets }, { weight: 1, arbitrary: each });
    return { tree: fc.oneof({ maxDepth: 6, depthSize: 'small' }, leaf, { weight: 2, arbitrary: group }) };
  });
  return tree;
}

function nodeOf(tree: Tree, packed: ReturnType<typeof pack>, size: number): Node {
  if (tree.kind === 'sets')
    return anySetNode(
      work,
      tree.sets.map((set) => ({ sets: packed, set })),
      size,
    );
  if (tree.kind === 'each') {
    return eachNode(work, { size, cost: tree.cost, passes: (document) => document % tree.modulus === 0 });
  }
  const children = tree.children.map((child) => nodeOf(child, packed, size));
  if (tree.kind === 'all') return allNode(children, size);
  return tree.kind === 'any' ? anyNode(work, children, size) : noneNode(work, children, size);
}

function modelOf(tree: Tree, sets: readonly Lows[], { base, documents }: { base: number; documents: number }): Lows {
  const from = (holds: (low: number) => boolean) => new Uint8Array(documents).map((_, low) => Number(holds(low)));
  if (tree.kind === 'sets') return from((low) => tree.sets.some((set) => sets[set]?.[low] === 1));
  if (tree.kind === 'each') return from((low) => (base + low) % tree.modulus === 0);
  const children = tree.children.map((child) => modelOf(child, sets, { base, documents }));
  if (tree.kind === 'all') return from((low) => children.every((child) => child[low] === 1));
  return from((low) => children.some((child) => child[low] === 1) === (tree.kind === 'any'));
}

describe('packed sets', () => {
  test('hold what was put into them, in each of their forms, in every chunk', () => {
    const specs = fc.array(setSpec, { minLength: SET_COUNT, maxLength: SET_COUNT });
    fc.assert(
      fc.property(fc.array(specs, { minLength: 1, maxLength: 3 }), fc.constantFrom(...CHUNKS), (chunks, last) => {
        const sizes = chunks.map((_, key) => (key === chunks.length - 1 ? last : CHUNK_DOCUMENTS));
        const given = chunks.map((sets, key) => sets.map((spec) => lowsOf(sizes[key] ?? 0, spec)));
        const packed = pack(given, sizes);
        for (let set = 0; set < SET_COUNT; set += 1) {
          expect(sizeOf(packed, set)).toBe(given.reduce((sum, sets) => sum + (sets[set]?.length ?? 0), 0));
          for (const [key, documents] of sizes.entries()) {
            const expected = given[key]?.[set] ?? [];
            const entry = entryOf(packed, set, key);
            expect(entry >= 0).toBe(expected.length > 0);
            if (entry < 0) continue;
            const value = newValue();
            anySetNode(work, [{ sets: packed, set }], 1).evaluate({ key, documents }, value, 0);
            expectLows(value, documents, bytesOf(expected, documents));
            const place = packed.impactPlaces?.[entry] ?? 0;
            expect(expected.findIndex((low, at) => packed.impacts?.[place + at] !== (low + set) % 255)).toBe(-1);
          }
        }
        expect(entryOf(packed, 0, sizes.length)).toBe(-1);
      }),
      { numRuns: 15 },
    );
  });
});

describe('tests of documents', () => {
  test('nested in any way find what sets in a model do, alone and within what others found', () => {
    const specs = fc.array(setSpec, { minLength: SET_COUNT, maxLength: SET_COUNT });
    fc.assert(
      fc.property(
        specs,
        fc.array(trees(), { minLength: 1, maxLength: 6 }),
        fc.constantFrom(...CHUNKS),
        (given, all, documents) => {
          const sets = given.map((spec) => lowsOf(documents, spec));
          // The chunk that counts comes second, so that documents and lower bits differ.
          const packed = pack([sets.map(() => []), sets], [CHUNK_DOCUMENTS, documents]);
          const chunk = { key: 1, documents };
          const models = sets.map((list) => bytesOf(list, documents));
          const size = CHUNK_DOCUMENTS + documents;
          for (const tree of all) {
            const value = newValue();
            const expected = modelOf(tree, models, { base: CHUNK_DOCUMENTS, documents });
            nodeOf(tree, packed, size).evaluate(chunk, value, 0);
            expectLows(value, documents, expected);
            for (const low of [0, 31, 32, 4096, documents - 1]) {
              if (low < documents) expect(Number(hasLow(value, low))).toBe(expected[low]);
            }
          }
          const whole = { kind: 'all', children: all } as const;
          const value = newValue();
          nodeOf(whole, packed, size).evaluate(chunk, value, 0);
          expectLows(value, documents, modelOf(whole, models, { base: CHUNK_DOCUMENTS, documents }));
        },
      ),
      { numRuns: 30 },
    );
  });

  test('visit any stretch of what they found', () => {
    fc.assert(
      fc.property(setSpec, fc.nat(65_536), fc.nat(65_536), (spec, a, b) => {
        const list = lowsOf(CHUNK_DOCUMENTS, spec);
        const packed = pack([[list]], [CHUNK_DOCUMENTS]);
        const value = newValue();
        anySetNode(work, [{ sets: packed, set: 0 }], 1).evaluate({ key: 0, documents: CHUNK_DOCUMENTS }, value, 0);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const found: number[] = [];
        visitLows(value, { from, to }, (low) => void found.push(low));
        expect(found.join()).toBe(list.filter((low) => low >= from && low < to).join());
      }),
      { numRuns: 60 },
    );
  });
});

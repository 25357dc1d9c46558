/**
 * Operations on sets of document ordinals, microseconds per call (p50 and p95 of the samples), beside plain words of the
 * whole range in the same run, whose answers are compared first. A result set knows its size, a result of plain words
 * does not: its count would come on top. `node bench/sets/run.ts`; the workload is workload.json.
 */
import { createRequire } from 'node:module';
import {
  fromSorted,
  type IdSet,
  intersect,
  intersectionSize,
  intersects,
  subtract,
  unite,
} from '../../src/search/bitmap/sets/index.ts';
import { createRandom } from '../tag-lookup/generator.ts';
import { plainAnd, plainAndNot, plainAny, plainCount, plainOr, plainWalk, plainWords } from './plain-words.ts';
import workload from './workload.json' with { type: 'json' };

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Every result goes here, so that no work can be left out. */
let sink = 0;

function microseconds(work: () => number): string {
  const run = (calls: number): number => {
    const start = performance.now();
    for (let call = 0; call < calls; call += 1) sink += work();
    return performance.now() - start;
  };
  let calls = 1;
  while (run(calls) < workload.sample_ms) calls *= 2;
  const samples = Array.from({ length: workload.samples }, () => (run(calls) / calls) * 1000).sort((a, b) => a - b);
  const at = (share: number): string => (samples[Math.floor(samples.length * share)] ?? 0).toFixed(2).padStart(9);
  return `${at(0.5)} ${at(0.95)}`;
}

const random = createRandom(workload.seed);

function draw(range: number, density: number): Uint32Array {
  const values = new Uint32Array(range);
  let size = 0;
  for (let value = 0; value < range; value += 1) {
    if (random() < density) {
      values[size] = value;
      size += 1;
    }
  }
  return values.slice(0, size);
}

function walkSum(set: IdSet, from: { readonly start: number; readonly count: number }): number {
  let sum = 0;
  let left = from.count;
  set.walk(from.start, (value) => {
    sum += value;
    left -= 1;
    return left > 0;
  });
  return sum;
}

type Both = { readonly set: IdSet; readonly words: Uint32Array };

function drawBoth(range: number, density: number): Both {
  const values = draw(range, density);
  return { set: fromSorted(values), words: plainWords(range, values) };
}

function compare(name: string, ours: () => number, peer: () => number): void {
  print(`  ${name.padEnd(26)} ${microseconds(ours)}   ${microseconds(peer)}`);
}

function expectSame(name: string, set: IdSet, words: Uint32Array): void {
  const expected = plainCount(words, words);
  const same = set.size === expected && plainCount(plainWords(words.length * 32, set.toArray()), words) === expected;
  if (!same) throw new Error(`${name}: expected the ${expected} values of the plain words, received ${set.size}`);
}

function measurePair(range: number, name: string, [a, b]: readonly [Both, Both]): void {
  expectSame(`AND ${name}`, intersect([a.set, b.set]), plainAnd(a.words, b.words));
  expectSame(`ANDNOT ${name}`, subtract(a.set, b.set), plainAndNot(a.words, b.words));
  if (intersectionSize(a.set, b.set) !== plainCount(a.words, b.words)) throw new Error(`AND count ${name} differs`);
  if (intersects(a.set, b.set) !== plainAny(a.words, b.words)) throw new Error(`any in common ${name} differs`);
  compare(
    `AND count ${name}`,
    () => intersectionSize(a.set, b.set),
    () => plainCount(a.words, b.words),
  );
  compare(
    `AND ${name}`,
    () => intersect([a.set, b.set]).size,
    () => plainAnd(a.words, b.words).length,
  );
  compare(
    `ANDNOT ${name}`,
    () => subtract(a.set, b.set).size,
    () => plainAndNot(a.words, b.words).length,
  );
  compare(
    `any in common ${name}`,
    () => Number(intersects(a.set, b.set)),
    () => Number(plainAny(a.words, b.words)),
  );
  const from = { start: range >>> 1, count: workload.iterated_values };
  if (walkSum(a.set, from) !== plainWalk(a.words, from)) throw new Error(`iterate ${name} differs`);
}

function measure(range: number): void {
  print(`${range} documents              sets  p50       p95      words p50       p95   (us)`);
  const pairs = workload.densities.map((density) => [drawBoth(range, density), drawBoth(range, density)] as const);
  for (const [at, density] of workload.densities.entries()) {
    const name = `${density * 100} %`;
    const [a, b] = pairs[at] ?? [];
    if (!a || !b) continue;
    measurePair(range, name, [a, b]);
    const from = { start: range >>> 1, count: workload.iterated_values };
    compare(
      `iterate ${from.count} ${name}`,
      () => walkSum(a.set, from),
      () => plainWalk(a.words, from),
    );
    const many = Array.from({ length: workload.united_sets }, () => drawBoth(range, density));
    const [sets, words] = [many.map((both) => both.set), many.map((both) => both.words)];
    expectSame(`OR ${name}`, unite(sets), plainOr(words));
    compare(
      `OR of ${sets.length} ${name}`,
      () => unite(sets).size,
      () => plainOr(words).length,
    );
    print(
      `  memory ${name.padEnd(19)} ${(a.set.bytes / 1024).toFixed(0).padStart(9)} KiB              ${(a.words.byteLength / 1024).toFixed(0)} KiB`,
    );
  }
  const [dense, rare] = [pairs[0]?.[0], pairs.at(-1)?.[0]];
  if (dense && rare) measurePair(range, 'rare, dense', [rare, dense]);
}

print(`seed ${workload.seed}, Node ${process.version}`);
try {
  createRequire(import.meta.url).resolve('roaring');
  print('the package roaring is here, but this bench does not measure it');
} catch {
  print('the package roaring is not installed: plain words are the only peer');
}
for (const range of workload.ranges) measure(range);
if (!Number.isFinite(sink)) throw new Error('expected finite results');

/**
 * Operations on sets of documents, microseconds per call (p50 and p95 of the samples): chunks worked on by the kernels of
 * the index, beside CRoaring and plain words of the whole range in the same run. The answers of all are compared value by
 * value first. Results of ours and CRoaring's know their size, plain words do not. Random sets, so that CRoaring's run
 * containers would not come up. `node bench/sets/run.ts [--roaring=<folder of the package>]`; the workload is workload.json.
 */
import { parseArgs } from 'node:util';
import { createRandom } from '../tag-lookup/generator.ts';
import {
  type ChunkedSet,
  chunkedAnd,
  chunkedAndNot,
  chunkedCount,
  chunkedOr,
  chunkedSet,
  chunkedSize,
  chunkedValues,
} from './chunked-sets.ts';
import { type PlainWords, plainAnd, plainAndNot, plainCount, plainOr, plainWords } from './plain-words.ts';
import { findRoaring, HOW_TO_INSTALL, type RoaringSet } from './roaring.ts';
import workload from './workload.json' with { type: 'json' };

const { documents, united_sets: unitedSets } = workload;
const { values: options } = parseArgs({ options: { roaring: { type: 'string' } } });
const Roaring = findRoaring(options.roaring);
const random = createRandom(workload.seed);
/** Every result goes here, so that no work can be left out. */
let sink = 0;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

type Time = { readonly p50: number; readonly p95: number };

function microseconds(work: () => number): Time {
  const run = (calls: number): number => {
    const start = performance.now();
    for (let call = 0; call < calls; call += 1) sink += work();
    return performance.now() - start;
  };
  let calls = 1;
  while (run(calls) < workload.sample_ms) calls *= 2;
  const samples = Array.from({ length: workload.samples }, () => (run(calls) / calls) * 1000).sort((a, b) => a - b);
  return { p50: samples[samples.length >>> 1] ?? 0, p95: samples[Math.floor(samples.length * 0.95)] ?? 0 };
}

/** One set in all its forms. */
type Forms = { readonly ours: ChunkedSet; readonly words: PlainWords; readonly roaring: RoaringSet | undefined };

function draw(density: number): Forms {
  const values = new Uint32Array(documents);
  let size = 0;
  for (let value = 0; value < documents; value += 1) {
    if (random() >= density) continue;
    values[size] = value;
    size += 1;
  }
  const drawn = values.slice(0, size);
  return { ours: chunkedSet(drawn), words: plainWords(documents, drawn), roaring: Roaring && new Roaring(drawn) };
}

/** One operation by all; `roaring` is undefined without the package. */
type Operation<Ours, Words, Theirs> = {
  readonly ours: () => Ours;
  readonly words: () => Words;
  readonly roaring: (() => Theirs) | undefined;
};
type SetOperation = Operation<ChunkedSet, PlainWords, RoaringSet>;

function expectSame(name: string, { ours, words, roaring }: SetOperation): void {
  const expected = words();
  for (const [who, values] of [
    ['ours', chunkedValues(ours())],
    ['CRoaring', roaring?.().toUint32Array()],
  ] as const) {
    if (values === undefined) continue;
    const same = plainWords(documents, values).every((word, at) => word === expected[at]);
    if (!same) throw new Error(`${name}: ${who} and plain words differ, ${values.length} values`);
  }
}

function report(name: string, { ours, words, roaring }: Operation<number, number, number>): void {
  const columns = [ours, roaring, words].map((work) => (work ? microseconds(work) : undefined));
  const cell = (time: Time | undefined): string =>
    time
      ? `${time.p50.toFixed(2).padStart(10)} ${time.p95.toFixed(2).padStart(10)}`
      : `${'-'.padStart(10)} ${'-'.padStart(10)}`;
  const [first, second] = columns;
  const ratio = first && second ? (first.p50 / second.p50).toFixed(2) : '-';
  print(`${name.padEnd(28)}${columns.map(cell).join(' ')} ${ratio.padStart(10)}`);
}

function compare(name: string, operation: SetOperation): void {
  expectSame(name, operation);
  const { ours, words, roaring } = operation;
  report(name, {
    ours: () => chunkedSize(ours()),
    words: () => words().length,
    roaring: roaring && (() => roaring().size),
  });
}

const percent = (density: number): string => `${Number((density * 100).toFixed(4))} %`;

function measurePair(name: string, [a, b]: readonly [Forms, Forms]): void {
  const { roaring: left } = a;
  const { roaring: right } = b;
  const both = Roaring && left && right ? { Roaring, left, right } : undefined;
  const count = {
    ours: () => chunkedCount(a.ours, b.ours),
    words: () => plainCount(a.words, b.words),
    roaring: both && (() => both.left.andCardinality(both.right)),
  };
  const counts = [count.ours(), count.words(), count.roaring?.() ?? count.words()];
  if (new Set(counts).size !== 1) throw new Error(`AND count ${name}: the counts differ, ${counts.join(', ')}`);
  report(`AND count ${name}`, count);
  compare(`AND ${name}`, {
    ours: () => chunkedAnd(a.ours, b.ours),
    words: () => plainAnd(a.words, b.words),
    roaring: both && (() => both.Roaring.and(both.left, both.right)),
  });
  compare(`AND NOT ${name}`, {
    ours: () => chunkedAndNot(a.ours, b.ours),
    words: () => plainAndNot(a.words, b.words),
    roaring: both && (() => both.Roaring.andNot(both.left, both.right)),
  });
}

function measureUnion(density: number): void {
  const many = Array.from({ length: unitedSets }, () => draw(density));
  const [ours, words] = [many.map((forms) => forms.ours), many.map((forms) => forms.words)];
  const theirs = many.flatMap(({ roaring }) => (roaring ? [roaring] : []));
  compare(`OR of ${unitedSets} ${percent(density)}`, {
    ours: () => chunkedOr(ours),
    words: () => plainOr(words),
    roaring: Roaring && (() => Roaring.orMany(theirs)),
  });
}

print(`seed ${workload.seed}, Node ${process.version}, ${documents} documents, microseconds`);
print(Roaring ? `CRoaring ${Roaring.CRoaringVersion}` : HOW_TO_INSTALL);
print(
  `${' '.repeat(28)}${['ours', 'p95', 'CRoaring', 'p95', 'words', 'p95', 'ours/CR.'].map((head) => head.padStart(10)).join(' ')}`,
);
for (const [first = 0, second = 0] of workload.pairs) {
  const name = first === second ? percent(first) : `${percent(first)}, ${percent(second)}`;
  measurePair(name, [draw(first), draw(second)]);
  if (first === second) measureUnion(first);
}
if (!Number.isFinite(sink)) throw new Error('expected finite results');

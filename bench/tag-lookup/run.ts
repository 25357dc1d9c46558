/**
 * Tag lookup at 100,000 tag options: time per search by kind of query, beside a linear scan with the same rules, whose
 * answers are compared with the index's in the same run. `node bench/tag-lookup/run.ts`; the workload is workload.json.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  createTagLookupIndex,
  type TagLookupIndex,
  type TagLookupRecord,
  type TagLookupRequest,
} from '../../src/search/tag-lookup/index.ts';
import { createLinearScan } from '../../src/search/tag-lookup/linear-scan.ts';
import { createRandom, generateLibrary, pick } from './generator.ts';
import { generateRequests } from './queries.ts';
import workload from './workload.json' with { type: 'json' };

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

function timed<T>(work: () => T): { readonly ms: number; readonly value: T } {
  const start = performance.now();
  const value = work();
  return { ms: performance.now() - start, value };
}

function quantile(sorted: readonly number[], share: number): string {
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(3).padStart(8);
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  return `p50 ${quantile(sorted, 0.5)}  p95 ${quantile(sorted, 0.95)}  p99 ${quantile(sorted, 0.99)}  max ${quantile(sorted, 1)} ms`;
}

function build(library: readonly TagLookupRecord[]): TagLookupIndex {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const { ms, value: index } = timed(() => {
    const built = createTagLookupIndex();
    built.upsert(library);
    return built;
  });
  globalThis.gc?.();
  const after = process.memoryUsage();
  const real = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  const measured = globalThis.gc ? `, measured growth ${(real / 2 ** 20).toFixed(1)} MiB beside the records` : '';
  print(`build ${ms.toFixed(0)} ms, estimate ${(index.bytes / 2 ** 20).toFixed(1)} MiB with the records${measured}`);
  return index;
}

function changes(index: TagLookupIndex, library: readonly TagLookupRecord[]): void {
  const random = createRandom(workload.seed + 1);
  const counts: number[] = [];
  const renames: number[] = [];
  for (let at = 0; at < 5000; at += 1) {
    const record = pick(random, library);
    counts.push(timed(() => index.upsert([{ ...record, mediaCount: record.mediaCount + 1 }])).ms);
    const label = `${record.label} ${pick(random, library).label.slice(1)}x${at}`;
    renames.push(timed(() => index.upsert([{ ...record, label }])).ms);
    index.upsert([record]);
  }
  print(`upsert, count only    ${summary(counts)}`);
  print(`upsert, new words     ${summary(renames)}`);
}

function compare(
  name: string,
  requests: readonly TagLookupRequest[],
  engines: {
    readonly index: TagLookupIndex;
    readonly scan: (request: TagLookupRequest) => unknown;
  },
): readonly number[] {
  const { index, scan } = engines;
  for (const request of requests.slice(0, 50)) index.search(request);
  // The median of three runs: other programs on the machine interrupt one of them at most. Rounds over all requests, so
  // that no run profits from the caches that the one before has filled.
  const rounds = [0, 1, 2].map(() => requests.map((request) => timed(() => index.search(request)).ms));
  const times = requests.map((_, at) => rounds.map((round) => round[at] ?? 0).toSorted((a, b) => a - b)[1] ?? 0);
  const step = Math.max(1, Math.floor(requests.length / workload.checked_per_class));
  const checked = requests.filter((_, at) => at % step === 0);
  const peer = checked.map((request) => {
    const { ms, value } = timed(() => scan(request));
    if (!isDeepStrictEqual(index.search(request), value))
      throw new Error(`answers differ for ${JSON.stringify(request)}`);
    return ms;
  });
  const scanP50 = quantile(
    peer.toSorted((a, b) => a - b),
    0.5,
  );
  print(`${name.padEnd(12)} ${summary(times)}   linear scan p50 ${scanP50} ms (${checked.length} answers equal)`);
  return times;
}

const library = generateLibrary(workload.records, createRandom(workload.seed));
print(`${library.length} tag options, seed ${workload.seed}, Node ${process.version}`);
const index = build(library);
changes(index, library);
const scan = createLinearScan(library);
const all = workload.classes.flatMap((name, at) => {
  const random = createRandom(workload.seed + 100 + at);
  const options = { library, random, count: workload.queries_per_class, pageSize: workload.page_size };
  return compare(name, generateRequests(name, options), { index, scan });
});
print(`${'all'.padEnd(12)} ${summary(all)}`);

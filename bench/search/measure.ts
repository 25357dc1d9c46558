/** One class of queries on every engine, with their answers compared. */
import { isDeepStrictEqual } from 'node:util';
import type { LibraryScope } from '../../src/auth/index.ts';
import type { EngineRequest, EngineResult, SearchEngine } from '../../src/search/engine.ts';
import type { Lucene, LuceneAnswer, Variant } from './lucene.ts';
import { median, timed } from './statistics.ts';
import workload from './workload.json' with { type: 'json' };

export type Engines = {
  readonly scope: LibraryScope;
  readonly bitmap: SearchEngine | undefined;
  readonly postgres: SearchEngine | undefined;
  readonly lucene: Lucene | undefined;
};

export type ClassResult = {
  readonly name: string;
  readonly matches: number;
  readonly queries: number;
  readonly bitmapMs: readonly number[];
  readonly postgresMs: readonly number[];
  readonly luceneMs: readonly number[];
  /** The variant of Lucene that was quickest. */
  readonly variant: Variant | undefined;
};

function differ(name: string, request: EngineRequest, answers: readonly unknown[]): never {
  const { filter, sort, offset } = request;
  const texts = answers.map((answer) => JSON.stringify(answer)?.slice(0, 2000));
  throw new Error(`${name}: answers differ for ${JSON.stringify({ filter, sort, offset })}:\n${texts.join('\n')}`);
}

/** The same ranking is not asked of Lucene: its BM25 is another one. The total is. */
function checkLucene(name: string, request: EngineRequest, expected: EngineResult, found: LuceneAnswer): void {
  const facets = (result: EngineResult) =>
    result.facets.map((facet) => facet.map(({ key, count }) => [String(key), count]));
  const same =
    found.total === expected.total &&
    (request.sort.field === 'relevance' || isDeepStrictEqual(found.ids, expected.ids)) &&
    isDeepStrictEqual(found.facets, facets(expected));
  if (!same) differ(name, request, [expected, found]);
}

const VARIANTS: readonly Variant[] = [false, true].flatMap((cache) =>
  ([1, 2] as const).map((passes) => ({ passes, cache, counting: 'ordinals' as const })),
);
const FACET_VARIANTS: readonly Variant[] = VARIANTS.flatMap((variant) => [
  variant,
  { ...variant, counting: 'numbers' as const },
]);

/** Mistyped words are left out: Lucene has no rule when to forgive them. */
export const asksLucene = (name: string): boolean => name !== 'text_typo';

/** Enough searches of every class that Java has compiled what they run. */
export async function warmUpLucene(
  lucene: Lucene,
  requests: ReadonlyMap<string, readonly EngineRequest[]>,
): Promise<number> {
  let answered = 0;
  for (let round = 0; answered < workload.lucene_warm_up_queries; round += 1) {
    for (const [name, ofClass] of requests) {
      const request = ofClass[round % ofClass.length];
      if (!request || !asksLucene(name)) continue;
      const variants = request.facets.length > 0 ? FACET_VARIANTS : VARIANTS;
      const variant = variants[round % variants.length];
      if (variant) await lucene.search(request, variant);
      answered += 1;
    }
  }
  return answered;
}

async function measureLucene(
  lucene: Lucene,
  options: {
    readonly name: string;
    readonly requests: readonly EngineRequest[];
    readonly warmUp: readonly EngineRequest[];
    readonly expected: readonly (EngineResult | undefined)[];
  },
): Promise<{ readonly ms: readonly number[]; readonly variant: Variant | undefined }> {
  let best: { readonly ms: readonly number[]; readonly variant: Variant } | undefined;
  const variants = options.requests.some((request) => request.facets.length > 0) ? FACET_VARIANTS : VARIANTS;
  for (const variant of variants) {
    await lucene.clearCache();
    for (const request of options.warmUp) await lucene.search(request, variant);
    const ms: number[] = [];
    for (const [at, request] of options.requests.entries()) {
      const found = await lucene.search(request, variant);
      const expected = options.expected[at];
      if (expected) checkLucene(options.name, request, expected, found);
      ms.push(found.nanos / 1e6);
    }
    if (!best || median(ms) < median(best.ms)) best = { ms, variant };
  }
  return { ms: best?.ms ?? [], variant: best?.variant };
}

/**
 * Every request on the bitmap engine and on Lucene, and as many as fit into `postgresBudgetMs` (at least
 * `postgres_queries_at_least`) on PostgreSQL. @throws Error when two answers differ
 */
export async function measureClass(
  name: string,
  engines: Engines,
  options: {
    readonly requests: readonly EngineRequest[];
    readonly warmUp: readonly EngineRequest[];
    readonly postgresBudgetMs: number;
  },
): Promise<ClassResult> {
  const { scope, bitmap, postgres, lucene } = engines;
  const { requests, warmUp } = options;
  const bitmapMs: number[] = [];
  const postgresMs: number[] = [];
  const expected: (EngineResult | undefined)[] = [];
  for (const request of warmUp) await bitmap?.search(scope, request);
  for (const request of warmUp.slice(0, workload.postgres_warm_up_queries)) await postgres?.search(scope, request);
  let spentMs = 0;
  for (const request of requests) {
    const asked = postgresMs.length < workload.postgres_queries_at_least || spentMs < options.postgresBudgetMs;
    const theirs = postgres && asked ? await timed(() => postgres.search(scope, request)) : undefined;
    if (theirs) {
      postgresMs.push(theirs.ms);
      spentMs += theirs.ms;
    }
    const ours = bitmap && (await timed(() => bitmap.search(scope, request)));
    if (ours) bitmapMs.push(ours.ms);
    if (ours && theirs && !isDeepStrictEqual(ours.value, theirs.value)) {
      differ(name, request, [ours.value, theirs.value]);
    }
    expected.push(ours?.value ?? theirs?.value);
  }
  const measured = lucene && asksLucene(name) && (await measureLucene(lucene, { name, requests, warmUp, expected }));
  return {
    name,
    matches: median(expected.flatMap((one) => (one ? [one.total] : []))),
    queries: requests.length,
    bitmapMs,
    postgresMs,
    luceneMs: measured ? measured.ms : [],
    variant: measured ? measured.variant : undefined,
  };
}

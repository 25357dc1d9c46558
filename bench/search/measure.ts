/** One class of queries on every engine, with their answers compared. */
import { isDeepStrictEqual } from 'node:util';
import type { LibraryScope } from '../../src/auth/index.ts';
import type { ActionEngineRequest, EngineRequest, EngineResult, SearchEngine } from '../../src/search/engine.ts';
import type { Lucene, LuceneAnswer, Variant } from './lucene.ts';
import { median, timed } from './statistics.ts';
import workload from './workload.json' with { type: 'json' };

export type AnyRequest = EngineRequest | ActionEngineRequest;

const isOfActions = (request: AnyRequest): request is ActionEngineRequest => 'media' in request;

function ask(engine: SearchEngine, scope: LibraryScope, request: AnyRequest): Promise<EngineResult> {
  return isOfActions(request) ? engine.searchActions(scope, request) : engine.search(scope, request);
}

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

function differ(name: string, request: AnyRequest, answers: readonly unknown[]): never {
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

/** Mistyped words are left out: Lucene has no rule when to forgive them. Actions are not in its index. */
export const asksLucene = (name: string): boolean => name !== 'text_typo' && !name.startsWith('action');

/** One of each class in turn, from the first requests to the last, `count` in all. */
function* inTurn(
  requests: ReadonlyMap<string, readonly AnyRequest[]>,
  count: number,
): Generator<readonly [name: string, request: AnyRequest, round: number]> {
  for (let given = 0, round = 0; given < count; round += 1) {
    for (const [name, ofClass] of requests) {
      const request = ofClass[round % ofClass.length];
      if (!request) continue;
      yield [name, request, round];
      given += 1;
    }
  }
}

/** Enough searches of every class that Java and V8 have compiled what they run. */
export async function warmUp(
  { bitmap, lucene, scope }: Engines,
  requests: ReadonlyMap<string, readonly AnyRequest[]>,
): Promise<void> {
  for (const [name, request, round] of inTurn(requests, workload.warm_up_queries_in_all)) {
    if (!lucene || !asksLucene(name) || isOfActions(request)) continue;
    const variants = request.facets.length > 0 ? FACET_VARIANTS : VARIANTS;
    const variant = variants[round % variants.length];
    if (variant) await lucene.search(request, variant);
  }
  for (const [, request] of inTurn(requests, workload.warm_up_queries_in_all))
    if (bitmap) await ask(bitmap, scope, request);
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

/** As many rounds as Lucene has variants, so that both have the same chances of an undisturbed one. */
async function measureBitmap(
  bitmap: SearchEngine,
  scope: LibraryScope,
  options: { readonly requests: readonly AnyRequest[]; readonly warmUp: readonly AnyRequest[] },
): Promise<{ readonly ms: readonly number[]; readonly answers: readonly EngineResult[] }> {
  let best: readonly number[] | undefined;
  let answers: EngineResult[] = [];
  for (let round = 0; round < VARIANTS.length; round += 1) {
    for (const request of options.warmUp) await ask(bitmap, scope, request);
    const ms: number[] = [];
    answers = [];
    for (const request of options.requests) {
      const found = await timed(() => ask(bitmap, scope, request));
      ms.push(found.ms);
      answers.push(found.value);
    }
    if (!best || median(ms) < median(best)) best = ms;
  }
  return { ms: best ?? [], answers };
}

/**
 * Every request on the bitmap engine and on Lucene, and as many as fit into `postgresBudgetMs` on PostgreSQL. @throws Error when two answers differ
 */
export async function measureClass(
  name: string,
  engines: Engines,
  options: {
    readonly requests: readonly AnyRequest[];
    readonly warmUp: readonly AnyRequest[];
    /** PostgreSQL answers at least so many, and goes on while the time lasts. */
    readonly postgresQueries: number;
    readonly postgresBudgetMs: number;
  },
): Promise<ClassResult> {
  const { scope, bitmap, postgres, lucene } = engines;
  const { requests, warmUp } = options;
  const postgresMs: number[] = [];
  const byPostgres: EngineResult[] = [];
  for (const request of warmUp.slice(0, options.postgresQueries - 1)) {
    if (postgres) await ask(postgres, scope, request);
  }
  let spentMs = 0;
  for (const request of requests) {
    if (!postgres) break;
    if (postgresMs.length >= options.postgresQueries && spentMs >= options.postgresBudgetMs) break;
    const found = await timed(() => ask(postgres, scope, request));
    postgresMs.push(found.ms);
    byPostgres.push(found.value);
    spentMs += found.ms;
  }
  const ours = bitmap ? await measureBitmap(bitmap, scope, { requests, warmUp }) : { ms: [], answers: [] };
  const expected = requests.map((request, at) => {
    const [mine, theirs] = [ours.answers[at], byPostgres[at]];
    if (mine && theirs && !isDeepStrictEqual(mine, theirs)) differ(name, request, [mine, theirs]);
    return mine ?? theirs;
  });
  const ofAssets = (given: readonly AnyRequest[]) => given.flatMap((one) => (isOfActions(one) ? [] : [one]));
  const asked = { name, requests: ofAssets(requests), warmUp: ofAssets(warmUp), expected };
  const measured = lucene && asksLucene(name) && (await measureLucene(lucene, asked));
  return {
    name,
    matches: median(expected.flatMap((one) => (one ? [one.total] : []))),
    queries: requests.length,
    bitmapMs: ours.ms,
    postgresMs,
    luceneMs: measured ? measured.ms : [],
    variant: measured ? measured.variant : undefined,
  };
}

import { type FacetBucket, type FacetRequest, PAGE_SIZE, type SearchRequest } from '../api/media-search.ts';

/**
 * The results of a search as blocks of up to 60, each of which is asked for by itself. A page deep inside a large result
 * costs the service time that grows with its depth, so results in the order of a date are taken in sections, by month or week:
 * their counts say which section a place is in, and within it no page is deep.
 */
export type Section = { readonly request: SearchRequest; readonly count: number };
/** A part of a page: its results from one index to another. */
export type Slice = {
  readonly request: SearchRequest;
  readonly page: number;
  readonly from: number;
  readonly to: number;
};

/** Below this no page is deep. */
const MIN_TOTAL_FOR_SECTIONS = 6000;
/** Weeks rather than months from here on, so that sections stay at some ten thousand. */
const MIN_TOTAL_FOR_WEEKS = 250_000;
/** As many buckets of time as the service answers; more than these would not be counted. */
const MAX_BUCKETS = 1000;

type DateField = 'captured_at' | 'created_at';

const dateFieldOf = (sort: string): DateField | undefined => {
  const field = sort.replace(/^-/, '');
  return field === 'captured_at' || field === 'created_at' ? field : undefined;
};

/** The counts that `sectionsOf` needs; undefined where pages by number are good enough. */
export function sectionFacet(request: SearchRequest, total: number): (FacetRequest & object) | undefined {
  const field = dateFieldOf(request.sort);
  if (field === undefined || total < MIN_TOTAL_FOR_SECTIONS) return undefined;
  return { field, interval: total < MIN_TOTAL_FOR_WEEKS ? 'month' : 'week', limit: MAX_BUCKETS };
}

/** A request for those of its results that meet another filter as well. */
function narrowed(request: SearchRequest, filter: SearchRequest['filter']): SearchRequest {
  const { all = [], ...rest } = request.filter;
  return { ...request, filter: { ...rest, all: [...all, filter] } };
}

export function sectionsOf(
  request: SearchRequest,
  total: number,
  counted: readonly FacetBucket[] | undefined,
): readonly Section[] {
  const whole = [{ request, count: total }];
  const field = dateFieldOf(request.sort);
  if (field === undefined || !counted || counted.length === 0 || counted.length >= MAX_BUCKETS) return whole;
  const buckets = counted.map(({ value, count }) => ({ startsAt: String(value), count }));
  const sections: Section[] = buckets.map(({ startsAt, count }, index) => {
    // Times come in order. The end of a bucket is the beginning of the next: between them there is nothing.
    const end = buckets[index + 1]?.startsAt;
    const range = { gte: startsAt, ...(end !== undefined && { lt: end }) };
    return { request: narrowed(request, { [field]: range }), count };
  });
  if (request.sort.startsWith('-')) sections.reverse();
  const dated = buckets.reduce((sum, { count }) => sum + count, 0);
  if (dated < total) {
    const undated = narrowed(request, { [field]: { exists: false } });
    sections.push({ request: undated, count: total - dated });
  }
  return sections;
}

export const countBlocks = (total: number): number => Math.ceil(total / PAGE_SIZE);
export const blockOfIndex = (index: number): number => Math.floor(index / PAGE_SIZE);

/** Results at an index below this are taken from pages by number. */
export const SHALLOW_RESULTS = 3000;

/**
 * The parts of pages that hold the results of a block. Sections begin anywhere within a block, so that it takes two pages of
 * its section, and more where a section ends in it; neighbouring blocks share them.
 */
export function slicesOf(
  block: number,
  found: { readonly request: SearchRequest; readonly total: number; readonly sections: readonly Section[] },
): readonly Slice[] {
  const start = block * PAGE_SIZE;
  const end = Math.min(found.total, start + PAGE_SIZE);
  if (end <= SHALLOW_RESULTS || found.sections.length < 2) {
    return [{ request: found.request, page: block + 1, from: 0, to: end - start }];
  }
  const slices: Slice[] = [];
  let first = 0;
  for (const { request, count } of found.sections) {
    const from = Math.max(start, first) - first;
    const to = Math.min(end, first + count) - first;
    for (let at = from; at < to; at = (blockOfIndex(at) + 1) * PAGE_SIZE) {
      const page = blockOfIndex(at);
      const base = page * PAGE_SIZE;
      slices.push({ request, page: page + 1, from: at - base, to: Math.min(to - base, PAGE_SIZE) });
    }
    first += count;
    if (first >= end) break;
  }
  return slices;
}

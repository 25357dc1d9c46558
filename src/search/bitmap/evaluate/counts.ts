import { type FacetBucket, TIME_FACETS } from '../../engine.ts';

/** Counts of one facet over all segments, by key: an ID, a value, or the beginning of an interval in milliseconds. */
export class Counts {
  readonly #keys: (number | string)[] = [];
  readonly #counts: number[] = [];
  /** Where each key is; a single segment, which has each key once, needs none. */
  #places: Map<number | string, number> | undefined;
  #segments = 0;

  beginSegment(): void {
    this.#segments += 1;
    if (this.#segments === 2) this.#places = new Map(this.#keys.map((key, at) => [key, at]));
  }

  /** Adds to a key's count; once a segment for each key. */
  add(key: number | string, count: number): void {
    if (count === 0) return;
    const place = this.#places?.get(key);
    if (place !== undefined) {
      this.#counts[place] = (this.#counts[place] ?? 0) + count;
      return;
    }
    this.#places?.set(key, this.#keys.length);
    this.#keys.push(key);
    this.#counts.push(count);
  }

  /** The buckets, as src/search/engine.ts orders them. */
  buckets(facet: { readonly field: string; readonly limit: number }): FacetBucket[] {
    const { limit } = facet;
    if ((TIME_FACETS as readonly string[]).includes(facet.field)) {
      return this.#all()
        .sort((a, b) => Number(a.key) - Number(b.key))
        .slice(-limit)
        .map(({ key, count }) => ({ key: new Date(Number(key)).toISOString(), count }));
    }
    return limit > INSERTED_BUCKETS ? this.#all().sort(compareBuckets).slice(0, limit) : this.#largest(limit);
  }

  #all(): FacetBucket[] {
    return this.#keys.map((key, at) => ({ key, count: this.#counts[at] ?? 0 }));
  }

  /** Of thousands of players a facet shows thirty: each is put in its place among the largest, most of them nowhere. */
  #largest(limit: number): FacetBucket[] {
    const best: FacetBucket[] = [];
    let least = 0;
    for (let at = 0; at < this.#keys.length; at += 1) {
      const count = this.#counts[at] ?? 0;
      if (count < least) continue;
      const bucket = { key: this.#keys[at] ?? 0, count };
      let place = best.length;
      while (place > 0 && compareBuckets(best[place - 1] ?? bucket, bucket) > 0) place -= 1;
      if (place >= limit) continue;
      best.splice(place, 0, bucket);
      if (best.length > limit) best.pop();
      if (best.length === limit) least = best[limit - 1]?.count ?? 0;
    }
    return best;
  }
}

/** Longer lists are sorted as a whole. */
const INSERTED_BUCKETS = 64;

/** The larger count first, then the lesser key, texts by code point; the keys of a facet are all numbers or all texts. */
function compareBuckets(a: FacetBucket, b: FacetBucket): number {
  if (a.count !== b.count) return b.count - a.count;
  if (typeof a.key === 'number' || typeof b.key === 'number') return Number(a.key) - Number(b.key);
  return Buffer.compare(Buffer.from(a.key), Buffer.from(b.key));
}

import type { FacetRequest, ValueFacet } from '../../engine.ts';
import { CHUNK_DOCUMENTS, entryOf } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import { isKeyword } from '../segment/segment-builder.ts';
import { countOf, intersect, newValue, setEntry, visitLows, type Workspace } from './chunk-value.ts';
import type { Counts } from './counts.ts';
import { SINK_DEPTH } from './tag-counter.ts';
import { createTimeCounter } from './time-counter.ts';
import type { Sink } from './view.ts';

export type FacetSink = Sink & {
  /** Adds what was counted in this segment. */
  finish(counts: Counts): void;
};

/** Counts a chunk's documents in each of some sets. */
function createSetCounter(
  work: Workspace,
  segment: Segment,
  keyed: readonly { readonly set: number; readonly key: number | string }[],
): FacetSink {
  const found = new Float64Array(keyed.length);
  const one = newValue();
  return {
    take(chunk, value) {
      for (const [at, { set }] of keyed.entries()) {
        const entry = entryOf(segment.sets, set, chunk.key);
        if (entry < 0) continue;
        setEntry(one, segment.sets, { entry, documents: chunk.documents });
        intersect(work, work.level(SINK_DEPTH), { value: one, other: value });
        found[at] = (found[at] ?? 0) + countOf(work, one, chunk.documents);
      }
    },
    finish(counts) {
      for (const [at, { key }] of keyed.entries()) counts.add(key, found[at] ?? 0);
    },
  };
}

function createNumberCounter(segment: Segment, field: 'rating' | 'people_count'): FacetSink {
  const column = segment.columns[field];
  const found = new Map<number, number>();
  const byCode = new Uint32Array(256);
  return {
    take(chunk, value) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      const { codes } = column;
      visitLows(value, { from: 0, to: chunk.documents }, (low) => {
        if (codes) {
          const code = codes.byDocument[base + low] ?? 255;
          byCode[code] = (byCode[code] ?? 0) + 1;
          return;
        }
        const number = column.value(base + low);
        if (!Number.isNaN(number)) found.set(number, (found.get(number) ?? 0) + 1);
      });
    },
    finish(counts) {
      for (const [code, value] of (column.codes?.values ?? []).entries()) counts.add(value, byCode[code] ?? 0);
      for (const [value, count] of found) counts.add(value, count);
    },
  };
}

/** The sink of a facet that is not about tag options. */
export function createFacetSink(work: Workspace, segment: Segment, facet: FacetRequest): FacetSink {
  if ('interval' in facet) return createTimeCounter(work, segment, facet);
  if (facet.field === 'collection') {
    const keyed = Array.from(segment.collectionIds, (key, at) => ({ set: segment.tagIds.length + at, key }));
    return createSetCounter(work, segment, keyed);
  }
  if (isKeyword(facet.field)) {
    const { field } = facet;
    const values = segment.data.meta.valueSets
      .filter((text) => text.startsWith(`${field}=`))
      .map((text) => text.slice(field.length + 1));
    return createSetCounter(
      work,
      segment,
      values.map((key) => ({ set: segment.valueSet(field, key), key })),
    );
  }
  // Facets of tag options have a counter of their own.
  return createNumberCounter(segment, facet.field as Extract<ValueFacet, 'rating' | 'people_count'>);
}

import type { ActionFacetField, FacetRequest, ValueFacet } from '../../engine.ts';
import type { Documents } from '../segment/documents.ts';
import { type KeywordField, KEYWORD_FIELDS } from '../segment/fields.ts';
import type { NumberColumn } from '../segment/number-column.ts';
import { CHUNK_DOCUMENTS, entryOf } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import type { ActionDocuments } from '../segment/segment-actions.ts';
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
  segment: Documents,
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

function createNumberCounter(column: NumberColumn): FacetSink {
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

/** Counts the values of a field that have sets. */
function createValueCounter(work: Workspace, segment: Documents, field: string): FacetSink {
  return createSetCounter(
    work,
    segment,
    segment.valuesOf(field).map(({ value, set }) => ({ set, key: field === 'collection' ? Number(value) : value })),
  );
}

const isKeyword = (field: string): field is KeywordField => (KEYWORD_FIELDS as readonly string[]).includes(field);

/** The sink of a facet of assets that is neither about tag options nor about actions. */
export function createFacetSink(work: Workspace, segment: Segment, facet: FacetRequest): FacetSink {
  if ('interval' in facet) return createTimeCounter(work, segment, facet);
  if (facet.field === 'collection' || isKeyword(facet.field)) return createValueCounter(work, segment, facet.field);
  // The others have counters of their own.
  return createNumberCounter(segment.columns[facet.field as Extract<ValueFacet, 'rating' | 'people_count'>]);
}

/** The sink of a facet of actions that is not about their tag options. */
export function createActionFacetSink(work: Workspace, actions: ActionDocuments, field: ActionFacetField): FacetSink {
  if (field === 'type') return createNumberCounter(actions.columns.type_id);
  if (field === 'period' || field === 'minute') return createNumberCounter(actions.columns[field]);
  return createValueCounter(work, actions, field);
}

import type { ActionFacetField, FacetRequest, ValueFacet } from '../../engine.ts';
import type { Documents } from '../segment/documents.ts';
import { type KeywordField, KEYWORD_FIELDS } from '../segment/fields.ts';
import type { NumberColumn } from '../segment/number-column.ts';
import { CHUNK_DOCUMENTS, entryOf } from '../segment/packed-sets.ts';
import type { Segment } from '../segment/segment.ts';
import type { ActionDocuments } from '../segment/segment-actions.ts';
import { countOf, intersect, newValue, setEntry, type Workspace } from './chunk-value.ts';
import type { Counts } from './counts.ts';
import { lowsOf } from './lows.ts';
import { createTagCounter, SINK_DEPTH } from './tag-counter.ts';
import { createTimeCounter } from './time-counter.ts';
import type { Sink } from './view.ts';

export type FacetSink = Sink & {
  /** Adds what was counted in this segment. */
  finish(counts: Counts): void;
};

/** Counts a chunk's documents in each of some sets. */
function createSetCounter(
  work: Workspace,
  segment: Pick<Documents, 'sets'>,
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

function createNumberCounter(work: Workspace, column: NumberColumn): FacetSink {
  const found = new Map<number, number>();
  const byCode = new Uint32Array(256);
  const { codes } = column;
  return {
    take(chunk, value, size) {
      const base = chunk.key * CHUNK_DOCUMENTS;
      const lows = lowsOf(work, value, { count: size, documents: chunk.documents });
      if (codes) {
        const { byDocument } = codes;
        for (let at = 0; at < lows.length; at += 1) {
          const code = byDocument[base + (lows[at] ?? 0)] ?? 255;
          byCode[code] = (byCode[code] ?? 0) + 1;
        }
        return;
      }
      for (const low of lows) {
        const number = column.value(base + low);
        if (!Number.isNaN(number)) found.set(number, (found.get(number) ?? 0) + 1);
      }
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

/** Up to so many values are counted by their sets; of more, those of each document are looked at. */
const FEW_VALUES = 64;

/** Counts the texts of a field of the organization's own; nothing where no document has one. */
function createDetailCounter(work: Workspace, segment: Segment, field: number): FacetSink {
  const { details } = segment;
  if (!details) return { take: () => {}, finish: () => {} };
  const { from, to } = details.valueRange(field);
  if (to - from <= FEW_VALUES) {
    const keyed = Array.from({ length: to - from }, (_, at) => ({ set: from + at, key: details.value(from + at) }));
    return createSetCounter(work, details, keyed);
  }
  const counter = createTagCounter(work, details, details.sets.count);
  return {
    take: (chunk, value, count) => counter.take(chunk, value, count),
    finish(counts) {
      const found = counter.finish();
      for (const set of found.sets) {
        const count = found.counts[set] ?? 0;
        if (set >= from && set < to && count > 0) counts.add(details.value(set), count);
      }
    },
  };
}

const isKeyword = (field: string): field is KeywordField => (KEYWORD_FIELDS as readonly string[]).includes(field);

/** The sink of a facet of assets that is neither about tag options nor about actions. */
export function createFacetSink(work: Workspace, segment: Segment, facet: FacetRequest): FacetSink {
  if ('detail' in facet) return createDetailCounter(work, segment, facet.detail.id);
  if ('interval' in facet) return createTimeCounter(work, segment, facet);
  if (facet.field === 'collection' || isKeyword(facet.field)) return createValueCounter(work, segment, facet.field);
  // The others have counters of their own.
  return createNumberCounter(work, segment.columns[facet.field as Extract<ValueFacet, 'rating' | 'people_count'>]);
}

/** The sink of a facet of actions that is not about their tag options. */
export function createActionFacetSink(work: Workspace, actions: ActionDocuments, field: ActionFacetField): FacetSink {
  if (field === 'type') return createNumberCounter(work, actions.columns.type_id);
  if (field === 'period' || field === 'minute') return createNumberCounter(work, actions.columns[field]);
  return createValueCounter(work, actions, field);
}

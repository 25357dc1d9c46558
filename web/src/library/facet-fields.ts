import type { FacetBucket, FacetRequest } from '../api/media-search.ts';
import type { ChipType, LibraryQuery, ValueField } from './query.ts';
import { findChip } from './query-edits.ts';

/** What the panel counts by, in its order. */
export type FacetField =
  | { readonly kind: 'chip'; readonly field: ChipType; readonly title: string }
  | {
      readonly kind: 'value';
      readonly field: ValueField;
      readonly title: string;
      readonly nameOf: (value: string | number) => string;
    };

const words = (value: string | number): string => {
  const text = String(value).replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export const FACET_FIELDS: readonly FacetField[] = [
  {
    kind: 'value',
    field: 'media_type',
    title: 'Kind',
    nameOf: (value) => (value === 'video' ? 'Videos' : 'Photos'),
  },
  { kind: 'chip', field: 'player', title: 'Players' },
  { kind: 'chip', field: 'club', title: 'Clubs' },
  { kind: 'chip', field: 'match', title: 'Matches' },
  { kind: 'chip', field: 'tag', title: 'Tags' },
  { kind: 'chip', field: 'competition', title: 'Competitions' },
  { kind: 'chip', field: 'sponsor', title: 'Sponsors' },
  { kind: 'chip', field: 'collection', title: 'Collections' },
  { kind: 'value', field: 'orientation', title: 'Orientation', nameOf: words },
  {
    kind: 'value',
    field: 'rating',
    title: 'Rating',
    nameOf: (value) => (Number(value) === 0 ? 'Rejected' : '★'.repeat(Number(value))),
  },
  {
    kind: 'value',
    field: 'people_count',
    title: 'Faces',
    nameOf: (value) => (Number(value) === 0 ? 'None' : Number(value) === 1 ? 'One' : String(value)),
  },
  { kind: 'value', field: 'usage', title: 'Usage', nameOf: words },
];

/** Values shown before somebody asks for more. */
export const SHOWN_VALUES = 6;

/** One of each: counted as if nothing had been chosen in the field itself, so that one can choose more of it. */
export const FACET_REQUESTS: readonly FacetRequest[] = FACET_FIELDS.map(({ kind, field }) => ({
  field,
  disjunctive: true,
  limit: kind === 'chip' ? SHOWN_VALUES + 1 : 12,
}));

export function nameOf(one: FacetField, bucket: FacetBucket): string {
  if (one.kind === 'value') return one.nameOf(bucket.value ?? '');
  return bucket.label ?? `${bucket.id ?? ''}`;
}

export function isChosen(query: LibraryQuery, one: FacetField, bucket: FacetBucket): boolean {
  if (one.kind === 'value') return bucket.value !== undefined && (query.values[one.field] ?? []).includes(bucket.value);
  return bucket.id !== undefined && findChip(query, { type: one.field, id: bucket.id }) !== undefined;
}

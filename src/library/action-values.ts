import type { Span } from './action-angles.ts';
import type { Action } from './action-types.ts';

/** What of an action a request decides. */
export type ActionValues = Omit<
  Action,
  'id' | 'mediaId' | 'places' | 'version' | 'createdBy' | 'updatedBy' | 'createdAt' | 'updatedAt'
>;

/** The values of an action as it is. */
export function valuesOf(action: Action): ActionValues {
  const {
    id: _id,
    mediaId: _mediaId,
    places: _places,
    version: _version,
    createdBy: _createdBy,
    updatedBy: _updatedBy,
    createdAt: _createdAt,
    updatedAt: _updatedAt,
    ...values
  } = action;
  return values;
}

/** The same text for the same content: members in order, since PostgreSQL's jsonb keeps an order of its own. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, canonical(member)]));
}

/** `real` columns keep 24 bits of a number. */
const asReal = (value: number | null): number | null => (value === null ? null : Math.fround(value));

/** Two states with the same text are the same, as far as people see. */
export function contentOf(values: ActionValues, place: Span | undefined): string {
  const { x, y, endX, endY, confidence, ...rest } = values;
  const reals = [x, y, endX, endY, confidence].map(asReal);
  const span = place && [place.startMs, place.endMs, place.eventMs];
  return JSON.stringify([canonical(rest), reals, span]);
}

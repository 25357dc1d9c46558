import { hash } from 'node:crypto';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, invalidField, SECOND_MS } from '../base/index.ts';
import type { IdResolver } from './filter/resolved-ids.ts';
import type { SearchNames } from './names.ts';
import type { FreshnessOptions } from './tag-lookup-follower.ts';
import type { TagWords } from './text/tag-words.ts';

/** What searches over assets and over actions do alike around their engine. */

/** Far beyond any search that answers a person; a filter that takes longer must not hold up the others. */
const TIMEOUT_MS = 30 * SECOND_MS;

/** One of the fields, with - in front for descending. @throws AppError `validation_failed` */
export function parseSort<Field extends string>(
  fields: readonly Field[],
  text: string,
): { readonly field: Field; readonly descending: boolean } {
  const descending = text.startsWith('-');
  const field = fields.find((one) => one === (descending ? text.slice(1) : text));
  if (!field) {
    const detail = `expected one of ${fields.join(', ')}, with - in front for descending, received ${text}`;
    throw invalidField('/sort', detail);
  }
  // Nobody asks for the worst first: with and without the sign it is the best.
  return { field, descending: descending || field === 'relevance' };
}

/** Members in order of their names, so that the same filter written in another order is the same filter. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`)
    .join(',')}}`;
}

/** A short name of a filter, for what cursors are bound to. */
export function fingerprintOf(filter: unknown): string {
  return hash('sha256', canonicalJson(filter), 'base64url');
}

/** For filters that have no text. */
export const NO_TAG_WORDS: TagWords = { withWord: () => [], withPhrase: () => [], similar: () => [] };

/** Ends the work with the request's own signal, or when the time is over. */
export async function limited<T>(
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', forward, { once: true });
  const timer = setTimeout(() => {
    const message = `The search took longer than ${TIMEOUT_MS / SECOND_MS} s: ask for fewer tests or facets.`;
    controller.abort(new AppError('overloaded', message));
  }, TIMEOUT_MS);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', forward);
  }
}

/** Looks up the IDs of one organization's filters. */
export function idResolverOf(names: SearchNames, scope: LibraryScope, fresh: FreshnessOptions): IdResolver {
  return {
    tags: (ids) => names.tags(scope, ids, fresh),
    actionTypes: (types) => names.actionTypes(scope, types, fresh),
    missingCollections: (ids) => names.missingCollections(scope, ids),
    detailFields: () => names.detailFields(scope),
  };
}

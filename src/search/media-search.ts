import { createHash } from 'node:crypto';
import { type LibraryScope, openCursor, sealCursor } from '../auth/index.ts';
import { invalidField } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { findMissingCollections, findTagSummaries } from '../library/index.ts';
import { type SearchEngine, SORT_FIELDS, type Sort, type SortField, type SortKey } from './engine.ts';
import { parseFilter } from './filter/filter-parser.ts';
import type { FilterInput } from './filter/filter-schema.ts';

export type MediaSearchRequest = {
  readonly filter: FilterInput;
  /** A field of SORT_FIELDS, `-` in front for descending. Default `-created_at`. */
  readonly sort?: string | undefined;
  readonly limit: number;
  /** 1-based; not together with a cursor. */
  readonly page?: number | undefined;
  readonly cursor?: string | undefined;
};

export type MediaSearchResult = {
  readonly ids: readonly number[];
  readonly total: number;
  readonly nextCursor: string | null;
};

export type MediaSearch = {
  /**
   * @throws AppError `validation_failed`, `unknown_tag_option`, `unknown_collection`, `cursor_invalid`
   */
  search(
    scope: LibraryScope,
    request: MediaSearchRequest,
    options: { readonly signingKey: Buffer },
  ): Promise<MediaSearchResult>;
};

function parseSort(text: string): Sort {
  const descending = text.startsWith('-');
  const field = descending ? text.slice(1) : text;
  if (!(SORT_FIELDS as readonly string[]).includes(field)) {
    throw invalidField(
      '/sort',
      `expected one of ${SORT_FIELDS.join(', ')}, with - in front for descending, received ${text}`,
    );
  }
  return { field: field as SortField, descending };
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

/** Search over one organization's assets: parses the filter, asks an engine, and keeps pages stable through cursors. */
export function createMediaSearch(options: { readonly db: Database; readonly engine: SearchEngine }): MediaSearch {
  const { db, engine } = options;
  return {
    async search(scope, request, { signingKey }) {
      const sortText = request.sort ?? '-created_at';
      const sort = parseSort(sortText);
      if (request.cursor !== undefined && request.page !== undefined) {
        throw invalidField('/page', 'expected either cursor or page, received both');
      }
      const filter = await parseFilter(request.filter, {
        tags: (ids) => findTagSummaries(db, scope, ids),
        missingCollections: (ids) => findMissingCollections(db, scope, ids),
      });
      const query = createHash('sha256').update(canonicalJson(request.filter)).digest('base64url');
      const purpose = `media:${scope.organizationId}:${sortText}:${query}`;
      const found = await engine.search(scope, {
        filter,
        sort,
        limit: request.limit,
        offset: request.page === undefined ? 0 : (request.page - 1) * request.limit,
        // Signed for this purpose by ourselves, so its payload is the key that was sealed.
        after: request.cursor === undefined ? undefined : (openCursor(signingKey, purpose, request.cursor) as SortKey),
      });
      return {
        ids: found.ids,
        total: found.total,
        nextCursor: found.nextKey ? sealCursor(signingKey, purpose, found.nextKey) : null,
      };
    },
  };
}

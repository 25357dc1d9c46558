import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import { invalidField } from '../base/index.ts';
import type { Queryable } from '../db/index.ts';
import type { LibraryWrite } from './changes-store.ts';
import { startFollowing } from './follow-position-store.ts';
import type { SavedSearch } from './saved-search-store.ts';

/** Each is asked about every change. */
export const MAX_NOTIFYING_SEARCHES = 50;
/** Assets that one event names. */
const PER_EVENT = 500;

/** Saved searches that tell when an asset begins to match, oldest first. */
export async function listNotifyingSearches(
  db: Queryable,
  scope: LibraryScope,
): Promise<readonly Pick<SavedSearch, 'id' | 'request' | 'version'>[]> {
  return db
    .selectFrom('saved_search')
    .select(['id', 'request', 'version'])
    .where('organization_id', '=', scope.organizationId)
    .where('notify', '=', true)
    .orderBy('id')
    .execute();
}

/** Of these assets those that the search found when it was asked last. */
export async function findNotifiedMatches(
  db: Queryable,
  scope: LibraryScope,
  asked: { readonly id: number; readonly mediaIds: readonly number[] },
): Promise<ReadonlySet<number>> {
  const found = await sql<{ id: number }>`SELECT m.media_id AS id FROM saved_search_match m
    JOIN saved_search s ON s.id = m.saved_search_id
    WHERE s.organization_id = ${scope.organizationId} AND s.id = ${asked.id}
      AND m.media_id = ANY (${[...asked.mediaIds]}::bigint[])`.execute(db);
  return new Set(found.rows.map(({ id }) => id));
}

/** Keeps what a search finds by now, with an event for what it did not find before; nothing when it was changed meanwhile. */
export async function noteNotifiedMatches(
  { tx, scope, record }: LibraryWrite,
  noted: {
    readonly id: number;
    readonly version: number;
    readonly begun: readonly number[];
    readonly ended: readonly number[];
  },
): Promise<void> {
  const { id } = noted;
  const present = await tx
    .selectFrom('saved_search')
    .select(['version', 'notify', 'name'])
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (present?.version !== noted.version || !present.notify) return;
  await sql`DELETE FROM saved_search_match WHERE saved_search_id = ${id}
    AND media_id = ANY (${[...noted.ended]}::bigint[])`.execute(tx);
  // An asset may have been purged meanwhile.
  const inserted = await sql<{ id: number }>`INSERT INTO saved_search_match (saved_search_id, media_id)
    SELECT ${id}, a.id FROM asset a WHERE a.organization_id = ${scope.organizationId}
      AND a.id = ANY (${[...noted.begun]}::bigint[]) ORDER BY a.id
    ON CONFLICT DO NOTHING RETURNING media_id AS id`.execute(tx);
  const ids = inserted.rows.map((row) => row.id).toSorted((a, b) => a - b);
  for (let at = 0; at < ids.length; at += PER_EVENT) {
    const data = { saved_search_id: id, name: present.name, media_ids: ids.slice(at, at + PER_EVENT) };
    record({ type: 'saved_search.matched', objectId: id, data });
  }
}

/**
 * Begins to tell: what the search finds already is no news, but for what is still being processed. It and the position of who follows the changes are of one state,
 * that of the write.
 * @throws AppError `validation_failed` for more searches than may tell
 */
export async function startNotifying(
  { tx, scope }: Pick<LibraryWrite, 'tx' | 'scope'>,
  start: { readonly id: number; readonly found: readonly number[] },
): Promise<void> {
  const others = (await listNotifyingSearches(tx, scope)).filter(({ id }) => id !== start.id);
  if (others.length >= MAX_NOTIFYING_SEARCHES) {
    const detail = `expected at most ${MAX_NOTIFYING_SEARCHES} saved searches that notify, received one more`;
    throw invalidField('/notify', detail);
  }
  await stopNotifying({ tx, scope }, start.id);
  await sql`INSERT INTO saved_search_match (saved_search_id, media_id)
    SELECT ${start.id}, a.id FROM asset a WHERE a.organization_id = ${scope.organizationId}
      AND a.id = ANY (${[...start.found]}::bigint[]) AND a.status NOT IN ('uploading', 'processing')`.execute(tx);
  await startFollowing(tx, scope);
}

/** Forgets what a search found. */
export async function stopNotifying({ tx, scope }: Pick<LibraryWrite, 'tx' | 'scope'>, id: number): Promise<void> {
  await sql`DELETE FROM saved_search_match WHERE saved_search_id = (SELECT id FROM saved_search
    WHERE organization_id = ${scope.organizationId} AND id = ${id})`.execute(tx);
}

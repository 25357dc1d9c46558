import { sql } from 'kysely';
import { type LibraryScope } from '../auth/index.ts';
import { AppError } from '../base/index.ts';
import { type Database, inTransaction, PREPARED, type Queryable, type Tx } from '../db/index.ts';
import { readOldestChange } from './change-retention-store.ts';

/** What a change can be. The feed carries them in commit order, one number per organization and change. */
export const CHANGE_TYPES = [
  'media.created',
  'media.ready',
  'media.failed',
  'media.updated',
  'media.tags_changed',
  'media.deleted',
  'media.restored',
  'media.purged',
  'action.created',
  'action.updated',
  'action.retracted',
  'tag_option.created',
  'tag_option.updated',
  'tag_option.merged',
  'tag_option.deleted',
  'collection.created',
  'collection.updated',
  'collection.deleted',
  'detail_field.created',
  'detail_field.updated',
  'detail_field.deleted',
  'saved_search.created',
  'saved_search.updated',
  'saved_search.deleted',
  'saved_search.matched',
  'rule.created',
  'rule.updated',
  'rule.deleted',
  'rule.matched',
  'rule.paused',
  'rule.broken',
  'clip.ready',
  'clip.failed',
  'delivery.queued',
  'delivery.succeeded',
  'delivery.failed',
  'delivery.exhausted',
  'destination.created',
  'destination.updated',
  'destination.deleted',
  'destination.verified',
  'destination.degraded',
  'webhook.disabled',
  'api_key.created',
  'api_key.revoked',
  'face_settings.updated',
  'image_settings.updated',
  'image_key.created',
  'image_key.revoked',
  'image_preset.created',
  'image_preset.updated',
  'image_preset.deleted',
  'watermark.created',
  'watermark.updated',
  'watermark.deleted',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

export type Change = {
  readonly type: ChangeType;
  readonly objectId: number;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** One write to one organization's library: the open transaction and the list of what it changes. */
export type LibraryWrite = {
  readonly tx: Tx;
  readonly scope: LibraryScope;
  record(change: Change): void;
};

/**
 * Told of each write of this process after its commit and before its caller goes on: the version that it made, and its changes,
 * which are the last ones up to that version. Must not throw.
 */
export type WriteListener = (organizationId: number, version: number, changes: readonly Change[]) => void;

/** By database: one process may have several open, and organizations of two databases share their numbers. */
const writeListeners = new WeakMap<Database, Set<WriteListener>>();

/** Calls `listener` after every write through this database handle. The answer ends that. */
export function onLibraryWritten(db: Database, listener: WriteListener): () => void {
  const listeners = writeListeners.get(db) ?? new Set();
  writeListeners.set(db, listeners);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Bounds the memory of one statement. */
const CHANGES_PER_STATEMENT = 5000;

/**
 * Runs one write. The organization's row is locked first, so that writes of one organization commit one after the other:
 * the feed has no gaps, is in commit order, and two writes cannot deadlock. Answers the version the write produced.
 */
export async function writeLibrary<T>(
  db: Database,
  scope: LibraryScope,
  work: (write: LibraryWrite) => Promise<T>,
): Promise<{ readonly result: T; readonly version: number }> {
  const written = await inTransaction(db, async (tx) => {
    const locked = await sql<{ version: number }>`
      SELECT version FROM organization WHERE id = ${scope.organizationId} FOR UPDATE ${PREPARED}`.execute(tx);
    let version = locked.rows[0]?.version;
    if (version === undefined) throw new AppError('not_found', 'The organization does not exist any more.');
    const changes: Change[] = [];
    const result = await work({ tx, scope, record: (change) => void changes.push(change) });
    if (changes.length === 0) return { result, version, changes };
    for (let at = 0; at < changes.length; at += CHANGES_PER_STATEMENT) {
      const some = changes.slice(at, at + CHANGES_PER_STATEMENT);
      await sql`
        INSERT INTO change (organization_id, version, type, object_id, data)
        SELECT ${scope.organizationId}, ${version}::bigint + n, type, object_id, data
        FROM unnest(${some.map(({ type }) => type)}::text[], ${some.map(({ objectId }) => objectId)}::bigint[],
          ${some.map(({ data }) => JSON.stringify(data ?? {}))}::jsonb[]) WITH ORDINALITY AS given (type, object_id, data, n)
        ${PREPARED}`.execute(tx);
      version += some.length;
    }
    await sql`UPDATE organization SET version = ${version} WHERE id = ${scope.organizationId} ${PREPARED}`.execute(tx);
    return { result, version, changes };
  });
  const { result, version, changes } = written;
  for (const listener of writeListeners.get(db) ?? []) listener(scope.organizationId, version, changes);
  return { result, version };
}

/** The newest version of the organization's library. */
export async function readVersion(db: Queryable, scope: LibraryScope): Promise<number> {
  const row = await db
    .selectFrom('organization')
    .select('version')
    .where('id', '=', scope.organizationId)
    .executeTakeFirst();
  return row?.version ?? 0;
}

/** The newest versions of several libraries, by organization. For followers of the feed; answers nothing of what is in them. */
export async function readVersions(
  db: Queryable,
  organizationIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (organizationIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('organization')
    .select(['id', 'version'])
    .where('id', 'in', [...organizationIds])
    .execute();
  return new Map(rows.map((row) => [row.id, row.version]));
}

/** Runs reads that all see the same state of the database, whatever is committed meanwhile. */
export async function inSnapshot<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
}

export type ChangeRow = {
  readonly version: number;
  readonly type: ChangeType;
  readonly objectId: number;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Changes after a version, oldest first. */
export async function readChanges(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly ChangeRow[]> {
  const rows = await db
    .selectFrom('change')
    .select(['version', 'type', 'object_id', 'data'])
    .where('organization_id', '=', scope.organizationId)
    .where('version', '>', page.after)
    .orderBy('version')
    .limit(page.limit)
    .execute();
  return rows.map((row) => ({
    version: row.version,
    // Only writeLibrary writes this table, and its parameter is of this type.
    type: row.type as ChangeType,
    objectId: row.object_id,
    data: row.data,
  }));
}

export type LibraryEvent = ChangeRow & { readonly createdAt: Date };

const eventRows = (db: Queryable, scope: LibraryScope) =>
  db
    .selectFrom('change')
    .select(['version', 'type', 'object_id', 'data', 'created_at'])
    .where('organization_id', '=', scope.organizationId);

const toEvent = (row: Awaited<ReturnType<ReturnType<typeof eventRows>['execute']>>[number]): LibraryEvent => ({
  version: row.version,
  // Only writeLibrary writes this table, and its parameter is of this type.
  type: row.type as ChangeType,
  objectId: row.object_id,
  data: row.data,
  createdAt: row.created_at,
});

/** The events of these versions that are kept, by version. */
export async function findEvents(
  db: Queryable,
  scope: LibraryScope,
  versions: readonly number[],
): Promise<ReadonlyMap<number, LibraryEvent>> {
  if (versions.length === 0) return new Map();
  const rows = await eventRows(db, scope)
    .where('version', 'in', [...versions])
    .execute();
  return new Map(rows.map((row) => [row.version, toEvent(row)]));
}

/**
 * Changes of some types after a version, oldest first, and how far the feed was read for them: the version to go on after.
 */
export async function readEvents(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly after: number; readonly limit: number; readonly types: readonly ChangeType[] },
): Promise<{
  readonly events: readonly LibraryEvent[];
  readonly readTo: number;
  readonly newest: number;
  /** The oldest change that is kept. */
  readonly oldest: number;
}> {
  // Before the changes: what is committed in between is left to the next page.
  const newest = await readVersion(db, scope);
  const rows = await eventRows(db, scope)
    .where('version', '>', page.after)
    .where('version', '<=', newest)
    .where('type', 'in', [...page.types])
    .orderBy('version')
    .limit(page.limit)
    .execute();
  const events = rows.map(toEvent);
  const last = events.at(-1);
  // Behind the changes: what is removed meanwhile is found missing.
  const oldest = await readOldestChange(db, scope);
  return { events, readTo: last && events.length === page.limit ? last.version : newest, newest, oldest };
}

/** The version of the library at a time; 0 before its first change that is kept. */
export async function findVersionBefore(db: Queryable, scope: LibraryScope, time: Date): Promise<number> {
  const row = await db
    .selectFrom('change')
    .select('version')
    .where('organization_id', '=', scope.organizationId)
    .where('created_at', '<', time)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
}

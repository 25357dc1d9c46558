import { sql } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, SECOND_MS } from '../base/index.ts';
import type { ConnectionSettings, Queryable } from '../db/index.ts';
import { createIndexRowReader, INDEX_ROW_COLUMNS, readWordPlaces } from './index-row-reader.ts';
import type { IndexRow } from './index-row.ts';

// Epochs are computed by the server: a Date object per value would double the time a large library takes to load.
const SELECT = sql`
  SELECT id, media_type, CASE WHEN deleted_at IS NULL THEN status ELSE 'deleted' END AS status, orientation, usage,
    (extract(epoch FROM captured_at) * 1000)::float8 AS captured_at,
    (extract(epoch FROM created_at) * 1000)::float8 AS created_at,
    (extract(epoch FROM updated_at) * 1000)::float8 AS updated_at,
    width, height, duration_ms, people_count, rating, name, tag_ids, collection_ids, tsvectorsend(search_text) AS text
  FROM asset`;

/** Index rows of these assets, or of the whole organization after `afterId` in ID order; assets in the bin included. */
export async function readIndexRows(
  db: Queryable,
  scope: LibraryScope,
  request: { readonly ids: readonly number[] } | { readonly afterId: number; readonly limit: number },
): Promise<readonly IndexRow[]> {
  type Row = Omit<IndexRow, 'text'> & { readonly text: Buffer | null };
  const found =
    'ids' in request
      ? await sql<Row>`${SELECT} WHERE organization_id = ${scope.organizationId}
          AND id = ANY(${[...request.ids]}::bigint[])`.execute(db)
      : await sql<Row>`${SELECT} WHERE organization_id = ${scope.organizationId} AND id > ${request.afterId}
          ORDER BY id LIMIT ${request.limit}`.execute(db);
  return found.rows.map((row) => ({ ...row, text: row.text === null ? [] : readWordPlaces(row.text) }));
}

/** Both ends included. */
export type IdRange = { readonly first: number; readonly last: number };

/**
 * Index rows of all assets of the organization (those in the bin included), in no order, as they arrive: some hundred at a
 * time. The client must not be used for anything else meanwhile, and is of no further use when the reading ends early.
 */
export async function* streamIndexRows(
  client: pg.ClientBase,
  scope: LibraryScope,
  options: { readonly signal?: AbortSignal | undefined; readonly ids?: IdRange | undefined } = {},
): AsyncGenerator<readonly IndexRow[], void, undefined> {
  const { signal, ids } = options;
  signal?.throwIfAborted();
  const columns = Object.values(INDEX_ROW_COLUMNS).join(', ');
  // COPY takes no parameters; the IDs are numbers by their types.
  const range = ids ? ` AND id BETWEEN ${ids.first} AND ${ids.last}` : '';
  const from = `FROM asset WHERE organization_id = ${scope.organizationId}${range}`;
  const stream = client.query(copyTo(`COPY (SELECT ${columns} ${from}) TO STDOUT (FORMAT binary)`));
  const abort = () => void stream.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  const reader = createIndexRowReader();
  try {
    for await (const chunk of stream) {
      const rows = reader.read(chunk);
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  if (!reader.isComplete) throw new AppError('unavailable', 'the database ended in the middle of its answer');
}

/** One state of a library: its version, and the rows of exactly that version. */
export type IndexSnapshot = {
  readonly version: number;
  /** Can be read once, within the work it was given to. */
  readonly rows: AsyncGenerator<readonly IndexRow[], void, undefined>;
};

const CONNECT_TIMEOUT_MS = 10 * SECOND_MS;

/**
 * Reads a whole library, as it is at one moment, over a connection of its own: everything it is given can be sent to another
 * thread. The connection has the process's name, by which an embedded server knows its own clients.
 */
export async function withIndexSnapshot<T>(
  connection: ConnectionSettings,
  request: {
    readonly scope: LibraryScope;
    readonly applicationName: string;
    /** Only assets with these IDs. */
    readonly ids?: IdRange | undefined;
    readonly signal?: AbortSignal | undefined;
  },
  work: (snapshot: IndexSnapshot) => Promise<T>,
): Promise<T> {
  const { scope, signal } = request;
  signal?.throwIfAborted();
  const client = new pg.Client({
    ...connection,
    application_name: request.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // A large library takes minutes, whatever limit the server has for ordinary statements.
    statement_timeout: 0,
  });
  // Without a listener, a server that goes away between two statements would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const found = await client.query<{ version: string }>('SELECT version FROM organization WHERE id = $1', [
      scope.organizationId,
    ]);
    const version = Number(found.rows[0]?.version ?? 0);
    const rows = streamIndexRows(client, scope, { signal, ids: request.ids });
    const result = await work({ version, rows });
    await rows.return();
    return result;
  } finally {
    // Also ends a COPY that was not read to its end: `end` cuts a connection with a statement in work.
    await client.end();
  }
}

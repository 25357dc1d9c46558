import { sql } from 'kysely';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, SECOND_MS } from '../base/index.ts';
import type { ConnectionSettings, Queryable } from '../db/index.ts';
import { type CopyReader, readWordPlaces } from './binary-copy.ts';
import {
  createIndexActionReader,
  createIndexRowReader,
  INDEX_ACTION_COLUMNS,
  INDEX_ROW_COLUMNS,
  type AssetAction,
  rolesOf,
} from './index-row-reader.ts';
import { type IndexField, readIndexDetails } from './index-details.ts';
import type { IndexAction, IndexAsset, IndexRow } from './index-row.ts';

// Epochs are computed by the server: a Date object per value would double the time a large library takes to load.
const SELECTED = sql`
  SELECT id, media_type, CASE WHEN deleted_at IS NULL THEN status ELSE 'deleted' END AS status, orientation, usage,
    (extract(epoch FROM captured_at) * 1000)::float8 AS captured_at,
    (extract(epoch FROM created_at) * 1000)::float8 AS created_at,
    (extract(epoch FROM updated_at) * 1000)::float8 AS updated_at,
    width, height, duration_ms, people_count, rating, name, tag_ids, collection_ids, tsvectorsend(search_text) AS text`;

/** What lies under the key of each field as one list, in their order; of assets that have none of them null. */
function detailsColumn(fields: readonly IndexField[]): string {
  // COPY takes no parameters. An organization has at most 100 fields, and functions as many arguments.
  const keys = fields.map(({ key }) => pg.escapeLiteral(key));
  const values = keys.map((key) => `details -> ${key}`).join(', ');
  return `CASE WHEN details ?| ARRAY[${keys.join(', ')}] THEN jsonb_build_array(${values}) END`;
}

function selectAssets(fields: readonly IndexField[]) {
  return fields.length === 0
    ? sql`${SELECTED} FROM asset`
    : sql`${SELECTED}, ${sql.raw(detailsColumn(fields))} AS details FROM asset`;
}

const epoch = (column: string) => sql`(extract(epoch FROM ${sql.ref(column)}) * 1000)::float8`;
const ACTIONS_OF_ASSETS = 'FROM action_media m JOIN action c ON c.id = m.action_id JOIN asset a ON a.id = m.asset_id';

async function readActions(
  db: Queryable,
  scope: LibraryScope,
  assetIds: readonly number[],
): Promise<ReadonlyMap<number, readonly IndexAction[]>> {
  type Row = Omit<IndexAction, 'text' | 'roles'> & {
    readonly asset_id: number;
    readonly players: unknown;
    readonly text: Buffer;
  };
  const found = await sql<Row>`
    SELECT m.asset_id, m.id, m.asset_id = c.asset_id AS home, c.type_id, c.status, c.outcome, c.source,
      a.timeline ->> 'angle' AS angle, m.start_ms, c.period, c.clock_ms, c.minute, c.stoppage,
      c.confidence::text::float8 AS confidence, ${epoch('c.wallclock_at')} AS wallclock_at,
      ${epoch('c.created_at')} AS created_at, ${epoch('c.updated_at')} AS updated_at, c.tag_ids, c.players,
      tsvectorsend(c.search_text) AS text
    ${sql.raw(ACTIONS_OF_ASSETS)}
    WHERE c.organization_id = ${scope.organizationId} AND m.asset_id = ANY(${[...assetIds]}::bigint[])`.execute(db);
  const byAsset = new Map<number, IndexAction[]>();
  for (const { asset_id: assetId, players, text, ...row } of found.rows) {
    const action = { ...row, roles: rolesOf(players), text: readWordPlaces(text) };
    const known = byAsset.get(assetId);
    if (known) known.push(action);
    else byAsset.set(assetId, [action]);
  }
  return byAsset;
}

/**
 * Index rows of these assets, or of the whole organization after `afterId` in ID order; assets in the bin included. Assets
 * and actions are of one state of the database only within a transaction that sees one.
 * @param request `fields`: those whose values in the details are read as well
 */
export async function readIndexRows(
  db: Queryable,
  scope: LibraryScope,
  request: ({ readonly ids: readonly number[] } | { readonly afterId: number; readonly limit: number }) & {
    readonly fields?: readonly IndexField[];
  },
): Promise<readonly IndexRow[]> {
  type Row = Omit<IndexAsset, 'text' | 'details'> & { readonly text: Buffer | null; readonly details?: unknown };
  const { fields = [] } = request;
  const select = selectAssets(fields);
  const found =
    'ids' in request
      ? await sql<Row>`${select} WHERE organization_id = ${scope.organizationId}
          AND id = ANY(${[...request.ids]}::bigint[])`.execute(db)
      : await sql<Row>`${select} WHERE organization_id = ${scope.organizationId} AND id > ${request.afterId}
          ORDER BY id LIMIT ${request.limit}`.execute(db);
  const ids = found.rows.map((row) => row.id);
  const actions = await readActions(db, scope, ids);
  return found.rows.map((row) => ({
    ...row,
    text: row.text === null ? [] : readWordPlaces(row.text),
    details: readIndexDetails(fields, row.details),
    actions: actions.get(row.id) ?? [],
  }));
}

/** Assets with something under one of these keys, up to `limit` of them; without an index, so all assets are looked at. */
export async function findAssetsWithDetails(
  db: Queryable,
  scope: LibraryScope,
  { keys, limit }: { readonly keys: readonly string[]; readonly limit: number },
): Promise<readonly number[]> {
  if (keys.length === 0) return [];
  const found = await sql<{ id: number }>`SELECT id FROM asset WHERE organization_id = ${scope.organizationId}
    AND details ?| ${[...keys]}::text[] LIMIT ${limit}`.execute(db);
  return found.rows.map(({ id }) => id);
}

/** Both ends included. */
export type IdRange = { readonly first: number; readonly last: number };

type StreamOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly ids?: IdRange | undefined;
  readonly fields?: readonly IndexField[] | undefined;
};

/**
 * What a COPY sends, some hundred rows at a time. The client must not be used for anything else meanwhile, and is of no
 * further use when the reading ends early.
 */
async function* streamCopy<Row>(
  client: pg.ClientBase,
  options: { readonly select: string; readonly reader: CopyReader<Row>; readonly signal: AbortSignal | undefined },
): AsyncGenerator<readonly Row[], void, undefined> {
  const { select, reader, signal } = options;
  signal?.throwIfAborted();
  const stream = client.query(copyTo(`COPY (${select}) TO STDOUT (FORMAT binary)`));
  const abort = () => void stream.destroy();
  signal?.addEventListener('abort', abort, { once: true });
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

// COPY takes no parameters; the IDs are numbers by their types.
const within = (column: string, ids: IdRange | undefined): string =>
  ids ? ` AND ${column} BETWEEN ${ids.first} AND ${ids.last}` : '';

/** All assets of the organization (those in the bin included), in no order, without their actions. */
function streamAssets(client: pg.ClientBase, scope: LibraryScope, { signal, ids, fields = [] }: StreamOptions) {
  const own = Object.values(INDEX_ROW_COLUMNS);
  const columns = (fields.length === 0 ? own : [...own, detailsColumn(fields)]).join(', ');
  const select = `SELECT ${columns} FROM asset WHERE organization_id = ${scope.organizationId}${within('id', ids)}`;
  return streamCopy(client, { select, reader: createIndexRowReader(fields), signal });
}

/** The actions in all assets of the organization, in no order. */
function streamActions(client: pg.ClientBase, scope: LibraryScope, { signal, ids }: StreamOptions) {
  const columns = Object.values(INDEX_ACTION_COLUMNS).join(', ');
  const where = `WHERE c.organization_id = ${scope.organizationId}${within('m.asset_id', ids)}`;
  const select = `SELECT ${columns} ${ACTIONS_OF_ASSETS} ${where}`;
  return streamCopy(client, { select, reader: createIndexActionReader(), signal });
}

/** One state of a library: its version, and what it has at exactly that version. Streams are read one after the other. */
export type IndexSnapshot = {
  readonly version: number;
  /** Assets with these IDs, or all; without their actions. */
  assets(ids?: IdRange): AsyncGenerator<readonly IndexAsset[], void, undefined>;
  /** Actions in assets with these IDs, or in all. */
  actions(ids?: IdRange): AsyncGenerator<readonly AssetAction[], void, undefined>;
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
    /** Those whose values in the details are read as well. */
    readonly fields?: readonly IndexField[];
    readonly signal?: AbortSignal | undefined;
  },
  work: (snapshot: IndexSnapshot) => Promise<T>,
): Promise<T> {
  const { scope, signal, fields } = request;
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
    const streams: AsyncGenerator[] = [];
    const opened = <Stream extends AsyncGenerator>(stream: Stream): Stream => {
      streams.push(stream);
      return stream;
    };
    const result = await work({
      version,
      assets: (ids) => opened(streamAssets(client, scope, { signal, ids, fields })),
      actions: (ids) => opened(streamActions(client, scope, { signal, ids })),
    });
    for (const stream of streams) await stream.return(undefined);
    return result;
  } finally {
    // Also ends a COPY that was not read to its end: `end` cuts a connection with a statement in work.
    await client.end();
  }
}

import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { AppError, type Logger, messageOf, SECOND_MS } from '../base/index.ts';
import { preparingPool } from './prepared-statements.ts';
import type { Schema } from './schema.ts';

/** A connection pool with the query builder over it. */
export type Database = Kysely<Schema>;
/** An open transaction. */
export type Tx = Transaction<Schema>;
/** Stores take either. */
export type Queryable = Database | Tx;

export type ConnectionSettings =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

const INT8 = 20;
const INT8_ARRAY: number = 1016;
const DATE = 1082;
// The typings know only scalar types; the parser of int8[] exists and gives texts.
const parseInt8Array = pg.types.getTypeParser(INT8_ARRAY) as unknown as (text: string) => string[];

/** int8 as number (every ID and size is below 2^53), int8[] as number[], date as the text `YYYY-MM-DD`. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return Number;
    if (oid === INT8_ARRAY) return (text: string) => parseInt8Array(text).map(Number);
    if (oid === DATE) return (text: string) => text;
    return pg.types.getTypeParser(oid, format);
    // `pg` types this function by overloads per oid; one implementation cannot be written without the cast.
  }) as pg.CustomTypesConfig['getTypeParser'],
};

/** Opens a pool of at most `maxConnections`; connecting waits 10 s at most, a statement runs 60 s at most. */
export function openDatabase(options: {
  readonly connection: ConnectionSettings;
  readonly applicationName: string;
  readonly maxConnections: number;
  readonly logger: Logger;
}): { readonly db: Database; readonly pool: pg.Pool } {
  const pool = new pg.Pool({
    ...options.connection,
    application_name: options.applicationName,
    max: options.maxConnections,
    connectionTimeoutMillis: 10 * SECOND_MS,
    statement_timeout: 60 * SECOND_MS,
    idle_in_transaction_session_timeout: 60 * SECOND_MS,
    idleTimeoutMillis: 60 * SECOND_MS,
    types,
  });
  // Without a listener, a server that goes away while a connection idles would end the process.
  pool.on('error', (error) => options.logger.warn({ event: 'database.connection_lost', reason: messageOf(error) }));
  // The same for one that is cut between two queries of a transaction: the next query fails, and whoever asks is told.
  pool.on('connect', (client) => client.on('error', () => {}));
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparingPool(pool) }) }), pool };
}

/** 40001 serialization failure, 40P01 deadlock: PostgreSQL asks for the transaction to be tried again. */
const RETRYABLE = new Set(['40001', '40P01']);

function codeOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** True for a violated unique constraint (23505), of the given name where one is given. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '23505' &&
    (constraint === undefined || error.constraint === constraint)
  );
}

/** True when PostgreSQL could not be reached or is not accepting work, as opposed to refusing this statement. */
export function isConnectionError(error: unknown): boolean {
  const code = codeOf(error);
  // 08 connection exception, 57P0x shutdown and start-up, 53300 too many connections
  if (code !== undefined) return code.startsWith('08') || code.startsWith('57P') || code === '53300';
  return (
    error instanceof Error &&
    (/ECONNREFUSED|ENOENT.*PGSQL|ECONNRESET|EPIPE|Connection terminated|not queryable|timeout exceeded when trying to connect/.test(
      error.message,
    ) ||
      ('code' in error && typeof error.code === 'string' && /^E(CONN|PIPE|NOTFOUND|AI_AGAIN)/.test(error.code)))
  );
}

/** Runs `work` in one transaction, again (up to 4 times) when PostgreSQL reports a deadlock or serialization failure. */
export async function inTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const code = codeOf(error);
      if (code === undefined || !RETRYABLE.has(code) || attempt >= 4) throw error;
    }
  }
}

/** @throws AppError `unavailable` when the database does not answer. */
export async function checkDatabase(db: Database): Promise<void> {
  try {
    await sql`SELECT 1`.execute(db);
  } catch (cause) {
    throw new AppError('unavailable', 'the database does not answer', { cause });
  }
}

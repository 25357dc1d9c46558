import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from './base/index.ts';
import type { Config } from './config.ts';
import {
  type ConnectionSettings,
  type Database,
  type EmbeddedPostgres,
  migrateToLatest,
  openDatabase,
  openEmbeddedPostgres,
} from './db/index.ts';

/** The database of this installation, brought to this version's schema. */
export type Installation = {
  readonly db: Database;
  readonly connection: ConnectionSettings;
  readonly applicationName: string;
  /** Undefined with DATABASE_URL; otherwise whether the embedded server was running already. */
  readonly embedded: { readonly adopted: boolean } | undefined;
  /** Closes the pool, and stops the embedded server unless another process still uses it. */
  close(): Promise<void>;
};

const MAX_CONNECTIONS = 20;

/** Adopts, starts or connects to PostgreSQL and migrates it. @throws AppError `unavailable` */
export async function openInstallation(config: Config, logger: Logger): Promise<Installation> {
  // Each process has its own name, so that the last one to leave can tell that it is the last.
  const applicationName = `touchline-${process.pid}`;
  await mkdir(config.dataDir, { recursive: true });
  let server: EmbeddedPostgres | undefined;
  let connection: ConnectionSettings;
  if (config.databaseUrl === undefined) {
    server = await openEmbeddedPostgres({ folder: join(config.dataDir, 'postgres'), database: 'touchline', logger });
    connection = server.connection;
  } else {
    connection = { connectionString: config.databaseUrl };
  }
  const { db, pool } = openDatabase({ connection, applicationName, maxConnections: MAX_CONNECTIONS, logger });
  const close = async () => {
    await db.destroy();
    if (!pool.ended) await pool.end();
    await server?.stop({ applicationName });
  };
  try {
    const ran = await migrateToLatest(db);
    if (ran.length > 0) logger.info({ event: 'database.migrated', migrations: ran }, 'database migrated');
  } catch (error) {
    await close();
    throw error;
  }
  return { db, connection, applicationName, embedded: server && { adopted: server.adopted }, close };
}

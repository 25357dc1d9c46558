import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createLogger, isProcessAlive } from '../../src/base/index.ts';
import { migrateToLatest, openDatabase, openEmbeddedPostgres } from '../../src/db/index.ts';
import { openJobs } from '../../src/jobs/index.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Socket folder of the test server, and the name of the migrated template database. */
    postgresHost: string;
    templateDatabase: string;
    /** A folder of this run; it goes with it. */
    runFolder: string;
  }
}

const TEMPLATE = 'touchline_template';
const APPLICATION = 'touchline-test';

const PREFIX = 'touchline-test-';

/** Ends the servers of runs that were killed before they could, told by the process number in their folder's name. */
async function sweepAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const owner = Number(name.slice(PREFIX.length).split('-')[0]);
    if (!Number.isInteger(owner) || isProcessAlive(owner)) continue;
    const folder = join(tmpdir(), name);
    const lock = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(lock.split('\n')[0]);
    if (pid > 0 && isProcessAlive(pid)) process.kill(pid, 'SIGQUIT');
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** One real PostgreSQL for the whole run; every test file clones the migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepAbandoned();
  const folder = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const logger = createLogger({ level: 'error' });
  const server = await openEmbeddedPostgres({ folder, database: TEMPLATE, logger });
  const admin = new pg.Client({ ...server.connection, database: 'postgres', application_name: APPLICATION });
  await admin.connect();
  // Nothing here has to outlive the machine.
  for (const setting of ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off']) {
    await admin.query(`ALTER SYSTEM SET ${setting}`);
  }
  await admin.query('SELECT pg_reload_conf()');
  await admin.end();
  const { db, pool } = openDatabase({
    connection: server.connection,
    applicationName: APPLICATION,
    maxConnections: 2,
    logger,
  });
  await migrateToLatest(db);
  await db.destroy();
  if (!pool.ended) await pool.end();
  const jobs = await openJobs({ connection: server.connection, applicationName: APPLICATION, cores: 1, logger });
  await jobs.stop({ drainMs: 1000 });
  project.provide('postgresHost', server.connection.host);
  project.provide('templateDatabase', TEMPLATE);
  project.provide('runFolder', folder);
  return async () => {
    await server.stop({ applicationName: APPLICATION });
    await rm(folder, { recursive: true, force: true });
  };
}

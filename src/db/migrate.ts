import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { AppError } from '../base/index.ts';
import type { Database } from './database.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

async function loadMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  const entries = files.map(async (file): Promise<[string, Migration]> => {
    const text = await readFile(join(FOLDER, file), 'utf8');
    return [file.slice(0, -4), { up: async (db) => void (await sql.raw(text).execute(db)) }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/**
 * Runs the numbered SQL files that this database has not seen, each once, whatever number of processes start at the same
 * time (the migrator holds a lock). Answers the names of those it ran.
 * @throws AppError `unavailable` when a migration fails or the database is of a newer version of Touchline
 */
export async function migrateToLatest(db: Database): Promise<readonly string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: loadMigrations },
    migrationTableName: 'touchline_migration',
    migrationLockTableName: 'touchline_migration_lock',
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw new AppError('unavailable', 'the database could not be brought to this version', { cause: error });
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName);
}

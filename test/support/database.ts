import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** A database of this test's own, cloned from the migrated template. */
export async function createTestDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const host = inject('postgresHost');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const run = async (text: string) => {
    const client = new pg.Client({
      host,
      port: 5432,
      user: 'touchline',
      database: 'postgres',
      application_name: 'touchline-test',
    });
    await client.connect();
    try {
      await client.query(text);
    } finally {
      await client.end();
    }
  };
  await run(`CREATE DATABASE ${name} TEMPLATE ${inject('templateDatabase')}`);
  return {
    url: `postgres://touchline@localhost:5432/${name}?host=${encodeURIComponent(host)}`,
    drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

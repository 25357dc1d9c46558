import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = { readonly name: string; readonly url: string; drop(): Promise<void> };

/** A database of this test's own, cloned from the migrated template or from another one that nobody is connected to. */
export async function createTestDatabase(template: string = inject('templateDatabase')): Promise<TestDatabase> {
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
  await run(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    name,
    url: `postgres://touchline@localhost:5432/${name}?host=${encodeURIComponent(host)}`,
    drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`),
  };
}

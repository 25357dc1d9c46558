/**
 * Statements that a connection parses and plans once, instead of every time: half of what a short statement costs PostgreSQL, and
 * what a write does while it holds the lock of its organization.
 *
 * PostgreSQL may keep a plan that was made for other parameters and smaller tables, until the next ANALYZE. So only those are marked
 * that find rows by their keys, whatever the parameters, and whose text is always the same: lists are one array.
 */
import { type PostgresPool, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';

const MARK = '/* prepared */';

/** Ends a statement that is worth being prepared. */
export const PREPARED = sql.raw(MARK);

/** Each connection keeps its own of each, some 50 kB; there are a few dozen. Further ones are run as they come. */
const MOST = 200;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  if (!text.endsWith(MARK)) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST) return known;
  const name = `touchline_${names.size + 1}`;
  names.set(text, name);
  return name;
}

/** The same pool, whose connections know the mark. */
export function preparingPool(pool: pg.Pool): PostgresPool {
  // The query builder knows a connection by its object.
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    Client: pg.Client,
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect();
      const known = clients.get(client) ?? preparing(client);
      clients.set(client, known);
      return known;
    },
  };
}

function preparing(client: pg.PoolClient): PostgresPoolClient {
  const query = (text: string, values: readonly unknown[]) => {
    const name = nameOf(text);
    return client.query({ text, values: [...values], ...(name !== undefined && { name }) });
  };
  return {
    // The typings of the two libraries name the same answer differently; cursors, the other form of it, are not used here.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy),
  };
}

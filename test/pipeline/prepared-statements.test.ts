import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../../src/base/index.ts';
import { inTransaction, openDatabase, PREPARED } from '../../src/db/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let opened: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await createTestDatabase();
  opened = openDatabase({
    connection: { connectionString: database.url },
    applicationName: 'touchline-test',
    // What a connection keeps is looked at over the same one.
    maxConnections: 1,
    logger: createLogger({ level: 'silent' }),
  });
});
afterAll(async () => {
  await opened?.db.destroy();
  await database?.drop();
});

const kept = async (): Promise<readonly { readonly statement: string; readonly runs: number }[]> => {
  const found = await sql<{ statement: string; runs: number }>`
    SELECT statement, (generic_plans + custom_plans)::int AS runs FROM pg_prepared_statements ORDER BY statement`.execute(
    opened.db,
  );
  return found.rows;
};
const add = async (to: number): Promise<number | undefined> =>
  (await sql<{ sum: number }>`SELECT ${to}::int + 1 AS sum ${PREPARED}`.execute(opened.db)).rows[0]?.sum;
const divide = async (by: number): Promise<number | undefined> =>
  (await sql<{ part: number }>`SELECT 12 / ${by}::int AS part ${PREPARED}`.execute(opened.db)).rows[0]?.part;

test('a marked statement is planned once a connection, and answers to each of its parameters', async () => {
  for (let n = 0; n < 12; n += 1) expect(await add(n)).toBe(n + 1);
  expect(await kept()).toEqual([{ statement: 'SELECT $1::int + 1 AS sum /* prepared */', runs: 12 }]);
});

test('others are not kept', async () => {
  const before = await kept();
  for (let n = 0; n < 3; n += 1) await sql`SELECT ${n}::int AS other`.execute(opened.db);
  await opened.db.selectFrom('asset').select('id').where('id', '=', 1).execute();
  expect(await kept()).toEqual(before);
});

test('the query builder marks with its end', async () => {
  const find = (id: number) =>
    opened.db.selectFrom('asset').select('id').where('id', '=', id).modifyEnd(PREPARED).execute();
  expect([await find(1), await find(2)]).toEqual([[], []]);
  const mine = (await kept()).find(({ statement }) => statement.includes('from "asset"'));
  expect(mine?.runs).toBe(2);
});

test('one that fails, or whose transaction is taken back, serves the next time', async () => {
  await expect(divide(0)).rejects.toThrow('division by zero');
  expect(await divide(3)).toBe(4);
  const failing = inTransaction(opened.db, async (tx) => {
    await sql`SELECT ${7}::int AS inside ${PREPARED}`.execute(tx);
    throw new Error('taken back');
  });
  await expect(failing).rejects.toThrow('taken back');
  expect((await sql<{ inside: number }>`SELECT ${8}::int AS inside ${PREPARED}`.execute(opened.db)).rows).toEqual([
    { inside: 8 },
  ]);
});

test('so many that a connection could not keep them all are answered too', async () => {
  for (let n = 0; n < 230; n += 1) {
    const found = await sql<{ n: number }>`SELECT ${n}::int AS n, ${sql.raw(String(n))} AS other ${PREPARED}`.execute(
      opened.db,
    );
    expect(found.rows).toEqual([{ n, other: n }]);
  }
  expect((await kept()).length).toBe(200);
});

import { expect, test, vi } from 'vitest';
import { createSharedReads } from './shared-reads.ts';

type Row = { readonly id: number; readonly name: string };
const rows: readonly Row[] = [1, 2, 3].map((id) => ({ id, name: `row ${id}` }));

test('what is asked for at about the same time is one read, and each gets its own in its order', async () => {
  const read = vi.fn(async (ids: readonly number[]) => rows.filter(({ id }) => ids.includes(id)));
  const find = createSharedReads(read);
  const asked = [find([2]), find([3, 1]), find([2, 9]), find([])];
  // A little later, as those are who have to wait for something else.
  asked.push(Promise.resolve().then(() => find([1])));
  const [one, two, three, none, late] = await Promise.all(asked);
  expect(read.mock.calls).toEqual([[[2, 3, 1, 9]]]);
  expect(one).toEqual([{ id: 2, name: 'row 2' }]);
  expect(two?.map(({ id }) => id)).toEqual([3, 1]);
  expect(three?.map(({ id }) => id)).toEqual([2]);
  expect(none).toEqual([]);
  expect(late?.map(({ id }) => id)).toEqual([1]);
});

test('what is asked for later is read again', async () => {
  const read = vi.fn(async (ids: readonly number[]) => rows.filter(({ id }) => ids.includes(id)));
  const find = createSharedReads(read);
  await find([1]);
  await find([1]);
  expect(read).toHaveBeenCalledTimes(2);
});

test('a read that fails fails for all who share it, and for nobody after them', async () => {
  const read = vi.fn(async (ids: readonly number[]) => rows.filter(({ id }) => ids.includes(id)));
  read.mockRejectedValueOnce(new Error('the database is away'));
  const find = createSharedReads(read);
  const asked = await Promise.allSettled([find([1]), find([2])]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await find([3])).toHaveLength(1);
});

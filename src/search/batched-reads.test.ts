import { setImmediate as breathe } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBatchedReads } from './batched-reads.ts';

/** Reads that end when they are told to. */
function createReads() {
  const asked: number[][] = [];
  const gates: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const reads = createBatchedReads(async (ids) => {
    asked.push([...ids]);
    await new Promise<void>((resolve, reject) => gates.push({ resolve, reject }));
    return ids.filter((id) => id > 0).map((id) => ({ id }));
  });
  return { asked, gates, reads };
}
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

test('what is asked for while two reads are under way is read together', async () => {
  const { asked, gates, reads } = createReads();
  const all = [reads.read([1]), reads.read([2]), reads.read([3, 4]), reads.read([4, -5])];
  expect(asked).toEqual([[1], [2]]);
  gates[0]?.resolve();
  expect(await all[0]).toEqual(new Map([[1, { id: 1 }]]));
  await breathe();
  expect(asked).toEqual([[1], [2], [3, 4, -5]]);
  for (const gate of gates) gate.resolve();
  const [, , third, fourth] = await Promise.all(all);
  expect([...(third?.keys() ?? [])]).toEqual([3, 4]);
  expect(fourth?.get(4)).toEqual({ id: 4 });
});

test('a read takes no more than 200 unless one caller asks for them', async () => {
  const { asked, gates, reads } = createReads();
  const all = [reads.read([1]), reads.read([2]), reads.read(range(100, 150)), reads.read(range(300, 51))];
  const large = reads.read(range(1000, 500));
  while (asked.length < 5) {
    for (const gate of gates) gate.resolve();
    await breathe();
  }
  for (const gate of gates) gate.resolve();
  await Promise.all([...all, large]);
  expect(asked.map((ids) => ids.length)).toEqual([1, 1, 150, 51, 500]);
});

test('a read that fails fails those who waited for it, and the next ones go on', async () => {
  const { gates, reads } = createReads();
  const all = [reads.read([1]), reads.read([2]), reads.read([3])];
  gates[0]?.reject(new Error('away'));
  await expect(all[0]).rejects.toThrow('away');
  gates[1]?.resolve();
  await breathe();
  gates[2]?.resolve();
  expect((await all[2])?.get(3)).toEqual({ id: 3 });
});

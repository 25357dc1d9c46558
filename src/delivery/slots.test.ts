import { expect, test } from 'vitest';
import { createSlots } from './slots.ts';

const never = (): AbortSignal => new AbortController().signal;

/** Works that end when they are told to. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async () => {
    begun.push(name);
    await new Promise<void>((resolve) => ends.set(name, resolve));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.() };
}

test('begins as many at a time as the limit says, in the order in which they came', async () => {
  const slots = createSlots();
  slots.limit(2);
  const { begun, work, end } = createWorks();
  const done = ['a', 'b', 'c', 'd'].map((name) => slots.use(never(), work(name)));
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await done[1];
  expect(begun).toEqual(['a', 'b', 'c']);
  slots.limit(3);
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'c', 'd']) end(name);
  await Promise.all(done);
  expect(slots.lastMs).toBeGreaterThanOrEqual(0);
});

test('a lower limit lets go on what has begun', async () => {
  const slots = createSlots();
  slots.limit(2);
  const { begun, work, end } = createWorks();
  const done = ['a', 'b', 'c'].map((name) => slots.use(never(), work(name)));
  await Promise.resolve();
  slots.limit(1);
  end('a');
  await done[0];
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await done[1];
  expect(begun).toEqual(['a', 'b', 'c']);
  end('c');
  await Promise.all(done);
});

test('one that is cancelled while it waits leaves the line, and one that fails its slot', async () => {
  const slots = createSlots();
  const abort = new AbortController();
  const { begun, work, end } = createWorks();
  const first = slots.use(never(), work('first'));
  const cancelled = slots.use(abort.signal, work('cancelled'));
  const failing = slots.use(never(), async () => {
    throw new Error('went wrong');
  });
  const last = slots.use(never(), work('last'));
  abort.abort(new Error('no longer wanted'));
  await expect(cancelled).rejects.toThrow('no longer wanted');
  await expect(slots.use(abort.signal, work('too late'))).rejects.toThrow('no longer wanted');
  end('first');
  await first;
  await expect(failing).rejects.toThrow('went wrong');
  await expect.poll(() => begun).toEqual(['first', 'last']);
  end('last');
  await last;
});

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ChannelError, type ChannelSession } from '../../channel.ts';
import { putOf } from '../../channel-contract.ts';
import { createFolderChannel } from '../folder/folder-channel.ts';
import { openSessionLanes } from './session-lanes.ts';

const never = new AbortController().signal;
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Sessions of one folder, as many as the target allows; `opened` counts those that were asked for. */
async function startTarget(allowed: number) {
  const root = await mkdtemp(join(tmpdir(), 'touchline-lanes-'));
  ends.push(() => rm(root, { recursive: true }));
  const channel = createFolderChannel({ roots: [root] });
  let opened = 0;
  const open = async (signal: AbortSignal): Promise<ChannelSession> => {
    opened += 1;
    if (opened > allowed) throw new ChannelError('refused', 'expected one connection, received one more');
    return channel.open({ config: { path: root }, secrets: {}, concurrency: 1, signal });
  };
  return { root, open, opened: () => opened };
}

/** Puts that have all begun before the first one ends. */
async function putTogether(session: ChannelSession, names: readonly string[]): Promise<void> {
  let begun = 0;
  let go = (): void => {};
  const allBegun = new Promise<void>((resolve) => {
    go = resolve;
  });
  await Promise.all(
    names.map((name) => {
      const bytes = Buffer.from(name);
      async function* read(): AsyncGenerator<Uint8Array> {
        begun += 1;
        if (begun === names.length) go();
        await allBegun;
        yield bytes;
      }
      return session.put(putOf(name, bytes, { read }));
    }),
  );
}

test('a put alone needs no second session', async () => {
  const { root, open, opened } = await startTarget(4);
  const session = await openSessionLanes({ most: 4, signal: never, open });
  for (const name of ['a', 'b', 'c']) await putTogether(session, [name]);
  await session.close();
  expect(opened()).toBe(1);
  expect((await readdir(root)).toSorted()).toEqual(['a', 'b', 'c']);
});

test('puts at once have further sessions, up to the most', async () => {
  const { root, open, opened } = await startTarget(4);
  const session = await openSessionLanes({ most: 2, signal: never, open });
  for (const round of [1, 2, 3]) await putTogether(session, [`a${round}`, `b${round}`, `c${round}`]);
  await session.close();
  expect(opened()).toBe(2);
  expect(await readdir(root)).toHaveLength(9);
});

test('a target that refuses a second session is asked once, and gets all files by the first', async () => {
  const { root, open, opened } = await startTarget(1);
  const session = await openSessionLanes({ most: 4, signal: never, open });
  for (const round of [1, 2, 3]) await putTogether(session, [`a${round}`, `b${round}`, `c${round}`]);
  await session.close();
  expect(opened()).toBe(2);
  expect(await readdir(root)).toHaveLength(9);
});

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderSyncs } from './folder-syncs.ts';

test('a folder that is not there fails all who asked, and nobody who asks when it is', async () => {
  const root = await mkdtemp(join(tmpdir(), 'touchline-syncs-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const folder = join(root, 'later');
  const sync = createFolderSyncs();
  const asked = await Promise.allSettled([sync(folder), sync(folder), sync(folder), sync(root)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'fulfilled']);
  await mkdir(folder);
  await Promise.all([sync(folder), sync(folder), sync(folder)]);
});

test('who asks while a sync is under way waits for the one after it, together with others', async () => {
  const root = await mkdtemp(join(tmpdir(), 'touchline-syncs-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const sync = createFolderSyncs();
  const ended: string[] = [];
  const first = sync(root).then(() => ended.push('first'));
  const second = sync(root);
  expect(sync(root)).toBe(second);
  await Promise.all([first, second.then(() => ended.push('second'))]);
  expect(ended).toEqual(['first', 'second']);
  expect(sync(root)).not.toBe(second);
});

import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeChannel, putOf } from '../../channel-contract.ts';
import { createFolderChannel } from './folder-channel.ts';

const never = new AbortController().signal;

describeChannel('folder', async () => {
  const root = await mkdtemp(join(tmpdir(), 'folder-channel-'));
  await mkdir(join(root, 'inbox'));
  const target = (path: string) => ({ config: { path }, secrets: {} });
  return {
    channel: createFolderChannel({ roots: [root] }),
    target: target(join(root, 'inbox')),
    resumesFromBytes: 0,
    withoutPermission: target('/'),
    missingRoot: target(join(root, 'not-there')),
    close: () => rm(root, { recursive: true }),
  };
});

describe('a folder', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'folder-channel-'));
    await mkdir(join(root, 'allowed'));
    await mkdir(join(root, 'private'));
  });
  afterAll(() => rm(root, { recursive: true }));
  const open = (path: string) =>
    createFolderChannel({ roots: [join(root, 'allowed')] }).open({
      config: { path },
      secrets: {},
      concurrency: 1,
      signal: never,
    });

  test('lies below one that the setting allows', () => {
    const { check } = createFolderChannel({ roots: [join(root, 'allowed')] });
    const faultOf = (path: string) => {
      try {
        check?.({ path });
        return undefined;
      } catch (error) {
        return error;
      }
    };
    for (const path of [
      '/',
      root,
      join(root, 'allowed-too'),
      `${root}/allowed/../private`,
      'allowed',
      '../x',
      '/etc\0',
    ]) {
      expect(faultOf(path), path).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/config/path' }] });
    }
    for (const path of [join(root, 'allowed'), join(root, 'allowed', 'a', 'b'), `${root}/allowed/`]) {
      expect(faultOf(path), path).toBeUndefined();
    }
  });

  test('is refused everywhere while the setting allows none', () => {
    const channel = createFolderChannel({ roots: [] });
    expect(() => channel.check?.({ path: '/srv' })).toThrow('DELIVERY_FOLDERS');
    expect(channel.missing?.()).toContain('DELIVERY_FOLDERS');
  });

  test('is not left through a link, whether it is the folder or lies in it', async () => {
    await symlink(join(root, 'private'), join(root, 'allowed', 'link'));
    await expect(open(join(root, 'allowed', 'link'))).rejects.toMatchObject({ code: 'permission' });
    const session = await open(join(root, 'allowed'));
    await expect(session.put(putOf('link/a.txt', Buffer.from('a')))).rejects.toMatchObject({ code: 'permission' });
    await expect(session.remove('link/a.txt', never)).rejects.toMatchObject({ code: 'permission' });
    await expect(session.put(putOf('../private/a.txt', Buffer.from('a')))).rejects.toMatchObject({
      code: 'name_illegal',
    });
    expect(await readdir(join(root, 'private'))).toEqual([]);
  });

  test('is not written through a link that somebody put under the temporary name', async () => {
    const id = randomUUID();
    await writeFile(join(root, 'private', 'victim'), 'untouched');
    await symlink(join(root, 'private', 'victim'), join(root, 'allowed', `.touchline-${id}.part`));
    const session = await open(join(root, 'allowed'));
    await expect(session.put(putOf('a.txt', Buffer.from('a'), { id }))).rejects.toMatchObject({ code: 'refused' });
    expect(await readFile(join(root, 'private', 'victim'), 'utf8')).toBe('untouched');
  });

  test('says what is in the way', async () => {
    const session = await open(join(root, 'allowed'));
    await session.put(putOf('file', Buffer.from('a')));
    await mkdir(join(root, 'allowed', 'folder'));
    await expect(session.put(putOf('file/below', Buffer.from('a')))).rejects.toMatchObject({ code: 'name_taken' });
    await expect(session.put(putOf('folder', Buffer.from('a')))).rejects.toMatchObject({ code: 'name_taken' });
    await expect(session.put(putOf('x'.repeat(300), Buffer.from('a')))).rejects.toMatchObject({
      code: 'name_illegal',
    });
  });

  test('that has too little space says so before anything is written', async () => {
    const session = await open(join(root, 'allowed'));
    const put = putOf('space/huge.bin', Buffer.alloc(0), { bytes: Number.MAX_SAFE_INTEGER });
    await expect(session.put(put)).rejects.toMatchObject({ code: 'disk_full', permanent: true });
    expect(await session.leftovers('space/huge.bin', never)).toEqual([]);
  });

  test('keeps temporary names out of what programs see that watch it', async () => {
    const session = await open(join(root, 'allowed'));
    async function* broken(): AsyncIterable<Uint8Array> {
      yield Buffer.from('half');
      throw new Error('broken off');
    }
    await session.put(putOf('watched/a.txt', Buffer.from('half and half'), { read: broken })).catch(() => undefined);
    const names = await readdir(join(root, 'allowed', 'watched'));
    expect(names).toHaveLength(1);
    expect(names[0]).toMatch(/^\.touchline-.*\.part$/);
  });
});

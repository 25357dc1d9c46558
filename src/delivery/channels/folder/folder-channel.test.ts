import { randomBytes, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MIB } from '../../../base/index.ts';
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

  test.each([
    ['small', 100_000],
    ['large', 65 * MIB],
  ])('takes a %s file of this machine as it is, and others may read what it becomes', async (_how, bytes) => {
    const source = join(root, 'private', `source-${bytes}`);
    const content = randomBytes(bytes);
    await writeFile(source, content, { mode: 0o600 });
    const session = await open(join(root, 'allowed'));
    async function* unread(): AsyncIterable<Uint8Array> {
      if (bytes < MIB) throw new Error('the system copies it');
      yield content;
    }
    const path = `copied/${bytes}.bin`;
    const put = putOf(path, content, { file: source, read: unread });
    expect(await session.put(put)).toMatchObject({ verified: 'read_back', sentBytes: bytes });
    const target = join(root, 'allowed', path);
    expect(content.equals(await readFile(target))).toBe(true);
    expect((await stat(target)).mode & 0o777).toBe(0o666 & ~process.umask());
    await writeFile(source, 'another file');
    const changed = session.put(putOf('copied/changed.bin', content.subarray(0, 12), { file: source, read: unread }));
    await expect(changed).rejects.toThrow();
    await rm(source);
  });

  test('takes many small files of this machine, and tells what is wrong with one of them', async () => {
    const session = await createFolderChannel({ roots: [join(root, 'allowed')] }).open({
      config: { path: join(root, 'allowed') },
      secrets: {},
      concurrency: 4,
      signal: never,
    });
    const sources = await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const [file, content] = [join(root, 'private', `many-${at}`), randomBytes(50_000)];
        await writeFile(file, content);
        return { file, content, path: `many/${at % 3}/${at}.bin` };
      }),
    );
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let one = sources[next++]; one; one = sources[next++]) {
        const put = putOf(one.path, one.content, { file: one.file, isFirst: true });
        expect(await session.put(put)).toEqual({ verified: 'read_back', sentBytes: 50_000 });
      }
    };
    await Promise.all(Array.from({ length: 4 }, lane));
    for (const { path, content } of sources)
      expect(content.equals(await readFile(join(root, 'allowed', path)))).toBe(true);
    const [{ file, content } = { file: '', content: Buffer.alloc(0) }] = sources;
    const bad = async (path: string, over: Parameters<typeof putOf>[2]): Promise<unknown> =>
      session.put(putOf(path, content, { file, isFirst: true, ...over })).catch((error: unknown) => error);
    expect(await bad('many/0/0.bin', { replace: false })).toMatchObject({ code: 'name_taken' });
    expect(await bad('../many', {})).toMatchObject({ code: 'name_illegal' });
    expect(await bad('many/0', {})).toMatchObject({ code: 'name_taken' });
    await writeFile(file, randomBytes(50_000));
    const read = () => createReadStream(file);
    expect(await bad('many/changed.bin', { read })).toMatchObject({ code: 'source_changed' });
    await rm(file);
    expect(await bad('many/changed.bin', {})).toMatchObject({ code: 'source_changed' });
    expect(await readdir(join(root, 'allowed', 'many'))).toEqual(['0', '1', '2']);
    await session.close();
  });

  test('has no other file under the name of one that was finished when the service was killed', async () => {
    const session = await open(join(root, 'allowed'));
    const first = putOf('linked.bin', Buffer.from('the first'), { replace: false });
    await session.put(first);
    // As between the two names that such a file has for a moment.
    const temporary = join(root, 'allowed', `.touchline-${first.id}.partial`);
    await link(join(root, 'allowed', 'linked.bin'), temporary);
    await session.put(putOf('linked-2.bin', Buffer.from('the second'), { id: first.id }));
    expect(await readFile(join(root, 'allowed', 'linked.bin'), 'utf8')).toBe('the first');
    expect(await session.leftovers('linked.bin', never)).toEqual([]);
  });

  test('is not written through a link that somebody put under the temporary name', async () => {
    const id = randomUUID();
    await writeFile(join(root, 'private', 'victim'), 'untouched');
    await symlink(join(root, 'private', 'victim'), join(root, 'allowed', `.touchline-${id}.partial`));
    const session = await open(join(root, 'allowed'));
    await expect(session.put(putOf('a.txt', Buffer.from('a'), { id }))).rejects.toMatchObject({ code: 'refused' });
    // Nor by a first try, which does not look for what others have left.
    await session.put(putOf('a.txt', Buffer.from('a'), { id, isFirst: true }));
    expect(await readFile(join(root, 'private', 'victim'), 'utf8')).toBe('untouched');
    expect((await lstat(join(root, 'allowed', 'a.txt'))).isFile()).toBe(true);
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
    expect(names[0]).toMatch(/^\.touchline-.*\.partial$/);
  });
});

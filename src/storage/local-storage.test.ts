import { watch } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger, DAY_MS } from '../base/index.ts';
import { type ObjectStorage, openStorage } from './index.ts';
import { codeOf, describeStorage, listed } from './storage-contract.ts';

const logger = createLogger({ level: 'silent' });
const NOW = new Date('2026-11-07T12:00:00.000Z');

async function open(directory: string): Promise<ObjectStorage> {
  const options = { tempDirectory: tmpdir(), logger, clock: { now: () => NOW } };
  return openStorage(pathToFileURL(directory), options);
}

describeStorage('local storage', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'local-storage-'));
  const storage = await open(join(directory, 'not', 'there', 'yet'));
  return {
    storage,
    copyBegun: () =>
      new Promise((resolve) => {
        const watcher = watch(join(directory, 'not', 'there', 'yet', '.tmp'), () => {
          watcher.close();
          resolve();
        });
      }),
    close: async () => {
      expect(await readdir(join(directory, 'not', 'there', 'yet', '.tmp'))).toEqual([]);
      await storage.close();
      await rm(directory, { recursive: true });
    },
  };
});

describe('local storage on disk', () => {
  let directory: string;
  let storage: ObjectStorage;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'local-storage-'));
    storage = await open(join(directory, 'objects'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  test('lets nobody but the user of the service read files and folders', async () => {
    const path = join(directory, 'wide');
    await writeFile(path, 'x', { mode: 0o666 });
    await storage.putFile('modes/copied/a', path, { contentType: 'text/plain' });
    await storage.putFile('modes/moved/b', path, { contentType: 'text/plain', move: true });
    const modeOf = async (...names: string[]) =>
      ((await stat(join(directory, 'objects', ...names))).mode & 0o777).toString(8);
    expect(await modeOf()).toBe('700');
    expect(await modeOf('.tmp')).toBe('700');
    expect(await modeOf('modes', 'copied')).toBe('700');
    expect(await modeOf('modes', 'copied', 'a')).toBe('600');
    expect(await modeOf('modes', 'moved', 'b')).toBe('600');
  });

  test('renames a moved file instead of copying it', async () => {
    const path = join(directory, 'renamed');
    await writeFile(path, 'x');
    const { ino } = await stat(path);
    await storage.putFile('renamed/a', path, { contentType: 'text/plain', move: true });
    expect((await stat(join(directory, 'objects', 'renamed', 'a'))).ino).toBe(ino);
  });

  test('does not share bytes with a file that keeps another name', async () => {
    const path = join(directory, 'two-names');
    await writeFile(path, 'before');
    await link(path, join(directory, 'other-name'));
    await symlink(join(directory, 'other-name'), join(directory, 'symbolic'));
    await storage.putFile('links/hard', path, { contentType: 'text/plain', move: true });
    await storage.putFile('links/symbolic', join(directory, 'symbolic'), { contentType: 'text/plain', move: true });
    await writeFile(join(directory, 'other-name'), 'after!');
    for (const name of ['hard', 'symbolic']) {
      expect(await readFile(join(directory, 'objects', 'links', name), 'utf8')).toBe('before');
    }
  });

  test('removes temporary files older than a day when it opens, and no younger ones', async () => {
    const path = join(directory, 'stale');
    await mkdir(join(path, '.tmp'), { recursive: true });
    for (const [name, ageMs] of [
      ['old', DAY_MS + 1000],
      ['young', DAY_MS - 1000],
    ] as const) {
      await writeFile(join(path, '.tmp', name), 'half an object');
      const at = new Date(NOW.getTime() - ageMs);
      await utimes(join(path, '.tmp', name), at, at);
    }
    const opened = await open(path);
    expect(await readdir(join(path, '.tmp'))).toEqual(['young']);
    expect(await listed(opened, '')).toEqual([]);
  });

  test('keeps its objects when it is opened again', async () => {
    const path = join(directory, 'kept');
    await writeFile(path, 'kept');
    await storage.putFile('kept/a', path, { contentType: 'text/plain' });
    const again = await open(join(directory, 'objects'));
    expect(await again.stat('kept/a')).toEqual({ bytes: 4 });
  });

  test('is unavailable where no folder can be made', async () => {
    await writeFile(join(directory, 'a-file'), 'x');
    expect(await codeOf(open(join(directory, 'a-file', 'objects')))).toBe('unavailable');
  });

  test('is unavailable when its folder has gone', async () => {
    const path = join(directory, 'gone');
    const gone = await open(path);
    await rm(path, { recursive: true });
    await writeFile(join(directory, 'homeless'), 'x');
    expect(await codeOf(gone.check())).toBe('unavailable');
    expect(await codeOf(gone.putFile('a', join(directory, 'homeless'), { contentType: 'text/plain' }))).toBe(
      'unavailable',
    );
  });

  test('is unavailable when a key would need a folder where an object stands', async () => {
    await writeFile(join(directory, 'in-the-way'), 'x');
    await storage.putFile('object', join(directory, 'in-the-way'), { contentType: 'text/plain' });
    const put = storage.putFile('object/below', join(directory, 'in-the-way'), { contentType: 'text/plain' });
    expect(await codeOf(put)).toBe('unavailable');
    expect(await readdir(join(directory, 'objects', '.tmp'))).toEqual([]);
  });
});

import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findMedia } from './media-walk.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-walk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function put(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  }
}
const walk = (recursive = true) => findMedia(folder, { recursive, signal: new AbortController().signal });
const pathsOf = async (recursive = true) => (await walk(recursive)).files.map((file) => file.path);

describe('findMedia', () => {
  test('lists photos, camera RAW and videos of all subfolders in the order of their paths', async () => {
    await put('b.JPG', 'a/2.cr3', 'a/10.mp4', 'a/b/c.jpeg', 'Ä.heic');
    expect(await pathsOf()).toEqual(['a/10.mp4', 'a/2.cr3', 'a/b/c.jpeg', 'b.JPG', 'Ä.heic']);
  });

  test('names other files as skipped and leaves hidden ones out', async () => {
    await put('a.jpg', 'notes.txt', 'x/a.xmp', '.hidden.jpg', '.cache/b.jpg', 'noextension');
    const found = await walk();
    expect(found.files.map((file) => file.path)).toEqual(['a.jpg']);
    expect(found.skipped).toEqual(['noextension', 'notes.txt', 'x/a.xmp']);
    expect(found.failures).toEqual([]);
  });

  test('stays in the folder itself when it is not to go into subfolders', async () => {
    await put('a.jpg', 'x/b.jpg');
    expect(await pathsOf(false)).toEqual(['a.jpg']);
  });

  test('follows links and ends where one leads back to a parent', async () => {
    await put('photos/a.jpg', 'photos/deep/b.jpg');
    await symlink('..', join(folder, 'photos/deep/up'));
    await symlink('photos/a.jpg', join(folder, 'z.jpg'));
    expect(await pathsOf()).toEqual(['photos/a.jpg', 'photos/deep/b.jpg', 'z.jpg']);
  });

  test('reports a link that leads nowhere, by name', async () => {
    await put('a.jpg');
    await symlink('gone.jpg', join(folder, 'b.jpg'));
    expect(await walk()).toMatchObject({
      files: [{ path: 'a.jpg', bytes: 5 }],
      failures: [{ path: 'b.jpg', reason: 'it is not there any more' }],
    });
  });

  test.skipIf(process.getuid?.() === 0)('reports a folder without permission and goes on', async () => {
    await put('a.jpg', 'locked/b.jpg', 'z.jpg');
    await chmod(join(folder, 'locked'), 0);
    const found = await walk();
    await chmod(join(folder, 'locked'), 0o700);
    expect(found.files.map((file) => file.path)).toEqual(['a.jpg', 'z.jpg']);
    expect(found.failures).toEqual([{ path: 'locked', reason: 'no permission to read it' }]);
  });
});

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSmallFiles, type SmallFile, type SmallFiles } from './folder-small-files.ts';

let root: string;
let folder: string;
let smallFiles: SmallFiles;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'touchline-small-files-')));
  folder = join(root, 'target');
  await mkdir(folder);
  smallFiles = createSmallFiles({ most: 2 });
  const warm = await fileOf(randomBytes(10), 'warm.bin');
  // The first ones are left to others, and so are those that come before a thread has started.
  await vi.waitUntil(() => smallFiles.put(warm), { interval: 5, timeout: 10_000 });
});
afterAll(async () => {
  await smallFiles.close();
  await rm(root, { recursive: true });
});

async function fileOf(content: Buffer, name: string, changes: Partial<SmallFile> = {}): Promise<SmallFile> {
  const file = join(root, randomUUID());
  await writeFile(file, content, { mode: 0o600 });
  return {
    file,
    temporary: join(folder, `.touchline-${randomUUID()}.part`),
    target: join(folder, name),
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
    mode: 0o640,
    replace: true,
    ...changes,
  };
}
const temporaryNames = async (): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('.touchline'));

test.each([0, 1, 500_000, 1_048_576])('a file of %d bytes is put, and is as the folder has it', async (bytes) => {
  const content = randomBytes(bytes);
  expect(await smallFiles.put(await fileOf(content, `${bytes}.bin`))).toBe(true);
  expect(content.equals(await readFile(join(folder, `${bytes}.bin`)))).toBe(true);
  expect((await stat(join(folder, `${bytes}.bin`))).mode & 0o777).toBe(0o640);
  expect(await temporaryNames()).toEqual([]);
});

test.each([
  ['shorter', (said: Buffer) => said.subarray(1)],
  ['longer', (said: Buffer) => Buffer.concat([said, said])],
  ['of other bytes', (said: Buffer) => Buffer.concat([said.subarray(1), said.subarray(0, 1)])],
])('a source that is %s than was said is refused, and nothing is left of it', async (how, changed) => {
  const said = randomBytes(1000);
  const file = await fileOf(said, `${how}.bin`);
  await writeFile(file.file, changed(said));
  expect(await smallFiles.put(file)).toBe(false);
  expect(await readdir(folder)).not.toContain(`${how}.bin`);
  expect(await temporaryNames()).toEqual([]);
});

test('a file that is not to be replaced stays', async () => {
  expect(await smallFiles.put(await fileOf(Buffer.from('first'), 'kept.bin', { replace: false }))).toBe(true);
  expect(await smallFiles.put(await fileOf(Buffer.from('second'), 'kept.bin', { replace: false }))).toBe(false);
  expect(await readFile(join(folder, 'kept.bin'), 'utf8')).toBe('first');
  expect(await temporaryNames()).toEqual([]);
  expect(await smallFiles.put(await fileOf(Buffer.from('third'), 'kept.bin'))).toBe(true);
  expect(await readFile(join(folder, 'kept.bin'), 'utf8')).toBe('third');
});

test('no link is followed, neither one under the temporary name nor one on the way to it', async () => {
  const victim = join(root, 'victim');
  await writeFile(victim, 'untouched');
  const file = await fileOf(Buffer.from('a'), 'linked.bin');
  await symlink(victim, file.temporary);
  expect(await smallFiles.put(file)).toBe(false);
  expect(await readFile(victim, 'utf8')).toBe('untouched');
  await rm(file.temporary);

  await mkdir(join(root, 'outside'));
  await symlink(join(root, 'outside'), join(folder, 'link'));
  const [temporary, target] = [join(folder, 'link', '.touchline-x.part'), join(folder, 'link', 'a.bin')];
  expect(await smallFiles.put(await fileOf(Buffer.from('a'), 'a.bin', { temporary, target }))).toBe(false);
  expect(await readdir(join(root, 'outside'))).toEqual([]);
});

test('many at once are each put once, by a thread or by who asked', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `many-${at}.bin`);
  const contents = names.map(() => randomBytes(100_000));
  const files = await Promise.all(names.map((name, at) => fileOf(contents[at] ?? Buffer.alloc(0), name)));
  const put = await Promise.all(files.map((file) => smallFiles.put(file)));
  expect(put).toContain(true);
  const there = new Set(await readdir(folder));
  expect(names.map((name) => there.has(name))).toEqual(put);
  for (const [at, name] of names.entries()) {
    if (put[at] === true) expect(contents[at]?.equals(await readFile(join(folder, name)))).toBe(true);
  }
});

test('a session that is closed takes none, and those under way do not wait for ever', async () => {
  const other = createSmallFiles({ most: 1 });
  const warm = await fileOf(randomBytes(10), 'other.bin');
  await vi.waitUntil(() => other.put(warm), { interval: 5, timeout: 10_000 });
  const asked = Promise.allSettled([other.put(await fileOf(randomBytes(1_000_000), 'closed.bin'))]);
  await other.close();
  const [underWay] = await asked;
  if (underWay?.status === 'rejected') expect(underWay.reason).toMatchObject({ code: 'connection_lost' });
  else expect((await stat(join(folder, 'closed.bin'))).size).toBe(1_000_000);
  expect(await other.put(warm)).toBe(false);
});

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DAY_MS } from '../base/index.ts';
import { isMissing } from './faults.ts';
import { type ExpectedBytes, readVerified } from './verified-read.ts';

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** No write takes a day: what is older was left behind by a crash. */
const TEMPORARY_AGE_MAX_MS = DAY_MS;

/** Makes a name durable: without this a power cut can lose a rename that was already reported as done. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder and its missing parents, private to the service's user, and makes their names durable. */
export async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: DIRECTORY_MODE });
  if (first === undefined) return;
  let parent = dirname(first);
  for (const name of relative(parent, path).split('/')) {
    await syncDirectory(parent);
    parent = join(parent, name);
  }
}

/** A complete, verified, durable copy under a temporary name in `directory`; nothing stays behind when it fails. */
export async function copyToTemporary(source: string, directory: string, expected: ExpectedBytes): Promise<string> {
  const path = join(directory, randomUUID());
  try {
    // `flush` is fsync before close.
    await pipeline(
      Readable.from(readVerified(source, expected), { objectMode: false }),
      createWriteStream(path, { mode: FILE_MODE, flags: 'wx', flush: true }),
    );
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return path;
}

/** Whether renaming a file gives the object its own bytes: same file system, not a link, no second name. */
export async function canBeMoved(path: string, directory: string): Promise<boolean> {
  const [file, target] = await Promise.all([lstat(path), stat(directory)]);
  return file.isFile() && file.nlink === 1 && file.dev === target.dev;
}

/** Makes a file's bytes durable and private before it is given its final name. */
export async function settleFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.chmod(FILE_MODE);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives a file its final name; readers see the old object or the new one, never a part. */
export async function renameInto(path: string, target: string): Promise<void> {
  await makeDirectory(dirname(target));
  await rename(path, target);
  await syncDirectory(dirname(target));
}

/** Writes and removes a small file. */
export async function probeDirectory(directory: string): Promise<void> {
  const path = join(directory, `probe-${randomUUID()}`);
  const handle = await open(path, 'wx', FILE_MODE);
  try {
    await handle.writeFile('probe');
    await handle.sync();
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}

/** Removes what crashed writes left in a folder of temporary files; answers how many. */
export async function removeStaleFiles(directory: string, nowMs: number): Promise<number> {
  let removed = 0;
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    try {
      const file = await lstat(path);
      if (!file.isFile() || nowMs - file.mtimeMs <= TEMPORARY_AGE_MAX_MS) continue;
      await rm(path, { force: true });
      removed += 1;
    } catch (error) {
      // Another node on the same folder may have been quicker.
      if (!isMissing(error)) throw error;
    }
  }
  return removed;
}

/** Makes a folder of the service's own, also when it exists with wider rights. */
export async function makePrivateDirectory(path: string): Promise<void> {
  await makeDirectory(path);
  await chmod(path, DIRECTORY_MODE);
}

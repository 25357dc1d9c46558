import { hash } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { SmallFile, SmallFileAnswer } from './folder-small-files.ts';

const NEW_OR_SHARED = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
/** Grows to the largest of the small files, and to one byte more, which shows that a file is longer. */
let buffer = Buffer.allocUnsafeSlow(0);

/** Never follows a link: the folder is the one that its path says, and the temporary file is new. */
function store(put: SmallFile): boolean {
  const folder = dirname(put.temporary);
  if (realpathSync.native(folder) !== folder) return false;
  copyFileSync(put.file, put.temporary, NEW_OR_SHARED);
  try {
    const handle = openSync(put.temporary, 'r+');
    try {
      fchmodSync(handle, put.mode);
      fsyncSync(handle);
      if (!isRight(handle, put)) throw new Error('expected the bytes that were said, received others');
    } finally {
      closeSync(handle);
    }
    if (put.replace) renameSync(put.temporary, put.target);
    // A link fails where the name is taken, which a rename does not.
    else linkSync(put.temporary, put.target);
  } catch {
    rmSync(put.temporary, { force: true });
    return false;
  }
  return true;
}

function isRight(handle: number, { bytes, sha256 }: SmallFile): boolean {
  if (buffer.length <= bytes) buffer = Buffer.allocUnsafeSlow(bytes + 1);
  let at = 0;
  for (;;) {
    const more = readSync(handle, buffer, at, bytes + 1 - at, at);
    at += more;
    if (at > bytes) return false;
    if (more === 0) return at === bytes && hash('sha256', buffer.subarray(0, bytes), 'hex') === sha256;
  }
}

/** Its name, brought to the disk. */
function settle({ temporary, target, replace }: SmallFile): void {
  if (!replace) rmSync(temporary, { force: true });
  const folder = openSync(dirname(target), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function answerOf(put: SmallFile): SmallFileAnswer {
  try {
    if (!store(put)) return false;
  } catch {
    return false;
  }
  try {
    settle(put);
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { message: error.message, code: 'code' in error && typeof error.code === 'string' ? error.code : undefined };
  }
}

parentPort?.on('message', (put: SmallFile) => parentPort?.postMessage(answerOf(put), []));

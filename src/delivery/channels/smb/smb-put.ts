/**
 * Stores a file whole: a temporary name beside it, what the server has of it read back and hashed, then a rename. Small files take one
 * request to the child. Large ones are read back over a second connection while they are written.
 */
import { MIB } from '../../../base/index.ts';
import { ChannelError, type PutOptions, type PutResult, temporaryPath } from '../../channel.ts';
import { folderOf, nameTaken, rising } from '../put-by-rename.ts';
import { type CheckedSource, checkedSource, faultOf, piecesOf, sha256Of, sourceChanged, wholeOf } from '../transfer.ts';
import { isMissing } from './smb-faults.ts';
import { closeFile, type SmbFiles, whileBusy } from './smb-files.ts';
import { hashBehind, hashFile, type ReadBack, type WriteProgress, writeProgress } from './smb-read-back.ts';
import type { SmbPool } from './smb-pool.ts';
import type { SmbWorker } from './smb-worker.ts';

/** Up to here a file is one request, and held in memory. */
const WHOLE_BYTES = 4 * MIB;
const PIECE_BYTES = MIB;
/** One that is written, one on its way to the child, one that is being filled. */
const PIECES_AT_ONCE = 3;
/** Of a file that the child reads by itself: what is told at once, and cannot be interrupted but by its end. */
const PART_BYTES = 4 * MIB;
const PARTS_AT_ONCE = 2;
/** The last write before a connection ended may have arrived in part. */
const RESUME_BACK_BYTES = PIECE_BYTES;

type Deps = {
  readonly pool: SmbPool;
  readonly files: SmbFiles;
  /** Whether the file has got the name, which is left to whoever has it. */
  readonly renameUnlessTaken: (names: {
    readonly from: string;
    readonly to: string;
    readonly signal: AbortSignal;
  }) => Promise<boolean>;
};
type Work = Deps & {
  readonly put: PutOptions;
  readonly temporary: string;
  readonly sources: CheckedSource[];
  readonly state: { hasBegun: boolean };
};

export async function putOverSmb(deps: Deps, options: PutOptions): Promise<PutResult> {
  const put = { ...options, onProgress: rising(options.onProgress) };
  const sources: CheckedSource[] = [];
  const work: Work = { ...deps, put, temporary: temporaryPath(put), sources, state: { hasBegun: false } };
  const { signal } = put;
  try {
    signal.throwIfAborted();
    return await (put.bytes <= WHOLE_BYTES ? storeWhole(work) : storeLarge(work));
  } catch (error) {
    const fault = faultOf(error, { signal, source: sources.at(-1), classify: deps.files.classify });
    if (fault instanceof ChannelError && fault.permanent && work.state.hasBegun) {
      // Nobody goes on from what was refused for good. The first fault is the one to tell.
      await deps.files.remove(work.temporary, signal).catch(() => {});
    }
    throw fault;
  }
}

async function storeWhole(work: Work): Promise<PutResult> {
  const { pool, put, temporary } = work;
  const { path, replace, sha256, signal } = put;
  if (!replace && (await work.files.stat(path, signal))) throw nameTaken(path);
  const { file } = put;
  const body = file === undefined ? await bodyOf(work) : undefined;
  work.state.hasBegun = true;
  const store = () =>
    pool.use(signal, (worker) =>
      worker.request(
        { op: 'store', path: temporary, sha256, rename: replace ? path : undefined, file },
        { signal, body },
      ),
    );
  const stored = await inItsFolder(work, () => whileBusy(signal, store));
  if (stored.sha256 !== sha256) {
    await work.files.remove(temporary, signal);
    throw await wrongBytes(put);
  }
  put.onProgress?.(put.bytes);
  if (!replace) await takeFreeName(work);
  return { verified: 'read_back', sentBytes: put.bytes };
}

/** Most files go to folders that are there: asking first would cost each of them a request. */
async function inItsFolder<Result>({ files, put }: Work, store: () => Promise<Result>): Promise<Result> {
  try {
    return await store();
  } catch (error) {
    const folder = folderOf(put.path);
    if (!isMissing(error) || folder === '') throw error;
    await files.makeFolders(folder, put.signal);
    return store();
  }
}

async function storeLarge(work: Work): Promise<PutResult> {
  const { pool, files, put, temporary } = work;
  const { path, replace, signal } = put;
  if (!replace && (await files.stat(path, signal))) throw nameTaken(path);
  const left = put.isFirst === true ? 0 : await sizeOfTemporary(work);
  const offset = left > put.bytes ? 0 : Math.max(0, left - RESUME_BACK_BYTES);
  let sentBytes = put.bytes - offset;
  let isRight = await inItsFolder(work, () => pool.use(signal, (worker) => writeAndCheck(work, { worker, offset })));
  if (!isRight && offset > 0) {
    // What was left was of other bytes.
    sentBytes += put.bytes;
    isRight = await pool.use(signal, (worker) => writeAndCheck(work, { worker, offset: 0 }));
  }
  if (!isRight) {
    await files.remove(temporary, signal);
    throw await wrongBytes(put);
  }
  if (!replace) await takeFreeName(work);
  else {
    const rename = () =>
      pool.use(signal, (worker) => worker.request({ op: 'rename', from: temporary, to: path }, { signal }));
    await whileBusy(signal, rename);
  }
  return { verified: 'read_back', sentBytes };
}

async function takeFreeName({ put, temporary, renameUnlessTaken }: Work): Promise<void> {
  const { path, signal } = put;
  const rename = () => renameUnlessTaken({ from: temporary, to: path, signal });
  if (!(await whileBusy(signal, rename))) throw nameTaken(path);
}

async function sizeOfTemporary({ pool, put: { signal }, temporary }: Work): Promise<number> {
  const left = await pool.use(signal, (worker) => worker.request({ op: 'stat', path: temporary }, { signal }));
  return left.file?.bytes ?? 0;
}

type Place = { readonly worker: SmbWorker; readonly offset: number };

/** Writes from `offset` on. Whether the server then has the right bytes, those before `offset` too. */
async function writeAndCheck(work: Work, { worker, offset }: Place): Promise<boolean> {
  const { put, temporary, pool } = work;
  const { signal, bytes } = put;
  const progress = writeProgress(offset);
  const waiting = new AbortController();
  const hashing = (async (): Promise<ReadBack | undefined> => {
    const loan = await pool.borrowSpare(AbortSignal.any([signal, waiting.signal])).catch(() => undefined);
    try {
      return loan && (await hashBehind(loan.worker, { path: temporary, bytes, progress, signal }));
    } finally {
      loan?.release();
    }
  })();
  // It is awaited after the writing, whose fault is the one to tell.
  hashing.catch(() => {});
  try {
    const how = offset > 0 ? 'append' : 'new';
    await worker.request({ op: 'open', path: temporary, how, offset }, { signal });
    work.state.hasBegun = true;
    const place = { worker, offset };
    if (put.file === undefined) await writePieces(work, { place, progress });
    else await copyParts(work, { place, progress, file: put.file });
  } finally {
    waiting.abort();
    progress.end();
    await closeFile(worker);
    await hashing.catch(() => {});
  }
  const found = (await hashing) ?? (await hashFile(worker, { path: temporary, bytes, signal }));
  return found.bytes === bytes && found.sha256 === put.sha256;
}

async function writePieces(
  work: Work,
  { place, progress }: { readonly place: Place; readonly progress: WriteProgress },
): Promise<void> {
  const { put, sources } = work;
  const { worker, offset } = place;
  const source = checkedSource(put, { offset, isHashed: false });
  sources.push(source);
  const underWay: Promise<void>[] = [];
  let done = offset;
  try {
    for await (const piece of piecesOf(source.chunks, { pieceBytes: PIECE_BYTES, bytes: put.bytes - offset })) {
      const send = async (): Promise<void> => {
        await worker.request({ op: 'write' }, { signal: put.signal, body: piece });
        done += piece.length;
        progress.reach(done);
        put.onProgress?.(done);
      };
      const sending = send();
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      sending.catch(() => {});
      underWay.push(sending);
      if (underWay.length >= PIECES_AT_ONCE) await underWay.shift();
    }
    await Promise.all(underWay);
  } finally {
    // After a fault of the source they arrive all the same, and the next try need not send them again.
    await Promise.allSettled(underWay);
  }
}

/** A file of this machine goes from the child to the server, and not through here. */
async function copyParts(
  { put }: Work,
  { place, progress, file }: { readonly place: Place; readonly progress: WriteProgress; readonly file: string },
): Promise<void> {
  const { bytes, signal } = put;
  const underWay: Promise<void>[] = [];
  try {
    for (let from = place.offset; from < bytes; from += PART_BYTES) {
      const until = Math.min(bytes, from + PART_BYTES);
      const send = async (): Promise<void> => {
        await place.worker.request({ op: 'copy', file, from, until }, { signal });
        progress.reach(until);
        put.onProgress?.(until);
      };
      const sending = send();
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      sending.catch(() => {});
      underWay.push(sending);
      if (underWay.length >= PARTS_AT_ONCE) await underWay.shift();
    }
    await Promise.all(underWay);
  } finally {
    await Promise.allSettled(underWay);
  }
}

async function bodyOf({ put, sources }: Work): Promise<Buffer> {
  const source = checkedSource(put, { isHashed: false });
  sources.push(source);
  return wholeOf(source.chunks, put.bytes);
}

/** Whose fault it is that what was read back is not what was said. */
async function wrongBytes(put: PutOptions): Promise<ChannelError> {
  const source = await sha256Of(put.read(0, put.signal));
  if (source.sha256 !== put.sha256 || source.bytes !== put.bytes) return sourceChanged();
  return new ChannelError('corrupted', 'expected the bytes that were sent when checking them, received others');
}

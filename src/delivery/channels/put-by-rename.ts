/**
 * The put of every target that has files and renames: a temporary name beside the file, appended to by later tries, checked before it
 * gets its name. What is checked is what the target holds, so that a resumed file need not be trusted.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { KIB } from '../../base/index.ts';
import {
  ChannelError,
  type ChannelSession,
  type Leftover,
  type PutOptions,
  type PutResult,
  temporaryId,
  temporaryPath,
} from '../channel.ts';
import { filePieces, type PutMemory } from './file-pieces.ts';
import { type CheckedSource, checkedSource, faultOf, sha256Of, sourceChanged } from './transfer.ts';

/** After 0.2, 0.4 and 0.6 s. */
const BUSY_TRIES = 4;
const BUSY_WAIT_MS = 200;
const LENT_PIECE_BYTES = 512 * KIB;

export type SentFile = {
  readonly path: string;
  readonly offset: number;
  /** Of the whole file. */
  readonly bytes: number;
  readonly contentType: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** Bytes of the file that were accepted so far. */
  readonly onBytes: (bytes: number) => void;
  /** Where the target has memory: takes back a chunk that has gone out. */
  readonly giveBack?: (chunk: Uint8Array) => void;
};

/** What the target holds. */
export type ReadBack = { readonly sha256: string; readonly bytes: number };

/** One kind's files. Paths are those of the port; errors are the kind's own and get classified here. */
export type FileTarget = {
  /** Whole files of this machine are read into it, where `write` gives their chunks back. */
  readonly memory?: PutMemory;
  size(path: string, signal: AbortSignal): Promise<number | undefined>;
  /** Makes a folder and those above it; existing ones are fine. Empty is the root, which exists. */
  makeFolders(folder: string, signal: AbortSignal): Promise<void>;
  /** From 0 a new or emptied file, else on from there. */
  write(file: SentFile): Promise<void>;
  /** The same from 0, where the kind reads what has arrived while it writes; undefined when the server does not let it. */
  writeAndHash?(file: SentFile): Promise<ReadBack | undefined>;
  read(path: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Without `replace` the target refuses a taken name, where it can. */
  rename(names: {
    readonly from: string;
    readonly to: string;
    readonly replace: boolean;
    readonly signal: AbortSignal;
  }): Promise<void>;
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** Names in a folder; empty when there is no such folder. */
  names(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** What is there, hashed here; by default what `read` answers. `bytes` are what is expected, more must be told from them. */
  readBack?(path: string, options: { readonly bytes: number; readonly signal: AbortSignal }): Promise<ReadBack>;
  /** The SHA-256 that the server itself computes; undefined when it cannot. */
  sha256?(path: string, signal: AbortSignal): Promise<string | undefined>;
  readonly classify: (error: unknown) => ChannelError;
  /** Undefined: files cannot be appended to. Else how many of the last bytes of a leftover are sent again. */
  readonly resumeBackBytes: number | undefined;
};

async function putByRename(target: FileTarget, put: PutOptions, folders: Folders): Promise<PutResult> {
  const temporary = temporaryPath(put);
  const sources: CheckedSource[] = [];
  try {
    return await putFile(target, { ...put, onProgress: rising(put.onProgress) }, { temporary, sources, folders });
  } catch (error) {
    const fault = faultOf(error, { signal: put.signal, source: sources.at(-1), classify: target.classify });
    if (fault instanceof ChannelError && fault.permanent && sources.length > 0) {
      // Nobody goes on from what was refused for good. The first fault is the one to tell.
      await target.remove(temporary, put.signal).catch(() => {});
    }
    throw fault;
  }
}

/** Folders that are known to be there. */
type Folders = Set<string>;
type Work = { readonly temporary: string; readonly sources: CheckedSource[]; readonly folders: Folders };

async function putFile(target: FileTarget, put: PutOptions, work: Work): Promise<PutResult> {
  const { path, signal } = put;
  const { temporary } = work;
  signal.throwIfAborted();
  if (!put.replace && (await target.size(path, signal)) !== undefined) throw nameTaken(path);
  // Where nothing can be appended to, what was left is written anew and need not be looked for.
  const canResume = target.resumeBackBytes !== undefined && put.isFirst !== true;
  const left = canResume ? await target.size(temporary, signal) : undefined;
  const offset = resumeOffset(target, { left, bytes: put.bytes });
  const written =
    left === undefined ? await writeIntoFolder(target, put, work) : await writeFrom(target, put, { work, offset });
  let sentBytes = put.bytes - offset;
  let found = await check(target, put, { temporary, written });
  if (!found.isRight && offset > 0) {
    // What was left was of other bytes.
    const again = await writeFrom(target, put, { work, offset: 0 });
    sentBytes += put.bytes;
    found = await check(target, put, { temporary, written: again });
  }
  if (!found.isRight) {
    await target.remove(temporary, signal);
    const source = await sha256Of(put.read(0, signal));
    if (source.sha256 !== put.sha256 || source.bytes !== put.bytes) throw sourceChanged();
    throw new ChannelError('corrupted', 'expected the bytes that were sent when checking them, received others');
  }
  await target.rename({ from: temporary, to: path, replace: put.replace, signal });
  return { verified: found.verified, ...(found.verified === 'checksum' && { checksum: put.sha256 }), sentBytes };
}

/** Makes the folder once a session, and again when a write finds that somebody has removed it. */
async function writeIntoFolder(target: FileTarget, put: PutOptions, work: Work): Promise<ReadBack | undefined> {
  const { folders } = work;
  const folder = folderOf(put.path);
  const isKnown = folders.has(folder);
  if (!isKnown) {
    await target.makeFolders(folder, put.signal);
    folders.add(folder);
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeFrom(target, put, { work, offset: 0 });
    } catch (error) {
      if (work.sources.at(-1)?.failure() !== undefined || put.signal.aborted) throw error;
      const { code } = error instanceof ChannelError ? error : target.classify(error);
      if (code === 'busy' && tries < BUSY_TRIES) {
        // The server is still about to end what a try before has begun.
        await delay(BUSY_WAIT_MS * tries, undefined, { signal: put.signal });
      } else if (code === 'not_found' && isKnown && tries === 1) {
        folders.clear();
        await target.makeFolders(folder, put.signal);
        folders.add(folder);
      } else throw error;
    }
  }
}

/** Reports no step back, which a second start would be. */
export function rising(report: PutOptions['onProgress']): PutOptions['onProgress'] {
  let highest = 0;
  return (bytes) => {
    highest = Math.max(highest, bytes);
    report?.(highest);
  };
}

export const nameTaken = (path: string): ChannelError =>
  new ChannelError('name_taken', `expected no file under ${path}, received one`);

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function resumeOffset(target: FileTarget, file: { readonly left: number | undefined; readonly bytes: number }): number {
  if (target.resumeBackBytes === undefined || file.left === undefined || file.left > file.bytes) return 0;
  return Math.max(0, file.left - target.resumeBackBytes);
}

/** What was read back meanwhile, if it was. */
async function writeFrom(
  target: FileTarget,
  put: PutOptions,
  { work, offset }: { readonly work: Work; readonly offset: number },
): Promise<ReadBack | undefined> {
  const { signal, bytes, contentType, onProgress } = put;
  const lent = lentSource(put, target.memory);
  // Its hash is left out: what is read back, or the target's own hash, shows the same.
  const source = checkedSource(lent?.put ?? put, { offset, isHashed: false });
  work.sources.push(source);
  const onBytes = (done: number): void => onProgress?.(done);
  const { chunks } = source;
  const file = { path: work.temporary, offset, bytes, contentType, chunks, signal, onBytes, ...lent?.back };
  if (offset === 0 && target.writeAndHash) return target.writeAndHash(file);
  await target.write(file);
  return undefined;
}

/** Undefined for chunks whose memory belongs to somebody else. */
function lentSource(
  put: PutOptions,
  memory: PutMemory | undefined,
): { readonly put: PutOptions; readonly back: Pick<SentFile, 'giveBack'> } | undefined {
  const { file: path, bytes } = put;
  if (path === undefined || !memory) return undefined;
  const pieceBytes = LENT_PIECE_BYTES;
  const read: PutOptions['read'] = (offset, signal) => filePieces({ path, offset, bytes, pieceBytes, memory, signal });
  return { put: { ...put, read }, back: { giveBack: (chunk) => memory.give(chunk) } };
}

async function check(
  target: FileTarget,
  put: PutOptions,
  { temporary, written }: { readonly temporary: string; readonly written: ReadBack | undefined },
): Promise<{ readonly isRight: boolean; readonly verified: PutResult['verified'] }> {
  const told = await target.sha256?.(temporary, put.signal);
  // Another one may be that of bytes that were there before: servers remember them by the second of the change.
  if (told === put.sha256) return { isRight: true, verified: 'checksum' };
  const { bytes, signal } = put;
  const isRight = (back: ReadBack): boolean => back.bytes === bytes && back.sha256 === put.sha256;
  // What was read while it was written may be older than what the file has become.
  if (written && isRight(written)) return { isRight: true, verified: 'read_back' };
  const back =
    (await target.readBack?.(temporary, { bytes, signal })) ?? (await sha256Of(target.read(temporary, signal)));
  return { isRight: isRight(back), verified: 'read_back' };
}

/** Temporary files in the folder of a path; which are of which put is told by their IDs. */
async function leftoversOf(
  target: Pick<FileTarget, 'names' | 'classify'>,
  path: string,
  signal: AbortSignal,
): Promise<readonly Leftover[]> {
  try {
    const folder = folderOf(path);
    const names = await target.names(folder, signal);
    return names.flatMap((name) => {
      const id = temporaryId(name);
      return id === undefined ? [] : [{ id, path: folder === '' ? name : `${folder}/${name}` }];
    });
  } catch (error) {
    throw faultOf(error, { signal, classify: target.classify });
  }
}

/** The session's calls that need no more than the target's own. */
export function callsOf(
  target: FileTarget,
): Pick<ChannelSession, 'put' | 'read' | 'remove' | 'leftovers' | 'removeLeftover'> {
  const folders: Folders = new Set(['']);
  return { put: (options) => putByRename(target, options, folders), ...otherCallsOf(target) };
}

/** The same for a kind that has a put of its own. */
export function otherCallsOf(
  target: Pick<FileTarget, 'read' | 'remove' | 'names' | 'classify'>,
): Pick<ChannelSession, 'read' | 'remove' | 'leftovers' | 'removeLeftover'> {
  const remove = async (path: string, signal: AbortSignal): Promise<void> => {
    try {
      signal.throwIfAborted();
      await target.remove(path, signal);
    } catch (error) {
      throw faultOf(error, { signal, classify: target.classify });
    }
  };
  return {
    async *read(path, signal) {
      try {
        signal.throwIfAborted();
        yield* target.read(path, signal);
        signal.throwIfAborted();
      } catch (error) {
        throw faultOf(error, { signal, classify: target.classify });
      }
    },
    remove,
    leftovers: (path, signal) => leftoversOf(target, path, signal),
    removeLeftover: ({ path }, signal) => remove(path, signal),
  };
}

/** Bytes to and from files over SFTP. Requests are pipelined: one at a time would wait for the network 5 times for a megabyte. */
import { createHash } from 'node:crypto';
import type { SFTPWrapper, Stats } from 'ssh2';
import { KIB } from '../../../base/index.ts';
import type { ReadBack, SentFile } from '../put-by-rename.ts';
import { piecesOf } from '../transfer.ts';
import type { Done } from './sftp-answers.ts';
import type { SftpConnection } from './sftp-connection.ts';
import { sftpStatus } from './sftp-faults.ts';
import type { SftpReader } from './sftp-reader.ts';

/** The largest request of OpenSSH, less than its packet of 256 KiB. For other servers the library makes several of one. */
const PIECE_BYTES = 240 * KIB;
/** 3.75 MiB under way: what fills 300 Mbit/s over a distance of 100 ms. */
const REQUESTS_AT_ONCE = 16;
const END_OF_FILE = 1;

/** One request and its answer. */
export async function answerOf<Result>(
  { sftp, answers }: SftpConnection,
  signal: AbortSignal,
  send: (sftp: SFTPWrapper, done: Done<Result>) => void,
): Promise<Result> {
  return answers.of(signal, (done: Done<Result>) => send(sftp, done));
}

async function openHandle(
  connection: SftpConnection,
  file: { readonly path: string; readonly flags: 'r' | 'r+' | 'w' | 'w+'; readonly signal: AbortSignal },
): Promise<Buffer> {
  return answerOf(connection, file.signal, (sftp, done: Done<Buffer>) => sftp.open(file.path, file.flags, done));
}

/** The server closes it after the requests before; nobody needs to wait for that when something else failed. */
function closeLater({ sftp, ended }: SftpConnection, handle: Buffer): void {
  if (!ended.aborted) sftp.close(handle, () => {});
}

/** Buffers come from a list and go back to it: fresh ones keep the garbage collector busy. */
type PooledFile = SentFile & { readonly buffers: Buffer<ArrayBuffer>[] };

/** Goes on with a file that is there. */
export async function appendFile(connection: SftpConnection, file: PooledFile): Promise<void> {
  const handle = await openHandle(connection, { path: file.path, flags: 'r+', signal: file.signal });
  await sendPieces(connection, { ...file, handle, settled: async () => 0, take: () => {} });
}

/** Each piece is read as soon as the server has it: writing and reading share the time that a piece is on its way. */
export async function writeAndHashFile(connection: SftpConnection, file: PooledFile): Promise<ReadBack | undefined> {
  const { path, signal } = file;
  const { handle, ...opened } = await openForBoth(connection, { path, signal });
  let { isReadable } = opened;
  const hash = createHash('sha256');
  let bytes = 0;
  // A file that is longer than it should be has a byte here.
  const beyond = (): Promise<number> =>
    readAt(connection, { handle, buffer: Buffer.alloc(1), position: file.bytes, signal });
  const readPiece = async (piece: Buffer, position: number): Promise<number> => {
    // Nothing but what the server answers can turn out to be right.
    piece.fill(0);
    const reading = readAt(connection, { handle, buffer: piece, position, signal });
    if (position + piece.length < file.bytes) return reading;
    const [filled, more] = await Promise.all([reading, beyond()]);
    bytes += more;
    return filled;
  };
  await sendPieces(connection, {
    ...file,
    handle,
    settled: async (piece, position) => {
      if (!isReadable) return 0;
      try {
        return await readPiece(piece, position);
      } catch (error) {
        if (!isAnswer(error)) throw error;
        isReadable = false;
        return 0;
      }
    },
    take: (filled) => {
      hash.update(filled);
      bytes += filled.length;
    },
  });
  return isReadable ? { sha256: hash.digest('hex'), bytes } : undefined;
}

/** A refusal of the server, not the end of the connection. */
const isAnswer = (error: unknown): boolean => typeof sftpStatus(error) === 'number';

/** Some servers let nobody read what is being written: it is read when it is closed. */
async function openForBoth(
  connection: SftpConnection,
  file: { readonly path: string; readonly signal: AbortSignal },
): Promise<{ readonly handle: Buffer; readonly isReadable: boolean }> {
  try {
    return { handle: await openHandle(connection, { ...file, flags: 'w+' }), isReadable: true };
  } catch (error) {
    if (!isAnswer(error)) throw error;
    return { handle: await openHandle(connection, { ...file, flags: 'w' }), isReadable: false };
  }
}

/** The same, while another thread reads it. */
export async function writeAndFollowFile(
  connection: SftpConnection,
  file: PooledFile,
  reader: SftpReader,
): Promise<ReadBack | undefined> {
  const { path, bytes, signal } = file;
  const handle = await openHandle(connection, { path, flags: 'w', signal });
  const failing = new AbortController();
  const following = reader.follow({ path, bytes, signal: AbortSignal.any([signal, failing.signal]) });
  let arrived = 0;
  try {
    await sendPieces(connection, {
      ...file,
      handle,
      settled: async (piece) => piece.length,
      take: (piece) => {
        arrived += piece.length;
        following.reached(arrived);
      },
    });
    return await following.result;
  } finally {
    failing.abort();
  }
}

/** Writes the pieces of a file, many at once, and closes it. */
async function sendPieces(
  connection: SftpConnection,
  file: PooledFile & {
    readonly handle: Buffer;
    /** After a piece was written; how much of it is to be taken. */
    readonly settled: (piece: Buffer, position: number) => Promise<number>;
    /** Pieces in their order, which are used again afterwards. */
    readonly take: (filled: Buffer) => void;
  },
): Promise<void> {
  const { handle, offset, signal, onBytes, buffers } = file;
  const waiting: { readonly piece: Buffer<ArrayBuffer>; readonly going: Promise<number> }[] = [];
  let [at, done] = [offset, offset];
  const send = async (piece: Buffer, position: number): Promise<number> => {
    await answerOf<void>(connection, signal, (sftp, end) => sftp.write(handle, piece, 0, piece.length, position, end));
    done += piece.length;
    onBytes(done);
    return file.settled(piece, position);
  };
  const takeFirst = async (): Promise<void> => {
    const first = waiting.shift();
    if (!first) return;
    file.take(first.piece.subarray(0, await first.going));
    if (first.piece.length === PIECE_BYTES) buffers.push(first.piece);
  };
  try {
    for await (const piece of piecesOf(file.chunks, {
      pieceBytes: PIECE_BYTES,
      bytes: file.bytes - offset,
      used: buffers,
    })) {
      const going = send(piece, at);
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      going.catch(() => {});
      waiting.push({ piece, going });
      at += piece.length;
      if (waiting.length >= REQUESTS_AT_ONCE) await takeFirst();
    }
    while (waiting.length > 0) await takeFirst();
  } finally {
    // What is under way may arrive, so that the next try finds it.
    await Promise.allSettled(waiting.map(({ going }) => going));
    closeLater(connection, handle);
  }
}

/** Reads at a place until the buffer is full or the file ends; the bytes that were read. */
async function readAt(
  connection: SftpConnection,
  part: { readonly handle: Buffer; readonly buffer: Buffer; readonly position: number; readonly signal: AbortSignal },
): Promise<number> {
  const { handle, buffer, position, signal } = part;
  let filled = 0;
  while (filled < buffer.length) {
    const received = await answerOf<number>(connection, signal, (sftp, done) =>
      sftp.read(handle, buffer, filled, buffer.length - filled, position + filled, (error, bytes) => {
        if (error && sftpStatus(error) === END_OF_FILE) done(undefined, 0);
        else done(error, bytes);
      }),
    );
    if (received === 0) break;
    filled += received;
  }
  return filled;
}

export async function* readFile(
  connection: SftpConnection,
  file: { readonly path: string; readonly signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const { signal } = file;
  const handle = await openHandle(connection, { ...file, flags: 'r' });
  const piece = async (position: number, bytes: number): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(bytes);
    return buffer.subarray(0, await readAt(connection, { handle, buffer, position, signal }));
  };
  const waiting: Promise<Buffer>[] = [];
  try {
    const { size } = await answerOf(connection, signal, (sftp, done: Done<Stats>) => sftp.fstat(handle, done));
    for (let next = 0; next < size; next += PIECE_BYTES) {
      const asked = piece(next, Math.min(PIECE_BYTES, size - next));
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      asked.catch(() => {});
      waiting.push(asked);
      const first = waiting.length < REQUESTS_AT_ONCE ? undefined : waiting.shift();
      if (first) yield await first;
    }
    for (const asked of waiting) yield await asked;
  } finally {
    closeLater(connection, handle);
  }
}

/** Hashes a file that should have `bytes`. */
export async function hashFile(
  connection: SftpConnection,
  file: {
    readonly path: string;
    readonly bytes: number;
    readonly signal: AbortSignal;
    readonly buffers: Buffer<ArrayBuffer>[];
    /** Of a file that is being written: waits until the server has so many bytes. */
    readonly reached?: (bytes: number) => Promise<void>;
  },
): Promise<ReadBack> {
  const { signal, buffers } = file;
  const handle = await openHandle(connection, { ...file, flags: 'r' });
  const hash = createHash('sha256');
  const waiting: { readonly buffer: Buffer<ArrayBuffer>; readonly filling: Promise<number> }[] = [];
  let bytes = 0;
  const take = async (): Promise<void> => {
    const first = waiting.shift();
    if (!first) return;
    const filled = await first.filling;
    hash.update(first.buffer.subarray(0, filled));
    bytes += filled;
    buffers.push(first.buffer);
  };
  try {
    // One byte more than there should be: a file that is longer shows it.
    for (let next = 0; next <= file.bytes; next += PIECE_BYTES) {
      await file.reached?.(Math.min(next + PIECE_BYTES, file.bytes));
      const buffer = buffers.pop() ?? Buffer.allocUnsafe(PIECE_BYTES);
      const wanted = buffer.subarray(0, Math.min(PIECE_BYTES, file.bytes + 1 - next));
      const filling = readAt(connection, { handle, buffer: wanted, position: next, signal });
      filling.catch(() => {});
      waiting.push({ buffer, filling });
      if (waiting.length >= REQUESTS_AT_ONCE) await take();
    }
    while (waiting.length > 0) await take();
    return { sha256: hash.digest('hex'), bytes };
  } finally {
    closeLater(connection, handle);
  }
}

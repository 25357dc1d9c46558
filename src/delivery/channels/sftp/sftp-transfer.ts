/** Bytes to and from files over SFTP. Requests are pipelined: one at a time would wait for the network 5 times for a megabyte. */
import { createHash } from 'node:crypto';
import type { SFTPWrapper, Stats } from 'ssh2';
import { KIB, MINUTE_MS } from '../../../base/index.ts';
import type { FileTarget } from '../put-by-rename.ts';
import { piecesOf, withinLimit } from '../transfer.ts';
import type { SftpConnection } from './sftp-connection.ts';
import { sftpStatus } from './sftp-faults.ts';

/** The largest request of OpenSSH, less than its packet of 256 KiB. For other servers the library makes several of one. */
const PIECE_BYTES = 240 * KIB;
/** 3.75 MiB under way: what fills 300 Mbit/s over a distance of 100 ms. */
const REQUESTS_AT_ONCE = 16;
/** One request with those that are queued before it, however slowly they move. */
const ANSWER_LIMIT_MS = 10 * MINUTE_MS;

const END_OF_FILE = 1;

export type Done<Result> = (error: Error | null | undefined, result: Result) => void;

/** One request and its answer, which also ends with the connection. */
export async function answerOf<Result>(
  connection: SftpConnection,
  signal: AbortSignal,
  send: (sftp: SFTPWrapper, done: Done<Result>) => void,
): Promise<Result> {
  const { sftp, ended, moves, stallMs } = connection;
  const both = AbortSignal.any([signal, ended]);
  const what = 'an answer of the SFTP server';
  return withinLimit({ signal: both, limitMs: ANSWER_LIMIT_MS, stallMs, what }, async (_signal, onMove) => {
    // Those that were asked before are answered first: while they are, the server is there.
    moves.add(onMove);
    try {
      return await new Promise<Result>((resolve, reject) => {
        send(sftp, (error, result) => {
          for (const move of moves) move();
          if (error) reject(error);
          else resolve(result);
        });
      });
    } finally {
      moves.delete(onMove);
    }
  });
}

async function openHandle(
  connection: SftpConnection,
  file: { readonly path: string; readonly flags: 'r' | 'r+' | 'w'; readonly signal: AbortSignal },
): Promise<Buffer> {
  return answerOf(connection, file.signal, (sftp, done: Done<Buffer>) => sftp.open(file.path, file.flags, done));
}

/** The server closes it after the requests before; nobody needs to wait for that when something else failed. */
function closeLater({ sftp, ended }: SftpConnection, handle: Buffer): void {
  if (!ended.aborted) sftp.close(handle, () => {});
}

export async function writeFile(connection: SftpConnection, file: Parameters<FileTarget['write']>[0]): Promise<void> {
  const { offset, signal, onBytes } = file;
  const handle = await openHandle(connection, { path: file.path, flags: offset > 0 ? 'r+' : 'w', signal });
  const underWay = new Set<Promise<void>>();
  const used: Buffer[] = [];
  let failure: { readonly error: unknown } | undefined;
  let wake = (): void => {};
  let [at, done] = [offset, offset];
  try {
    for await (const piece of piecesOf(file.chunks, { pieceBytes: PIECE_BYTES, bytes: file.bytes - offset, used })) {
      const position = at;
      at += piece.length;
      const send = async (): Promise<void> => {
        try {
          await answerOf<void>(connection, signal, (sftp, end) =>
            sftp.write(handle, piece, 0, piece.length, position, end),
          );
          if (piece.length === PIECE_BYTES) used.push(piece);
          done += piece.length;
          onBytes(done);
        } catch (error) {
          failure ??= { error };
        }
      };
      const sending = send().finally(() => {
        underWay.delete(sending);
        wake();
      });
      underWay.add(sending);
      while (underWay.size >= REQUESTS_AT_ONCE) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (failure) throw failure.error;
    }
  } finally {
    await Promise.all(underWay);
    closeLater(connection, handle);
  }
  if (failure) throw failure.error;
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

/** Hashes a file that should have `bytes`. Buffers come from a list and go back to it: fresh ones keep the garbage collector busy. */
export async function hashFile(
  connection: SftpConnection,
  file: { readonly path: string; readonly bytes: number; readonly signal: AbortSignal; readonly buffers: Buffer[] },
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const { signal, buffers } = file;
  const handle = await openHandle(connection, { ...file, flags: 'r' });
  const hash = createHash('sha256');
  const waiting: { readonly buffer: Buffer; readonly filling: Promise<number> }[] = [];
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

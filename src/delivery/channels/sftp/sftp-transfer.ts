/** Bytes to and from files over SFTP. Requests are pipelined: one at a time would wait for the network 5 times for a megabyte. */
import { MIB } from '../../../base/index.ts';
import type { ReadBack, SentFile } from '../put-by-rename.ts';
import { piecesOf } from '../transfer.ts';
import type { OpenMode } from './sftp-client.ts';
import type { SftpConnection } from './sftp-connection.ts';
import { SftpStatusError } from './sftp-faults.ts';
import { hashInOrder, type InOrder } from './sftp-in-order.ts';
import type { Sink } from './sftp-messages.ts';
import type { SftpReader } from './sftp-reader.ts';

/** Under way at once: what fills 300 Mbit/s over a distance of 100 ms. */
const BYTES_AT_ONCE = 3.75 * MIB;

const requestsAtOnce = (pieceBytes: number): number => Math.ceil(BYTES_AT_ONCE / pieceBytes);

/** A place in a file that is open. */
type Place = { readonly handle: Buffer; readonly position: number; readonly signal: AbortSignal };

/** Goes on with a file that is there. */
export async function appendFile(connection: SftpConnection, file: SentFile): Promise<void> {
  const handle = await connection.sftp.open(file.path, 'append', file.signal);
  await sendPieces(connection, { ...file, handle });
}

/**
 * Each piece is asked for right behind the request that writes it: a server answers what concerns the same bytes in the order in which it
 * was asked (section 4.1 of the draft). What one that does not says is wrong, and the file is read again.
 */
export async function writeAndHashFile(connection: SftpConnection, file: SentFile): Promise<ReadBack | undefined> {
  const { path, bytes, signal } = file;
  const { handle, ...opened } = await openForBoth(connection, { path, signal });
  let { isReadable } = opened;
  const inOrder = hashInOrder();
  const read = (position: number, length: number): Promise<void> =>
    readInOrder(connection, { handle, position, length, signal }, inOrder);
  const readBack = async (position: number, length: number): Promise<void> => {
    if (!isReadable) return;
    const end = position + length;
    try {
      // A file that is longer than it should be has a byte at its end.
      await Promise.all([read(position, length), ...(end === bytes ? [read(end, 1)] : [])]);
    } catch (error) {
      if (!isAnswer(error)) throw error;
      isReadable = false;
    }
  };
  await sendPieces(connection, { ...file, handle, readBack });
  return isReadable ? inOrder.result() : undefined;
}

/** A refusal of the server, not the end of the connection. */
const isAnswer = (error: unknown): boolean => error instanceof SftpStatusError;

/** Some servers let nobody read what is being written: it is read when it is closed. */
async function openForBoth(
  { sftp }: SftpConnection,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): Promise<{ readonly handle: Buffer; readonly isReadable: boolean }> {
  const open = (mode: OpenMode): Promise<Buffer> => sftp.open(path, mode, signal);
  try {
    return { handle: await open('new and read'), isReadable: true };
  } catch (error) {
    if (!isAnswer(error)) throw error;
    return { handle: await open('new'), isReadable: false };
  }
}

/** The same, while another thread reads it. */
export async function writeAndFollowFile(
  connection: SftpConnection,
  file: SentFile,
  reader: SftpReader,
): Promise<ReadBack | undefined> {
  const { path, bytes, signal } = file;
  const handle = await connection.sftp.open(path, 'new', signal);
  const failing = new AbortController();
  const following = reader.follow({ path, bytes, signal: AbortSignal.any([signal, failing.signal]) });
  try {
    await sendPieces(connection, { ...file, handle, arrived: following.reached });
    return await following.result;
  } finally {
    failing.abort();
  }
}

/** Writes the pieces of a file, many at once, and closes it. */
async function sendPieces(
  connection: SftpConnection,
  file: SentFile & {
    readonly handle: Buffer;
    /** Asks for each piece that is on its way. */
    readonly readBack?: (position: number, length: number) => Promise<void>;
    /** The server has so many bytes, without a gap. */
    readonly arrived?: (bytes: number) => void;
  },
): Promise<void> {
  const { handle, offset, signal, onBytes } = file;
  const { sftp, buffers } = connection;
  const pieceBytes = sftp.pieceBytes.write;
  const waiting: Promise<number>[] = [];
  let [at, done] = [offset, offset];
  const send = async (piece: Buffer<ArrayBuffer>, position: number): Promise<number> => {
    const { length } = piece;
    const written = async (): Promise<void> => {
      await sftp.write(handle, piece, { position, signal });
      if (length === pieceBytes) buffers.push(piece);
      done += length;
      onBytes(done);
    };
    await Promise.all([written(), file.readBack?.(position, length)]);
    return position + length;
  };
  const takeFirst = async (): Promise<void> => {
    const end = await waiting.shift();
    if (end !== undefined) file.arrived?.(end);
  };
  try {
    for await (const piece of piecesOf(givenBack(file), { pieceBytes, bytes: file.bytes - offset, used: buffers })) {
      const going = send(piece, at);
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      going.catch(() => {});
      waiting.push(going);
      at += piece.length;
      if (waiting.length >= requestsAtOnce(pieceBytes)) await takeFirst();
    }
    while (waiting.length > 0) await takeFirst();
  } finally {
    // What is under way may arrive, so that the next try finds it.
    await Promise.allSettled(waiting);
    sftp.closeLater(handle);
  }
}

/** Chunks that are copied before the next one is asked for. */
async function* givenBack({ chunks, giveBack }: SentFile): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    giveBack?.(chunk);
  }
}

/** Reads until the part is whole or the file ends; the number of bytes that came. */
async function readPart(
  { sftp }: SftpConnection,
  part: Place & { readonly length: number },
  sink: Sink,
): Promise<number> {
  const { handle, position, length, signal } = part;
  let received = 0;
  while (received < length) {
    const bytes = await sftp.read(handle, { position: position + received, length: length - received, signal }, sink);
    if (bytes === 0) break;
    received += bytes;
  }
  return received;
}

/** One part of those that are hashed in the order in which this was called. */
async function readInOrder(
  connection: SftpConnection,
  place: Place & { readonly length: number },
  inOrder: InOrder,
): Promise<void> {
  const part = inOrder.part();
  await readPart(connection, place, part.sink);
  part.end();
}

export async function* readFile(
  connection: SftpConnection,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const { sftp } = connection;
  const pieceBytes = sftp.pieceBytes.read;
  const handle = await sftp.open(path, 'read', signal);
  const piece = async (position: number, length: number): Promise<Buffer> => {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    await readPart(connection, { handle, position, length, signal }, (chunk) => {
      buffer.set(chunk, filled);
      filled += chunk.length;
    });
    return buffer.subarray(0, filled);
  };
  const waiting: Promise<Buffer>[] = [];
  try {
    const { bytes: size } = await sftp.statHandle(handle, signal);
    for (let next = 0; next < size; next += pieceBytes) {
      const asked = piece(next, Math.min(pieceBytes, size - next));
      // Awaited in order; a fault of a later one must not count as unhandled meanwhile.
      asked.catch(() => {});
      waiting.push(asked);
      const first = waiting.length < requestsAtOnce(pieceBytes) ? undefined : waiting.shift();
      if (first) yield await first;
    }
    for (const asked of waiting) yield await asked;
  } finally {
    sftp.closeLater(handle);
  }
}

/** Hashes a file that should have `bytes`. */
export async function hashFile(
  connection: SftpConnection,
  file: {
    readonly path: string;
    readonly bytes: number;
    readonly signal: AbortSignal;
    /** Of a file that is being written: waits until the server has so many bytes. */
    readonly reached?: (bytes: number) => Promise<void>;
  },
): Promise<ReadBack> {
  const { path, signal } = file;
  const { sftp } = connection;
  const pieceBytes = sftp.pieceBytes.read;
  const handle = await sftp.open(path, 'read', signal);
  const inOrder = hashInOrder();
  const read = (position: number, length: number): Promise<void> =>
    readInOrder(connection, { handle, position, length, signal }, inOrder);
  const waiting: Promise<void>[] = [];
  try {
    // One byte more than there should be: a file that is longer shows it.
    for (let next = 0; next <= file.bytes; next += pieceBytes) {
      await file.reached?.(Math.min(next + pieceBytes, file.bytes));
      const reading = read(next, Math.min(pieceBytes, file.bytes + 1 - next));
      reading.catch(() => {});
      waiting.push(reading);
      if (waiting.length >= requestsAtOnce(pieceBytes)) await waiting.shift();
    }
    await Promise.all(waiting);
    return inOrder.result();
  } finally {
    sftp.closeLater(handle);
  }
}

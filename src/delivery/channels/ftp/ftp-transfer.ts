/**
 * The two transfers. The library's own upload takes an error of the data connection for the end of everything, and with it loses the reply
 * that says why the server ended it: a full disk would look like a broken line.
 */
import type { Socket } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { TLSSocket } from 'node:tls';
import { KIB, SECOND_MS } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import type { FtpConnection } from './ftp-connection.ts';
import { refusalIn, replyCode } from './ftp-faults.ts';
import type { FtpPool } from './ftp-pool.ts';

const BUFFER_BYTES = 256 * KIB;
/** For the reply that says why a data connection was ended. */
const REASON_LIMIT_MS = 5 * SECOND_MS;
/** A server may write what it has buffered before it says that it is done: so many times as long as it may be silent otherwise. */
const DONE_STALLS = 6;

/** Sends `chunks` to a file: from 0 a new one, else on from `offset`, which must be its length. */
export async function store(
  connection: FtpConnection,
  file: { readonly path: string; readonly offset: number; readonly chunks: AsyncIterable<Uint8Array> },
): Promise<void> {
  const { client, features } = connection;
  const { path, offset } = file;
  await prepare(client);
  const data = takeOver(connection, (socket) => socket.writableLength > 0);
  // At an offset, bytes that the server wrote late at a cut try are the same ones; appended, they would be twice in the file.
  const canRestart = offset > 0 && features.has('REST') && (await restarts(client, offset));
  await transfer(connection, {
    command: `${offset > 0 && !canRestart ? 'APPE' : 'STOR'} ${path}`,
    data,
    run: (told) => send(data, file.chunks, told),
  });
}

/** The bytes of a file. Whoever stops reading ends the connection. */
export async function* retrieve(
  path: string,
  { pool, signal }: { readonly pool: FtpPool; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const bytes = new PassThrough({ highWaterMark: BUFFER_BYTES });
  const begin = async (connection: FtpConnection): Promise<void> => {
    const { client } = connection;
    await prepare(client);
    const data = takeOver(connection, (socket) => !socket.isPaused());
    await transfer(connection, { command: `RETR ${path}`, data, run: (told) => receive(data, bytes, told) });
  };
  const load = async (): Promise<{ readonly error: unknown } | undefined> => {
    try {
      await pool.use(signal, (connection) => pool.transfer(signal, () => begin(connection)));
      return undefined;
    } catch (error) {
      bytes.destroy();
      return { error };
    }
  };
  const loading = load();
  try {
    yield* bytes;
  } catch (error) {
    throw (await loading)?.error ?? error;
  } finally {
    bytes.destroy();
  }
  const failed = await loading;
  if (failed) throw failed.error;
}

type Client = FtpConnection['client'];

async function prepare(client: Client): Promise<void> {
  try {
    await client.prepareTransfer(client.ftp);
  } catch (error) {
    throw refusalIn(error);
  }
}

type Told = { readonly onDone: () => void; readonly onFailure: (error: unknown, isAnswered: boolean) => void };
type Transfer = {
  readonly command: string;
  readonly data: DataConnection;
  /** Begins when the server is ready; settles after it has told. */
  readonly run: (told: Told) => Promise<void>;
};

async function transfer({ client, stallMs }: FtpConnection, { command, data, run }: Transfer): Promise<void> {
  let running: Promise<void> | undefined;
  let patience: NodeJS.Timeout | undefined;
  let isOver = false;
  const told: Told = {
    onDone: () => void client.ftp.socket.setTimeout(DONE_STALLS * stallMs),
    /** The server says why it ended the data connection, or that it has stored what came before the source broke off. */
    onFailure: (thrown, isAnswered) => {
      if (isOver) return;
      const error = thrown instanceof Error ? thrown : new Error('unknown error', { cause: thrown });
      const end = (): void => client.ftp.closeWithError(error);
      if (isAnswered) patience = setTimeout(end, REASON_LIMIT_MS);
      else end();
    },
  };
  try {
    await client.ftp.handle(command, (reply, task) => {
      if (reply instanceof Error) return task.reject(running && replyCode(reply) === 425 ? lostData(reply) : reply);
      if (reply.code < 200) {
        // Silent from now on, as long as bytes pass.
        client.ftp.socket.setTimeout(0);
        running ??= run(told);
        // It has been told.
        running.catch(() => {});
      } else if (reply.code < 300) {
        // To the server a data connection that was cut looks like the end of the file.
        if (running) running.then(() => task.resolve(reply), task.reject);
        else task.reject(new ChannelError('failed', `expected the FTP server to begin, received ${reply.code}`));
      }
    });
  } finally {
    isOver = true;
    clearTimeout(patience);
    data.socket.destroy();
    client.ftp.dataSocket = undefined;
  }
}

/** A server that is full says so before it begins. */
function lostData(cause: Error): ChannelError {
  return new ChannelError('connection_lost', 'expected the data connection to stay open, received its end', { cause });
}

type DataConnection = {
  readonly socket: Socket;
  /**
   * The end of an empty file must not come before TLS is there, and a resumed session tells its cipher before that. Within the event itself
   * the handshake is not over for OpenSSL: an end would go out without TLS's own, and the server would let nothing resume that session again.
   */
  readonly secured: Promise<void>;
};

/** The data connection, with its errors for us and not for the library. At once after it was made: no event has come yet. */
function takeOver({ client, stallMs }: FtpConnection, isWaiting: (socket: Socket) => boolean): DataConnection {
  const socket = client.ftp.dataSocket;
  if (!socket) throw new ChannelError('connection_lost', 'expected a data connection, received none');
  for (const event of ['error', 'close', 'timeout']) socket.removeAllListeners(event);
  const secured = new Promise<void>((resolve, reject) => {
    if (!(socket instanceof TLSSocket)) return resolve();
    socket.once('secureConnect', () => setImmediate(resolve)).on('error', reject);
    return socket.once('close', () => reject(new ChannelError('connection_lost', 'expected TLS, received the end')));
  });
  // Whoever sends is told as well.
  secured.catch(() => {});
  socket.on('error', () => {});
  // The time limit is for the server: our side may take its time.
  socket.setTimeout(stallMs, () => {
    if (isWaiting(socket))
      socket.destroy(new ChannelError('timeout', 'expected the FTP server to go on, it was silent'));
    else socket.setTimeout(stallMs);
  });
  return { socket, secured };
}

async function restarts(client: Client, offset: number): Promise<boolean> {
  try {
    await client.send(`REST ${offset}`);
    return true;
  } catch (error) {
    if (replyCode(error) === undefined) throw error;
    return false;
  }
}

/**
 * When the source breaks off, the data connection ends as after a whole file, so that the server keeps what was under way and the next try
 * goes on from there; a destroyed one would lose what neither side's kernel has passed on.
 */
async function send({ socket, secured }: DataConnection, chunks: AsyncIterable<Uint8Array>, told: Told): Promise<void> {
  let ofSource: { readonly error: unknown } | undefined;
  async function* untilBroken(): AsyncGenerator<Uint8Array> {
    // An error of the connection is thrown into what yields.
    let isAsked = true;
    try {
      for await (const chunk of chunks) {
        isAsked = false;
        yield chunk;
        isAsked = true;
      }
    } catch (error) {
      if (!isAsked) throw error;
      ofSource = { error };
    }
  }
  try {
    await secured;
    await pipeline(Readable.from(untilBroken(), { objectMode: false, highWaterMark: BUFFER_BYTES }), socket);
    if (ofSource) throw ofSource.error;
    told.onDone();
  } catch (error) {
    told.onFailure(error, true);
    throw error;
  }
}

async function receive({ socket }: DataConnection, bytes: PassThrough, told: Told): Promise<void> {
  try {
    await pipeline(socket, bytes);
    // Our own word that it is the end: a server that misses it may take the session for broken, and let no later connection resume it.
    await finished(socket, { readable: false }).catch(() => {});
    told.onDone();
  } catch (error) {
    told.onFailure(error, !bytes.destroyed || socket.errored !== null);
    throw error;
  }
}

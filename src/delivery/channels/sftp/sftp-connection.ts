import { createHash } from 'node:crypto';
import { type CipherAlgorithm, Client, type ClientChannel } from 'ssh2';
import { SECOND_MS } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import { withinLimit } from '../transfer.ts';
import { createSftpAnswers } from './sftp-answers.ts';
import { openSftpClient, type SftpClient } from './sftp-client.ts';
import { openSftpSocket } from './sftp-socket.ts';

export type SftpServer = {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly hostKey: string | undefined;
  readonly password: string | undefined;
  readonly privateKey: string | undefined;
  readonly passphrase: string | undefined;
  readonly stallMs: number;
};

export type SftpConnection = {
  readonly sftp: SftpClient;
  readonly ended: AbortSignal;
  /** Of pieces to send, which are used again: fresh ones keep the garbage collector busy. */
  readonly buffers: Buffer<ArrayBuffer>[];
  destroy(): void;
};

const CONNECT_LIMIT_MS = 20 * SECOND_MS;
/** Three unanswered ones end the connection: what finds a server that is gone without a word. */
const KEEPALIVE_MS = 15 * SECOND_MS;

/** Those that the processor computes come first: the library's own first choice, ChaCha20, is many times slower here. */
const CIPHERS: CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
  'aes128-ctr',
  'aes256-ctr',
];

/** OpenSSH's way to write a key's fingerprint. */
export function hostKeyFingerprint(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

/** Connects, and refuses a server with another key than the pinned one before any secret is sent. */
async function connectSftp(server: SftpServer, signal: AbortSignal): Promise<SftpConnection> {
  const client = new Client();
  const ended = new AbortController();
  let shownKey: string | undefined;
  const end = (error?: Error): void => {
    ended.abort(new ChannelError('connection_lost', 'expected an open connection, received its end', { cause: error }));
    client.destroy();
  };
  client.on('error', end);
  client.on('close', () => end());
  const opening = (): Promise<ClientChannel> =>
    new Promise((resolve, reject) => {
      const { socket: sock, keepBuffer } = openSftpSocket(server);
      client.on('handshake', ({ sc }) => keepBuffer(sc.cipher));
      client.once('error', reject);
      client.once('close', () => reject(ended.signal.reason));
      client.once('ready', () => {
        // Else every request smaller than a packet waits for the answer to the one before.
        sock.setNoDelay(true);
        client.subsys('sftp', (error, channel) => {
          if (error) return reject(error);
          channel.on('error', end);
          channel.on('close', () => end());
          channel.stderr.resume();
          return resolve(channel);
        });
      });
      client.connect({
        sock,
        host: server.host,
        port: server.port,
        username: server.user,
        readyTimeout: CONNECT_LIMIT_MS,
        algorithms: { cipher: CIPHERS },
        keepaliveInterval: KEEPALIVE_MS,
        keepaliveCountMax: 3,
        hostVerifier: (key: Buffer) => {
          shownKey = hostKeyFingerprint(key);
          return shownKey === server.hostKey;
        },
        ...(server.password !== undefined && { password: server.password }),
        ...(server.privateKey !== undefined && { privateKey: server.privateKey }),
        ...(server.passphrase !== undefined && { passphrase: server.passphrase }),
      });
    });
  try {
    const limit = { signal, limitMs: CONNECT_LIMIT_MS, what: 'an SFTP connection' };
    const sftp = await withinLimit(limit, async (limited) => {
      const answers = createSftpAnswers({ ended: ended.signal, stallMs: server.stallMs });
      return openSftpClient(await opening(), { answers, signal: limited, onBroken: end });
    });
    return { sftp, ended: ended.signal, buffers: [], destroy: () => void client.destroy() };
  } catch (error) {
    client.destroy();
    if (shownKey === undefined || shownKey === server.hostKey) throw error;
    const expected = server.hostKey ?? 'no key yet: set host_key to it when it is the right one';
    const message = `expected the server to have the host key ${expected}, received ${shownKey}`;
    throw new ChannelError('refused', message, { hostKey: shownKey });
  }
}

/** One connection at a time, which is made again when it has ended. */
export type KeptConnection = { connect(signal: AbortSignal): Promise<SftpConnection>; close(): void };

export function keepConnection(server: SftpServer): KeptConnection {
  const closing = new AbortController();
  let connecting: Promise<SftpConnection> | undefined;
  let current: SftpConnection | undefined;
  const begin = async (): Promise<SftpConnection> => {
    try {
      current = await connectSftp(server, closing.signal);
      return current;
    } finally {
      connecting = undefined;
    }
  };
  return {
    async connect(signal) {
      closing.signal.throwIfAborted();
      if (current && !current.ended.aborted) return current;
      // Of all who ask meanwhile: one of them that is cancelled must not end it for the others.
      connecting ??= begin();
      const shared = connecting;
      // Whoever asked for it may be gone when it fails.
      shared.catch(() => {});
      return withinLimit({ signal, limitMs: CONNECT_LIMIT_MS, what: 'an SFTP connection' }, () => shared);
    },
    close() {
      closing.abort(new ChannelError('connection_lost', 'expected an open session, it was closed'));
      current?.destroy();
    },
  };
}

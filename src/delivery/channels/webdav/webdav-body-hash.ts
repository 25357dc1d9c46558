/**
 * The hash of a large body, taken out of one buffer that every read of its connection fills anew. Node's own way makes two buffers for
 * each read, one of the socket and one in which the parser of HTTP copies the body: to collect them takes as long as to hash them.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { connect as connectPlain, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { KIB } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import type { ReadBack } from '../put-by-rename.ts';
import { sha256Of } from '../transfer.ts';

const BUFFER_BYTES = 256 * KIB;

export type TlsChecks = { readonly ca?: string; readonly rejectUnauthorized?: boolean };
export type BodyHash = {
  /** Of the one request whose answer is to be hashed. */
  connect(server: { readonly url: URL; readonly tls: TlsChecks }): Socket;
  /** The connection is of no use afterwards. */
  hash(answer: IncomingMessage): Promise<ReadBack>;
};

/**
 * Node reads the head of the answer. A body whose length the head says comes past Node's parser from the first read on after `hash` was
 * called; any other body, in chunks for example, is read as always.
 */
export function createBodyHash(): BodyHash {
  let socket: Socket | undefined;
  let take: ((bytes: Uint8Array) => void) | undefined;
  /** Whether Node is in the middle of what one read brought. */
  let isParsing = false;
  const onread: OnReadOpts = {
    buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
    callback: (bytes, filled) => {
      const read = filled.subarray(0, bytes);
      if (take) {
        take(read);
        return true;
      }
      isParsing = true;
      // A copy, since streams may keep what they are given. False holds up further reads until the stream asks for more.
      const isWanted = socket?.push(Buffer.from(read)) ?? false;
      isParsing = false;
      return isWanted;
    },
  };
  return {
    connect: ({ url, tls }) => {
      const host = url.hostname.replaceAll(/[[\]]/g, '');
      const isTls = url.protocol === 'https:';
      const place = { host, port: Number(url.port || (isTls ? 443 : 80)), onread };
      socket = isTls
        ? connectTls({ ...place, ...tls, servername: isIP(host) === 0 ? host : '', ALPNProtocols: ['http/1.1'] })
        : connectPlain(place);
      return socket;
    },
    hash: async (answer) => {
      const bytes = saidBytes(answer);
      const isSimple = bytes !== undefined && !isParsing && !answer.destroyed && answer.socket.readableLength === 0;
      if (!isSimple) return await sha256Of(answer);
      const hash = createHash('sha256');
      let left = bytes;
      const add = (read: Uint8Array): void => {
        const wanted = read.length > left ? read.subarray(0, left) : read;
        if (wanted.length > 0) hash.update(wanted);
        left -= wanted.length;
      };
      // What came along with the head.
      for (let parsed = answer.read(); parsed !== null; parsed = answer.read()) add(parsed);
      if (left > 0) {
        await new Promise<void>((resolve, reject) => {
          answer.on('error', reject);
          answer.once('close', () =>
            reject(new ChannelError('connection_lost', 'expected a whole file, it broke off')),
          );
          take = (read) => {
            add(read);
            if (left === 0) resolve();
          };
          answer.socket.resume();
        });
      }
      answer.socket.destroy();
      return { sha256: hash.digest('hex'), bytes };
    },
  };
}

/** Undefined where the body's end is told in another way than by its length. */
function saidBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length'];
  return length === undefined || headers['transfer-encoding'] !== undefined ? undefined : Number(length);
}

import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as requestPlain,
  type RequestOptions,
} from 'node:http';
import { request as requestTls } from 'node:https';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ChannelError, type FaultCode } from '../../channel.ts';
import type { BodyHash, TlsChecks } from './webdav-body-hash.ts';

type RequestBody = {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly bytes: number;
  /** The system or OpenSSL has a copy of the chunk, whose memory is free. */
  readonly onSent?: (chunk: Uint8Array) => void;
};
export type WebdavRequest = {
  readonly method: string;
  /** Relative to the root. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly signal: AbortSignal;
  /** Makes a connection for this request alone. */
  readonly connect?: BodyHash['connect'];
};

export type WebdavRequests = {
  /** The answer with its body unread. */
  send(request: WebdavRequest): Promise<IncomingMessage>;
  urlOf(path: string): URL;
};

/** `path` is encoded segment by segment: a name may hold `%`, `#` and `?`. */
export function createWebdavRequests(options: {
  readonly root: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
  readonly tls: TlsChecks;
  /** Silence on the wire, in either direction. */
  readonly stallMs: number;
}): WebdavRequests {
  const { root, agent, tls, stallMs } = options;
  const urlOf = (path: string): URL => {
    const base = root.href.replace(/\/+$/, '');
    return new URL(`${base}/${path.split('/').map(encodeURIComponent).join('/')}`);
  };
  return {
    urlOf,
    async send({ method, path, headers, body, signal, connect }) {
      signal.throwIfAborted();
      const url = urlOf(path);
      const settings: RequestOptions = {
        method,
        ...(connect ? { createConnection: () => connect({ url, tls }) } : { agent }),
        signal,
        headers: { ...options.headers, ...headers, 'content-length': String(body?.bytes ?? 0) },
      };
      const sending =
        url.protocol === 'https:' ? requestTls(url, { ...settings, ...tls }) : requestPlain(url, settings);
      sending.setTimeout(stallMs, () => {
        sending.destroy(new ChannelError('timeout', `expected the WebDAV server to go on within ${stallMs / 1000} s`));
      });
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        sending.once('response', resolve).once('error', reject);
      });
      // A fault of the body is told by the body.
      answered.catch(() => {});
      if (body) await sendBody(sending, body, answered);
      else sending.end();
      return answered;
    },
  };
}

/**
 * A server that refuses may answer before it has all bytes. Its answer is what counts, and nothing more is sent then: it may neither
 * read on nor end the connection.
 */
async function sendBody(
  sending: ClientRequest,
  { chunks, onSent }: RequestBody,
  answered: Promise<IncomingMessage>,
): Promise<void> {
  const refused = new AbortController();
  const look = async (): Promise<void> => {
    const { statusCode = 0 } = await answered;
    if (statusCode >= 300) refused.abort();
  };
  look().catch(() => {});
  try {
    // One chunk is read while the one before is written.
    await pipeline(Readable.from(apart(chunks), { highWaterMark: 1 }), writableOf(sending, onSent), {
      signal: refused.signal,
    });
  } catch (error) {
    if (!refused.signal.aborted) throw error;
  }
}

/** A stream that breaks off throws that into what it reads, where it would look like a fault of the source. */
async function* apart(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk;
}

/** The body of a request in chunks, each of which is told when it has gone out. */
function writableOf(sending: ClientRequest, onSent: RequestBody['onSent']): Writable {
  const body = new Writable({
    objectMode: true,
    highWaterMark: 1,
    write: (chunk: Uint8Array, _encoding, done) => {
      sending.write(chunk, (error) => {
        if (!error) onSent?.(chunk);
        done(error);
      });
    },
    final: (done) => void sending.end(done),
    destroy: (error, done) => {
      if (error) sending.destroy();
      done(error);
    },
  });
  // Chunks that wait for a connection are not told of its end.
  sending.once('error', (error) => body.destroy(error));
  sending.once('close', () =>
    body.destroy(new ChannelError('connection_lost', 'expected an open connection, it ended')),
  );
  return body;
}

const STATUS: Readonly<Record<number, FaultCode>> = {
  401: 'credentials',
  403: 'permission',
  404: 'not_found',
  405: 'unsupported',
  408: 'timeout',
  409: 'not_found',
  412: 'name_taken',
  413: 'refused',
  414: 'name_illegal',
  423: 'busy',
  429: 'busy',
  501: 'unsupported',
  503: 'busy',
  507: 'disk_full',
};

export function statusFault(method: string, status: number): ChannelError {
  // Go's WebDAV server answers 405 to a PUT that it could not write, whatever the reason: that may pass.
  if (method === 'PUT' && status === 405)
    return new ChannelError('failed', 'expected the WebDAV server to write a file, received status 405');
  const code = STATUS[status] ?? (status >= 400 && status < 500 ? 'refused' : 'failed');
  return new ChannelError(code, `expected the WebDAV server to accept ${method}, received status ${status}`);
}

export function classifyWebdav(error: unknown): ChannelError {
  const name = error instanceof Error ? error.name : 'an unknown error';
  return new ChannelError('failed', `expected an answer of the WebDAV server, received ${name}`, { cause: error });
}

import { type Agent, type IncomingMessage, request as requestPlain, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ChannelError, type FaultCode } from '../../channel.ts';
import type { BodyHash, TlsChecks } from './webdav-body-hash.ts';

export type WebdavRequest = {
  readonly method: string;
  /** Relative to the root. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly chunks: AsyncIterable<Uint8Array>; readonly bytes: number };
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
      if (body) await sendBody(sending, body.chunks, answered);
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
  sending: ReturnType<typeof requestPlain>,
  chunks: AsyncIterable<Uint8Array>,
  answered: Promise<IncomingMessage>,
): Promise<void> {
  const refused = new AbortController();
  const look = async (): Promise<void> => {
    const { statusCode = 0 } = await answered;
    if (statusCode >= 300) refused.abort();
  };
  look().catch(() => {});
  try {
    const body = Readable.from(chunks, { objectMode: false, highWaterMark: 256 * 1024 });
    await pipeline(body, sending, { signal: refused.signal });
  } catch (error) {
    if (!refused.signal.aborted) throw error;
  }
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

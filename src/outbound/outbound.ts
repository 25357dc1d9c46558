import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { AppError, KIB, SECOND_MS } from '../base/index.ts';
import { type AllowList, plainHost } from './allow-list.ts';
import { OutboundError, toOutboundError } from './errors.ts';
import { createGuard, fixedLookup, portOf, type ResolveName } from './guard.ts';

export type OutboundAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The beginning of the body, at most `maxBodyBytes`. */
  readonly body: Buffer;
};

export type Outbound = {
  /**
   * Posts a body and answers what came back, whatever its status. 301, 302, 307 and 308 are followed with the same body, 3 at most, each
   * judged as the first address was. No cookies, no proxy, no compression.
   * @throws OutboundError, or the signal's reason
   */
  post(
    url: string,
    request: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
      /** For all of it: names, connection, redirects, answer. */
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
    },
  ): Promise<OutboundAnswer>;
  /** What can be said of a URL before it is used. @throws OutboundError `url_invalid`, `address_refused` */
  check(url: string): void;
  /** Ends connections that are kept. */
  close(): void;
};

const MAX_REDIRECTS = 3;
const MAX_BODY_BYTES = 64 * KIB;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);
/** Connections are kept for the next message; most servers let go after 5 s. */
const KEEP_MS = 4 * SECOND_MS;

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError('url_invalid', 'expected an absolute https URL');
  const url = new URL(text);
  url.hash = '';
  return url;
}

/** HTTP to addresses that somebody outside named: refuses internal ones at connect time, but for those of the allow-list. */
export function createOutbound(options: {
  readonly allow: AllowList;
  readonly userAgent: string;
  /** Default: the name servers of the machine. */
  readonly resolve?: ResolveName;
}): Outbound {
  const guard = createGuard(options);
  // Own agents: the global ones may be set to a proxy, which would connect for us to wherever it likes.
  const http = new HttpAgent({ keepAlive: true, timeout: KEEP_MS, maxFreeSockets: 64 });
  const https = new HttpsAgent({ keepAlive: true, timeout: KEEP_MS, maxFreeSockets: 64, maxCachedSessions: 200 });
  const { userAgent } = options;

  const send = async (
    url: URL,
    {
      headers,
      body,
      signal,
    }: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer; readonly signal: AbortSignal },
  ): Promise<OutboundAnswer> => {
    guard.checkUrl(url);
    const isSecure = url.protocol === 'https:';
    const port = portOf(url);
    const host = plainHost(url.hostname);
    const addresses = await withSignal(guard.resolve(host, { port, isSecure }), signal);
    const settings = {
      method: 'POST',
      agent: isSecure ? https : http,
      headers: {
        'Accept-Encoding': 'identity',
        'User-Agent': userAgent,
        ...headers,
        'Content-Length': String(body.length),
      },
      lookup: fixedLookup(addresses),
      signal,
      ...(isSecure && isIP(host) === 0 && { servername: host }),
    };
    const request = isSecure ? httpsRequest(url, settings) : httpRequest(url, settings);
    return readAnswer(request, body);
  };

  const sendOrAgain: typeof send = async (url, message) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(url, message);
      } catch (error) {
        message.signal.throwIfAborted();
        // A connection that was kept may be closed by the other side at the very moment it is used again.
        if (error instanceof LostReusedConnection && attempt < 3) continue;
        throw toOutboundError(error instanceof LostReusedConnection ? error.cause : error, url.hostname);
      }
    }
  };

  return {
    async post(text, { headers, body, timeoutMs, signal: outer }) {
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = AbortSignal.any([outer, timeout]);
      let url = parseUrl(text);
      try {
        for (let redirects = 0; ; redirects += 1) {
          const answer = await sendOrAgain(url, { headers, body, signal });
          const { location } = answer.headers;
          if (!REDIRECTS.has(answer.status) || typeof location !== 'string') return answer;
          if (redirects === MAX_REDIRECTS) {
            throw new OutboundError('too_many_redirects', `expected at most ${MAX_REDIRECTS} redirects`);
          }
          if (!URL.canParse(location, url.href)) {
            throw new OutboundError('url_invalid', 'expected a redirect to a URL, received something else');
          }
          url = parseUrl(new URL(location, url.href).href);
        }
      } catch (error) {
        outer.throwIfAborted();
        if (timeout.aborted) {
          throw new OutboundError('timeout', `no whole answer within ${timeoutMs / SECOND_MS} s`, { cause: error });
        }
        throw error;
      }
    },
    check: (text) => guard.checkUrl(parseUrl(text)),
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

/** A question to name servers cannot be taken back: whoever waits stops waiting. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** The other side closed a kept connection instead of answering. */
class LostReusedConnection extends Error {}

function readAnswer(request: ClientRequest, body: Buffer): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    request.on('error', (error) => {
      const isReset = 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(request.reusedSocket && isReset ? new LostReusedConnection('reset', { cause: error }) : error);
    });
    request.on('response', (response) => {
      readBeginning(response).then(
        (beginning) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: beginning }),
        reject,
      );
    });
    request.end(body);
  });
}

/** Reads what is needed, and lets go of the connection where there is more. */
async function readBeginning(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Without an encoding a response gives buffers.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop destroys the response, and with it the connection.
    if (bytes >= MAX_BODY_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES);
}

/** An OutboundError as the refusal of a field that holds a URL; anything else as it is. */
export function urlRefusal(error: unknown, pointer: string): unknown {
  if (!(error instanceof OutboundError)) return error;
  return new AppError('validation_failed', `${pointer}: ${error.message}`, {
    errors: [{ pointer, code: error.code, detail: error.message }],
  });
}

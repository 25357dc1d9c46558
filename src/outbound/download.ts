import { Agent as HttpAgent, type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { SECOND_MS } from '../base/index.ts';
import { type AllowList, plainHost } from './allow-list.ts';
import { OutboundError, toOutboundError } from './errors.ts';
import { createGuard, fixedLookup, portOf, type ResolveName } from './guard.ts';

export type Download = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it comes; it ends with an OutboundError when nothing comes for a while. Whoever does not read it destroys it. */
  readonly body: IncomingMessage;
};

export type Downloads = {
  /**
   * Asks for a URL with GET. 301, 302, 303, 307 and 308 are followed, 5 at most, each judged as the first address was. No cookies,
   * no proxy, no compression.
   * @throws OutboundError, or the signal's reason
   */
  get(
    url: string,
    request: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ): Promise<Download>;
  /** What can be said of a URL before it is used. @throws OutboundError `url_invalid`, `address_refused` */
  check(url: string): void;
};

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Until the head of an answer is there; and between two pieces of its body. */
const HEAD_TIMEOUT_MS = 30 * SECOND_MS;
const IDLE_TIMEOUT_MS = 60 * SECOND_MS;

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new OutboundError('url_invalid', 'expected an absolute https URL');
  const url = new URL(text);
  url.hash = '';
  return url;
}

/** Fetches files from addresses that somebody outside named; internal ones are refused at connect time, but for the allow-list. */
export function createDownloads(options: {
  readonly allow: AllowList;
  readonly userAgent: string;
  /** Default: the name servers of the machine. */
  readonly resolve?: ResolveName;
  /** Between two pieces of a body; default 60 s. */
  readonly idleTimeoutMs?: number;
}): Downloads {
  const guard = createGuard(options);
  const { idleTimeoutMs = IDLE_TIMEOUT_MS } = options;

  const send = async (
    url: URL,
    { headers, signal }: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
  ): Promise<IncomingMessage> => {
    guard.checkUrl(url);
    const isSecure = url.protocol === 'https:';
    const host = plainHost(url.hostname);
    const addresses = await guard.resolve(host, { port: portOf(url), isSecure });
    signal.throwIfAborted();
    const settings: RequestOptions = {
      method: 'GET',
      // Of its own, and for one request: the global agents may be set to a proxy, which would connect for us to wherever it likes.
      agent: isSecure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
      headers: { 'Accept-Encoding': 'identity', Accept: '*/*', 'User-Agent': options.userAgent, ...headers },
      lookup: fixedLookup(addresses),
      signal,
      ...(isSecure && isIP(host) === 0 && { servername: host }),
    };
    return new Promise((resolve, reject) => {
      const request = isSecure ? httpsRequest(url, settings) : httpRequest(url, settings);
      const late = setTimeout(
        () =>
          request.destroy(new OutboundError('timeout', `no answer of ${host} within ${HEAD_TIMEOUT_MS / SECOND_MS} s`)),
        HEAD_TIMEOUT_MS,
      );
      request.on('error', (error) => {
        clearTimeout(late);
        reject(error);
      });
      request.on('response', (response) => {
        clearTimeout(late);
        response.setTimeout(idleTimeoutMs, () =>
          response.destroy(
            new OutboundError('timeout', `nothing came from ${host} for ${idleTimeoutMs / SECOND_MS} s`),
          ),
        );
        resolve(response);
      });
      request.end();
    });
  };

  return {
    async get(text, { headers, signal }) {
      let url = parseUrl(text);
      for (let redirects = 0; ; redirects += 1) {
        const at = url;
        const body = await send(at, { headers, signal }).catch((error: unknown) => {
          signal.throwIfAborted();
          throw toOutboundError(error, at.hostname);
        });
        const { location } = body.headers;
        const status = body.statusCode ?? 0;
        if (!REDIRECTS.has(status) || location === undefined) return { status, headers: body.headers, body };
        body.destroy();
        if (redirects === MAX_REDIRECTS) {
          throw new OutboundError('too_many_redirects', `expected at most ${MAX_REDIRECTS} redirects`);
        }
        if (!URL.canParse(location, url.href)) {
          throw new OutboundError('url_invalid', 'expected a redirect to a URL, received something else');
        }
        url = parseUrl(new URL(location, url.href).href);
      }
    },
    check: (text) => guard.checkUrl(parseUrl(text)),
  };
}

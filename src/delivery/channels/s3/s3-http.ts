import http from 'node:http';
import https from 'node:https';
import { KIB, SECOND_MS } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';

export type HttpPut = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
};
export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<http.IncomingHttpHeaders>;
  readonly text: string;
};
export type HttpPuts = {
  /** One request. Answers whatever status: below 300 the whole body has gone, and its memory is free. */
  send(put: HttpPut): Promise<HttpAnswer>;
  close(): void;
};

const CONNECT_LIMIT_MS = 10 * SECOND_MS;
/** Servers end idle connections after 5 s and more; a request that crosses such an end has no answer. */
const IDLE_MS = 4 * SECOND_MS;
const UNREAD = 'expected the S3 store to read the body, it ended the connection';
/** A refusal is shorter. */
const ANSWER_BYTES = 64 * KIB;

/** Uploads over connections that stay open. Where nothing moves for `stallMs`, in neither direction, a request is given up. */
export function createHttpPuts(options: {
  readonly url: URL;
  readonly connections: number;
  readonly stallMs: number;
}): HttpPuts {
  const { url, connections, stallMs } = options;
  const library = url.protocol === 'https:' ? https : http;
  const agent = new library.Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_MS });
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const send = ({ path, headers, body, signal }: HttpPut): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const target = { host, port: url.port, path, method: 'PUT', timeout: stallMs };
      const request = library.request({
        ...target,
        headers: { ...headers, 'content-length': body.length },
        agent,
        signal,
      });
      const giveUp = (what: string, ms: number): void => {
        request.destroy(new ChannelError('timeout', `expected ${what} within ${ms / 1000} s, received none`));
      };
      limitConnecting(request, () => giveUp('a connection to the S3 store', CONNECT_LIMIT_MS));
      let refusal: (() => HttpAnswer) | undefined;
      // A store that refuses may end the connection before it has the whole body: what it said counts.
      const fail = (error: Error): void => (refusal ? resolve(refusal()) : reject(error));
      request.on('timeout', () => giveUp('an answer of the S3 store', stallMs));
      request.on('error', fail);
      request.on('response', (response) => {
        const { statusCode: status = 0 } = response;
        let text = '';
        const answer = (): HttpAnswer => ({ status, headers: response.headers, text });
        if (status >= 300) refusal = answer;
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          if (text.length < ANSWER_BYTES) text += chunk;
        });
        response.on('error', fail);
        response.on('end', () => {
          if (status < 300 && !request.writableFinished) {
            request.once('finish', () => resolve(answer()));
            request.once('close', () => fail(new ChannelError('connection_lost', UNREAD)));
            return;
          }
          resolve(answer());
          if (!request.writableFinished) request.destroy();
        });
      });
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

function limitConnecting(request: http.ClientRequest, giveUp: () => void): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return;
    const timer = setTimeout(giveUp, CONNECT_LIMIT_MS);
    const end = (): void => clearTimeout(timer);
    socket.once('connect', end);
    request.once('close', end);
  });
}

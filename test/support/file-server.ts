import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ServedFile = {
  readonly bytes: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers ranges, with an ETag. */
  readonly ranges?: boolean;
  /** Cuts each connection after this many bytes of a body. */
  readonly cutAfter?: number;
  /** Statuses that are answered before the file is, one a request. */
  readonly first?: readonly number[];
  /** Not saying how long it is. */
  readonly chunked?: boolean;
  /** Bytes a second. */
  readonly rate?: number;
};

export type FileServer = {
  readonly port: number;
  readonly url: string;
  readonly files: Map<string, ServedFile>;
  readonly redirects: Map<string, string>;
  /** `path range`, in order. */
  readonly requests: string[];
  /** Bytes of bodies, by path. */
  readonly sent: Map<string, number>;
  close(): Promise<void>;
};

/** A server of files with the faults of real ones. */
export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, ServedFile>();
  const redirects = new Map<string, string>();
  const requests: string[] = [];
  const sent = new Map<string, number>();
  const tries = new Map<string, number>();

  const send = async (path: string, file: ServedFile, response: ServerResponse, from: number): Promise<void> => {
    const body = file.bytes.subarray(from);
    const step = file.rate === undefined ? 65_536 : Math.ceil(file.rate / 20);
    let out = 0;
    while (out < body.length && !response.destroyed) {
      if (file.cutAfter !== undefined && out >= file.cutAfter) {
        response.destroy();
        return;
      }
      const piece = body.subarray(out, Math.min(out + step, out + (file.cutAfter ?? step)));
      out += piece.length;
      sent.set(path, (sent.get(path) ?? 0) + piece.length);
      await new Promise<void>((resolve) => response.write(piece, () => resolve()));
      if (file.rate !== undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    response.end();
  };

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    requests.push(`${path} ${request.headers.range ?? ''}`.trim());
    const to = redirects.get(path);
    if (to !== undefined) {
      response.writeHead(302, { Location: to }).end();
      return;
    }
    const file = files.get(path);
    const attempt = tries.get(path) ?? 0;
    tries.set(path, attempt + 1);
    const status = file ? file.first?.[attempt] : 404;
    if (!file || status !== undefined) {
      response.writeHead(status ?? 404).end('no');
      return;
    }
    const [, start] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    const from = file.ranges && start !== undefined ? Number(start) : 0;
    const { length } = file.bytes;
    response.writeHead(from > 0 ? 206 : 200, {
      ...(file.chunked ? {} : { 'Content-Length': String(length - from) }),
      ...(file.ranges && { 'Accept-Ranges': 'bytes', ETag: '"one"' }),
      ...(from > 0 && { 'Content-Range': `bytes ${from}-${length - 1}/${length}` }),
      ...file.headers,
    });
    void send(path, file, response, from);
  };

  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port of TCP.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    files,
    redirects,
    requests,
    sent,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A request over HTTP that was answered, as it passed by. */
export type PassedAnswer = PassedRequest & { readonly status: number };
export type PassedRequest = { readonly method: string; readonly url: string };

/** Passes bytes on to a server, until it is told to cut, to stall or to take its time. */
export type CuttingProxy = {
  readonly port: number;
  /** Ends all connections once this many more bytes have passed to the server. New ones pass again. The last call counts. */
  cutAfter(bytes: number): void;
  /** Does something once this many more bytes have come for the server, before the last of them is passed on. */
  actAfter(bytes: number, act: () => void | Promise<void>): void;
  /** Does something once, when a request of this kind has come, or when its answer has; before either is passed on. HTTP without TLS. */
  actOn(
    when: 'request' | 'answer',
    matches: (request: PassedRequest) => boolean,
    act: () => void | Promise<void>,
  ): void;
  /** Passes nothing on any more, in either direction, once this many more bytes have passed; connections stay open. */
  stallAfter(bytes: number): void;
  /** Ends a stall, and with it the connections that it held. */
  goOn(): void;
  /** Bytes a second to the server, over all connections; undefined takes the limit away. */
  throttle(bytesPerSecond: number | undefined): void;
  /** Connections since the start. */
  readonly connections: () => number;
  /** Of HTTP without TLS: what was answered since the start. */
  readonly answers: readonly PassedAnswer[];
  close(): Promise<void>;
};

type Action = { left: number; readonly act: () => void | Promise<void> };
type Moment = {
  readonly when: 'request' | 'answer';
  readonly matches: (request: PassedRequest) => boolean;
  readonly act: () => void | Promise<void>;
};

/**
 * A proxy on a free port of the loopback interface. `samePorts` are passed on as well, from 127.0.0.1 to the same ports of `host`, which
 * is another address then: FTP opens its data connections there.
 */
export async function startCuttingProxy(target: {
  readonly port: number;
  readonly host?: string;
  readonly samePorts?: readonly number[];
}): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const answers: PassedAnswer[] = [];
  let actions: Action[] = [];
  let moments: Moment[] = [];
  let stalled: { readonly over: Promise<void>; readonly end: () => void } | undefined;
  let rate: number | undefined;
  let busyUntilMs = 0;
  let connections = 0;

  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };
  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const stall = (): void => {
    let end = (): void => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    stalled ??= { over, end };
  };
  /** Waits for a place in the line of what goes out at `rate`. */
  const takeTurn = async (bytes: number): Promise<void> => {
    if (rate === undefined) return;
    const now = performance.now();
    busyUntilMs = Math.max(now, busyUntilMs) + (bytes / rate) * 1000;
    await delay(busyUntilMs - now);
  };
  const count = async (bytes: number): Promise<void> => {
    const reached: Action[] = [];
    for (const action of actions) {
      action.left -= bytes;
      if (action.left <= 0) reached.push(action);
    }
    actions = actions.filter((action) => !reached.includes(action));
    for (const { act } of reached) await act();
  };
  const meet = async (when: Moment['when'], request: PassedRequest): Promise<void> => {
    const met = moments.filter((moment) => moment.when === when && moment.matches(request));
    moments = moments.filter((moment) => !met.includes(moment));
    for (const { act } of met) await act();
  };
  const pump = async (from: Socket, to: Socket, look: (chunk: Buffer) => Promise<void>): Promise<void> => {
    try {
      // Without an encoding a socket's chunks are buffers.
      for await (const chunk of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        await look(chunk);
        if (stalled) await stalled.over;
        if (to.destroyed) break;
        if (!to.write(chunk)) await drained(to);
      }
      // What was written goes out before the end does.
      to.end();
    } catch {
      // A socket that was reset ends both.
      to.destroy();
      from.destroy();
    }
  };

  const pass = (client: Socket, port: number): void => {
    const upstream = connect({ port, host: target.host ?? '127.0.0.1', noDelay: true });
    keep(client);
    keep(upstream);
    let asked: PassedRequest | undefined;
    void pump(client, upstream, async (chunk) => {
      const request = requestIn(chunk);
      if (request) await meet('request', request);
      asked = request ?? asked;
      await takeTurn(chunk.length);
      await count(chunk.length);
    });
    void pump(upstream, client, async (chunk) => {
      const status = statusIn(chunk);
      if (status === undefined || !asked || status === 100) return;
      answers.push({ ...asked, status });
      const answered = asked;
      asked = undefined;
      await meet('answer', answered);
    });
  };
  const listen = async (from: number, to: number): Promise<Server> => {
    const listening = createServer({ noDelay: true }, (client) => {
      connections += 1;
      pass(client, to);
    });
    await once(listening.listen(from, '127.0.0.1'), 'listening');
    return listening;
  };
  const server = await listen(0, target.port);
  const others = await Promise.all((target.samePorts ?? []).map((port) => listen(port, port)));
  // A server on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cutAfter: (bytes) => {
      actions = [...actions.filter(({ act }) => act !== reset), { left: bytes, act: reset }];
    },
    actOn: (when, matches, act) => void moments.push({ when, matches, act }),
    actAfter: (bytes, act) => void actions.push({ left: bytes, act }),
    stallAfter: (bytes) => void actions.push({ left: bytes, act: stall }),
    goOn: () => {
      actions = [];
      stalled?.end();
      stalled = undefined;
      reset();
    },
    throttle: (bytesPerSecond) => {
      rate = bytesPerSecond;
    },
    answers,
    connections: () => connections,
    close: async () => {
      stalled?.end();
      for (const socket of sockets) socket.destroy();
      await Promise.all(
        [server, ...others].map(async (one) => {
          one.close();
          await once(one, 'close');
        }),
      );
    },
  };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      socket.off('drain', end).off('close', end);
      resolve();
    };
    socket.once('drain', end).once('close', end);
  });
}

/** The request that a chunk begins with: clients begin each in a chunk of its own, since they wait for the answer before. */
function requestIn(chunk: Buffer): PassedRequest | undefined {
  const line = /^([A-Z]{3,10}) (\S+) HTTP\/1\.1\r\n/.exec(chunk.subarray(0, 4096).toString('latin1'));
  return line?.[1] !== undefined && line[2] !== undefined ? { method: line[1], url: line[2] } : undefined;
}

function statusIn(chunk: Buffer): number | undefined {
  const line = /^HTTP\/1\.1 (\d{3}) /.exec(chunk.subarray(0, 20).toString('latin1'));
  return line ? Number(line[1]) : undefined;
}

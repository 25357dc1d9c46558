import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';

/** Passes bytes on to a server, until it is told to cut. */
export type CuttingProxy = {
  readonly port: number;
  /** Ends all connections once this many more bytes have passed to the server. New ones pass again. */
  cutAfter(bytes: number): void;
  close(): Promise<void>;
};

/** A proxy on a free port of the loopback interface. */
export async function startCuttingProxy(target: { readonly port: number }): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target.port, host: '127.0.0.1', noDelay: true });
    keep(client);
    keep(upstream);
    upstream.pipe(client);
    client.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) {
        left = Number.POSITIVE_INFINITY;
        for (const socket of sockets) socket.resetAndDestroy();
        return;
      }
      if (!upstream.write(chunk)) client.pause();
    });
    upstream.on('drain', () => client.resume());
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cutAfter: (bytes) => {
      left = bytes;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

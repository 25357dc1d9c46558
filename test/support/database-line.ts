import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './app.ts';

/** The line to a test's database, which can be cut, or fall silent, and be there again. */
export type DatabaseLine = {
  readonly url: string;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Takes connections and says nothing on them, as behind a broken switch. */
  silence(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
};

/** Puts a line between a client and the database of `databaseUrl`, which lies at a Unix socket. */
export async function openDatabaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const target = new URL(databaseUrl);
  const path = `${target.searchParams.get('host') ?? ''}/.s.PGSQL.5432`;
  const port = await freePort();
  const sockets = new Set<Socket>();
  let isSilent = false;

  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    track(client);
    if (isSilent) return;
    const backend = connect(path);
    track(backend);
    client.pipe(backend).pipe(client);
    client.on('close', () => backend.destroy());
    backend.on('close', () => client.destroy());
  });
  const listen = () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const cut = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    if (server.listening) await closed;
  };
  const restart = async (silent: boolean): Promise<void> => {
    await cut();
    isSilent = silent;
    await listen();
  };
  await listen();
  const { username, pathname } = target;
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    cut,
    silence: () => restart(true),
    restore: () => restart(false),
    close: cut,
  };
}

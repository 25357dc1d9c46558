import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Debian's servers lie outside an ordinary user's PATH. */
const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/sbin', '/usr/local/bin', '/usr/lib/openssh', '/sbin', '/bin'];

/** The path of a program, or undefined. */
export function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Why a test of a server cannot run here; undefined when it can. */
export function missingProgram(programs: readonly string[], debianPackage: string): string | undefined {
  const missing = programs.filter((name) => findProgram(name) === undefined);
  return missing.length === 0
    ? undefined
    : `skipped: ${missing.join(', ')} is missing (apt-get install ${debianPackage})`;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export type ServerProcess = { readonly port: number; restart(): Promise<void>; stop(): Promise<void> };

/** A server in the foreground that listens on `port`. Its output is shown when it does not come up. */
export async function runServer(options: {
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
}): Promise<ServerProcess> {
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    let output = '';
    // A group of its own: servers fork one process for each connection.
    child = spawn(options.command, options.args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.env },
    });
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-4000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const until = Date.now() + 20_000;
    while (!(await answers(options.port))) {
      if (child.exitCode !== null || Date.now() > until) {
        throw new Error(`expected ${options.command} to listen on ${options.port}, received: ${output}`);
      }
      await delay(30);
    }
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  await start();
  return {
    port: options.port,
    restart: async () => {
      await stop();
      await start();
    },
    stop,
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

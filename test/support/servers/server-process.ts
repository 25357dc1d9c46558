import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { noteServer } from './server-note.ts';

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

export type ServerProcess = {
  readonly port: number;
  /** Ends it, and with it what it runs for connections: at once, or as it likes to end. */
  kill(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts it, also after `kill`, on the same port with the same files. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** A server in the foreground that listens on `port`. Its output is shown when it does not come up. */
export async function runServer(options: {
  /** For the summary of a run; else that of the program. */
  readonly name?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  /** Where it listens; else 127.0.0.1. */
  readonly host?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Until it listens; else 20 s. */
  readonly limitMs?: number;
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
    const until = Date.now() + (options.limitMs ?? 20_000);
    while (!(await answers(options.port, options.host ?? '127.0.0.1'))) {
      if (child.exitCode !== null || Date.now() > until) {
        throw new Error(`expected ${options.command} to listen on ${options.port}, received: ${output}`);
      }
      await delay(30);
    }
  };
  const kill = async (signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = once(child, 'exit');
    process.kill(-child.pid, signal);
    await ended;
  };
  await start();
  const stop = (): Promise<void> => kill();
  noteServer(options.name ?? basename(options.command));
  return {
    port: options.port,
    restart: async () => {
      await stop();
      await start();
    },
    kill,
    stop,
  };
}

function answers(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

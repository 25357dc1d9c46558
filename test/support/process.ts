import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './app.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'main.ts');

export type RunningService = {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;
  /** Sends a signal and answers how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
};

export type ServiceFolder = {
  readonly dataDir: string;
  readonly port: number;
  /** Starts `touchline serve` as a process of its own and waits until it serves. */
  start(env?: Readonly<Record<string, string>>): Promise<RunningService>;
  run(
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  firstRun(): Promise<{ readonly base_url: string; readonly api_key: string; readonly organization: string }>;
  /** Starts a command and leaves it to the caller. */
  spawn(args: readonly string[]): ChildProcess;
  /** Ends what may still run on the folder, and removes it. */
  remove(): Promise<void>;
};

/** A data folder and port for real processes with the embedded PostgreSQL. */
export async function createServiceFolder(): Promise<ServiceFolder> {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchline-service-'));
  const port = await freePort();
  const children = new Set<ChildProcess>();

  const launch = (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(port), SAMPLE: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    return { child, stdout: () => stdout, stderr: () => stderr };
  };

  return {
    dataDir,
    port,
    async start(env = {}) {
      const { child, stdout, stderr } = launch(['serve'], env);
      const url = `http://127.0.0.1:${env['PORT'] ?? port}`;
      for (;;) {
        if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${stdout()}${stderr()}`);
        if (stdout().includes('Ctrl-C stops it')) break;
        await delay(20);
      }
      return {
        child,
        url,
        output: () => stdout() + stderr(),
        async end(signal) {
          const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
          child.kill(signal);
          const [code, by] = await ended;
          return { code, signal: by };
        },
      };
    },
    async run(args, env = {}) {
      const { child, stdout, stderr } = launch(args, env);
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, stdout: stdout(), stderr: stderr() };
    },
    spawn: (args) => launch(args, {}).child,
    async firstRun() {
      return JSON.parse(await readFile(join(dataDir, 'first-run.json'), 'utf8'));
    },
    async remove() {
      for (const child of children) child.kill('SIGKILL');
      const lock = await readFile(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').catch(() => '');
      const pid = Number(lock.split('\n')[0]);
      if (pid > 0) process.kill(pid, 'SIGQUIT');
      await delay(100);
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

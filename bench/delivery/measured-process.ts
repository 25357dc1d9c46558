import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

export type ProcessFigures = {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMiB: number;
  readonly output: string;
};

/** Linux counts the time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100;
const LOOK_EVERY_MS = 20;

/** Runs a command to its end. Time of the processor and peak of memory are what /proc said last, at most 20 ms before. */
export async function runMeasured(
  command: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<ProcessFigures> {
  const startedMs = performance.now();
  const child = spawn(command, args, { env: { ...process.env, ...options.env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // One that has ended before it reads is told by its exit code.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  let [cpuSeconds, peakMiB] = [0, 0];
  const look = async (): Promise<void> => {
    const [stat, status] = await Promise.all(
      ['stat', 'status'].map((name) => readFile(`/proc/${child.pid}/${name}`, 'utf8').catch(() => '')),
    );
    // Fields 14 and 15; the second one is the name, in brackets, and may hold spaces.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    cpuSeconds = Math.max(cpuSeconds, (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND);
    peakMiB = Math.max(peakMiB, Number(/VmHWM:\s+(\d+) kB/.exec(status ?? '')?.[1] ?? 0) / 1024);
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  // `once` answers what the event carries: the exit code comes first.
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output.slice(-2000)}`);
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds, peakMiB, output };
}

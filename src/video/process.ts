import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { AppError } from '../base/index.ts';

export type ToolRun = {
  readonly exitCode: number | null;
  readonly exitSignal: NodeJS.Signals | null;
  readonly stdout: string;
  /** The last part of what the program wrote to its error stream. */
  readonly stderr: string;
};

export type ToolOptions = {
  /** Absolute path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  /** The whole run; SIGKILL afterwards. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Receives whole lines of standard output, which is then not kept. */
  readonly onLine?: (line: string) => void;
  /** Called about every second; an error that it returns ends the run. */
  readonly watch?: () => AppError | undefined;
  readonly maxMemoryBytes?: number | undefined;
};

/** ffprobe writes about 2 kB of JSON a stream, 128 kB for the 64 that are allowed; 4 MB is a file made to exhaust us. */
const MAX_STDOUT_BYTES = 4 * 1024 * 1024;
const MAX_STDERR_CHARS = 16 * 1024;
const WATCH_INTERVAL_MS = 1000;

const live = new Set<ChildProcess>();
let exitHookInstalled = false;

/**
 * Runs one program to its end in a process group of its own, at low priority, with a bare environment (no secret of the
 * service reaches a parser of foreign files) and bounded output.
 * @throws AppError `capability_missing` when it cannot be started, `file_limits_exceeded` when a limit ended it, or the
 * reason of `signal`.
 */
export function runTool(options: ToolOptions): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    if (options.signal?.aborted) {
      reject(options.signal.reason);
      return;
    }
    installExitHook();
    const child = spawn(options.command, options.args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    });
    live.add(child);
    lowerPriority(child);

    let failure: { readonly error: unknown } | undefined;
    const end = (error: unknown) => {
      failure ??= { error };
      killGroup(child);
    };
    const onAbort = () => end(options.signal?.reason);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(
      () => end(limitError(`expected the program to end within ${options.timeoutMs} ms`)),
      options.timeoutMs,
    );
    const watcher = setInterval(() => {
      const error = options.watch?.() ?? memoryError(child, options.maxMemoryBytes);
      if (error) end(error);
    }, WATCH_INTERVAL_MS);

    const stdout = collectStdout(child, options.onLine, end);
    const stderr = collectStderr(child);
    const finish = () => {
      clearTimeout(timer);
      clearInterval(watcher);
      options.signal?.removeEventListener('abort', onAbort);
      live.delete(child);
    };
    child.once('error', (cause) => {
      if (child.pid !== undefined) return;
      finish();
      reject(new AppError('capability_missing', 'expected a working ffmpeg and ffprobe, received none', { cause }));
    });
    child.once('close', (exitCode, exitSignal) => {
      finish();
      if (failure) reject(failure.error);
      else resolve({ exitCode, exitSignal, stdout: stdout(), stderr: stderr() });
    });
  });
}

function limitError(message: string): AppError {
  return new AppError('file_limits_exceeded', message);
}

function collectStdout(
  child: ChildProcess,
  onLine: ToolOptions['onLine'],
  end: (error: unknown) => void,
): () => string {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (onLine) {
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    }
    if (text.length > MAX_STDOUT_BYTES) {
      text = '';
      end(limitError('expected a short description of the streams, received more than 4 MB'));
    }
  });
  return () => text;
}

function collectStderr(child: ChildProcess): () => string {
  let text = '';
  // The last lines say why the program gave up; a damaged file may write one line for each macroblock before them.
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-MAX_STDERR_CHARS);
  });
  return () => text;
}

/** As `nice` would, without needing it; set before the program has started a thread, so that all of them inherit it. */
function lowerPriority(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already.
  }
}

/** The child leads its group (`detached`), so the negative process id reaches whatever it started as well. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function installExitHook(): void {
  if (exitHookInstalled) return;
  exitHookInstalled = true;
  // A detached child does not receive the terminal's Ctrl-C; without this it would outlive the service.
  process.once('exit', () => {
    for (const child of live) killGroup(child);
  });
}

/** Only Linux tells the resident size of another process cheaply; elsewhere the operating system's limits hold. */
function memoryError(child: ChildProcess, maxMemoryBytes: number | undefined): AppError | undefined {
  if (maxMemoryBytes === undefined || process.platform !== 'linux' || child.pid === undefined) return undefined;
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
    if (kilobytes === undefined || Number(kilobytes) * 1024 <= maxMemoryBytes) return undefined;
    return limitError(`expected decoding within ${maxMemoryBytes} bytes of memory`);
  } catch {
    return undefined;
  }
}

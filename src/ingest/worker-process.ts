import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type ErrorCode, ERROR_CODES, type Logger, SECOND_MS } from '../base/index.ts';

/**
 * A forked child that answers one request at a time. Native decoders run there: a crash or a hang costs the child, never the
 * service. Messages: `{ id, payload }` down, `{ id, result }` or `{ id, error: { code, message } }` up (see worker-requests.ts).
 */
export type WorkerProcess<Payload, Result> = {
  /**
   * Sends a payload and awaits its answer; the child is forked when needed, later calls wait for earlier ones.
   * @throws AppError the child's own error, or `unavailable` (`details.reason`: `timeout` or `exit`) when it was lost;
   * the signal's reason when aborted.
   */
  request(payload: Payload, signal?: AbortSignal): Promise<Result>;
  close(): Promise<void>;
};

export type WorkerReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly code: string; readonly message: string } };

/** The first lost child is replaced at once, the next after 0.25 s, 0.5 s, ... so that a broken installation does not spin. */
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30 * SECOND_MS;
/** Enough for the last words of a crashing native library. */
const MAX_STDERR_LENGTH = 2000;

export function createWorkerProcess<Payload, Result>(options: {
  readonly name: string;
  readonly module: URL;
  readonly logger: Logger;
  /** Limit on one request, not counting the wait for earlier ones. */
  readonly timeoutMs: number;
  /** An idle child ends after this time and gives its memory back. */
  readonly idleMs: number;
}): WorkerProcess<Payload, Result> {
  const { name, logger } = options;
  let child: ChildProcess | undefined;
  let stderr = '';
  let nextId = 1;
  let failures = 0;
  let closed = false;
  let line: Promise<unknown> = Promise.resolve();
  let idleTimer: NodeJS.Timeout | undefined;

  const start = (): ChildProcess => {
    const started = fork(options.module, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], execArgv: [] });
    stderr = '';
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_STDERR_LENGTH);
    });
    // A failure while idle (such as a lost channel) is followed by `exit`; without a listener it would end the service.
    started.on('error', (error) => logger.debug({ worker: name, reason: error.message }, 'worker.error'));
    started.once('exit', () => {
      if (child === started) child = undefined;
    });
    logger.debug({ worker: name, pid: started.pid }, 'worker.started');
    return started;
  };

  const stop = (signal: NodeJS.Signals) => {
    child?.kill(signal);
    child = undefined;
  };

  /** An idle child must not keep the service alive. */
  const rest = () => {
    child?.unref();
    child?.channel?.unref();
    idleTimer = setTimeout(() => stop('SIGTERM'), options.idleMs).unref();
  };

  const wake = (): ChildProcess => {
    clearTimeout(idleTimer);
    child ??= start();
    child.ref();
    child.channel?.ref();
    return child;
  };

  const lost = (reason: 'timeout' | 'exit', message: string) => {
    stop('SIGKILL');
    failures += 1;
    logger.warn({ worker: name, reason, stderr, failures }, 'worker.lost');
    return new AppError('unavailable', `${name}: ${message}`, { details: { reason } });
  };

  const exchange = (payload: Payload, signal: AbortSignal | undefined): Promise<Result> => {
    const worker = wake();
    const id = nextId++;
    return new Promise<Result>((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('exit', onExit).off('error', onError);
        signal?.removeEventListener('abort', onAbort);
        finish();
      };
      const onMessage = (reply: WorkerReply) => {
        if (reply.id !== id) return;
        failures = 0;
        // The module at the other end is ours and answers what `Result` says.
        settle(() => ('error' in reply ? reject(workerError(reply.error)) : resolve(reply.result as Result)));
      };
      const onExit = (code: number | null, killedBy: string | null) =>
        settle(() => reject(lost('exit', `expected an answer, received exit ${killedBy ?? code}`)));
      const onError = (error: Error) => settle(() => reject(lost('exit', error.message)));
      const onAbort = () =>
        settle(() => {
          // Its answer is no longer wanted and would delay the next caller.
          stop('SIGKILL');
          reject(signal?.reason);
        });
      const timer = setTimeout(
        () => settle(() => reject(lost('timeout', `expected an answer within ${options.timeoutMs} ms`))),
        options.timeoutMs,
      );
      worker.on('message', onMessage).on('exit', onExit).on('error', onError);
      signal?.addEventListener('abort', onAbort, { once: true });
      worker.send({ id, payload });
    });
  };

  const run = async (payload: Payload, signal: AbortSignal | undefined): Promise<Result> => {
    signal?.throwIfAborted();
    if (closed) throw new AppError('unavailable', `${name} is closed`);
    if (!child && failures > 1) {
      const backoffMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 2));
      await delay(backoffMs, undefined, signal ? { signal } : {});
    }
    try {
      return await exchange(payload, signal);
    } finally {
      rest();
    }
  };

  return {
    request(payload, signal) {
      const answer = line.then(() => run(payload, signal));
      line = answer.catch(() => undefined);
      return answer;
    },
    async close() {
      closed = true;
      await line;
      clearTimeout(idleTimer);
      const last = child;
      if (!last) return;
      last.ref();
      const ended = once(last, 'exit');
      stop('SIGTERM');
      await ended;
    },
  };
}

function workerError({ code, message }: { readonly code: string; readonly message: string }): AppError {
  return new AppError(isErrorCode(code) ? code : 'internal', message);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}

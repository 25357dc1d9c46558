/** One child with the SMB library, and the requests that go to it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { SECOND_MS } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import { compileCacheEnv } from '../compile-cache.ts';
import { classifySmbConnect, isOfConnection, SmbError } from './smb-faults.ts';
import { FRAME_HEAD_BYTES, frameHead, type SmbReply, type SmbRequest, type SmbShare } from './smb-messages.ts';

export type SmbAnswer = SmbReply & { readonly body: Buffer };

export type SmbWorker = {
  /** Nobody may use it any more: it has ended, or hangs, or its connection is gone. */
  readonly isLost: boolean;
  /** Requests without an answer yet. */
  readonly pending: number;
  /**
   * Requests are answered one after the other; several may be under way. The body may be used again after the answer.
   * @throws SmbError, ChannelError `timeout`, `connection_lost`, or the signal's reason
   */
  request(
    message: SmbRequest,
    options: { readonly signal: AbortSignal; readonly body?: Uint8Array | undefined },
  ): Promise<SmbAnswer>;
  /** Ends the process, whatever it does. Never throws. */
  kill(): Promise<void>;
};

/**
 * How many answers of the server one request waits for, each for up to the stall limit: what takes longer hangs in something else. The
 * most are those of what moves data: 8 MiB in as many parts, and what opens and closes a file.
 */
const DATA_OPS: ReadonlySet<SmbRequest['op']> = new Set<SmbRequest['op']>(['copy', 'hash', 'store']);
const ANSWERS_OF_DATA = 16;
const ANSWERS_OF_OTHERS = 4;
/** With the start of the process, on a machine that has much to do. */
const LEAST_CONNECT_MS = 10 * SECOND_MS;
/** Enough for the last words of a process that ends. */
const LAST_WORDS_LENGTH = 500;

type Waiting = {
  readonly resolve: (answer: SmbAnswer) => void;
  readonly reject: (error: unknown) => void;
};

const CHILD = fileURLToPath(new URL('smb-child.ts', import.meta.url));

/** Starts a child that is connected to the share. @throws ChannelError, or the signal's reason */
export async function startSmbWorker(share: SmbShare, signal: AbortSignal): Promise<SmbWorker> {
  signal.throwIfAborted();
  // Only what it needs: neither the service's settings, nor those of a user of this machine.
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { HOME: '/nonexistent', ...compileCacheEnv() },
  });
  const worker = createWorker(child, share.stallMs);
  try {
    const answer = await worker.request({ op: 'connect', share }, { signal });
    if (!answer.file?.isFolder) throw missingFolder(share);
    return worker;
  } catch (error) {
    await worker.kill();
    throw error instanceof SmbError ? classifySmbConnect(error) : error;
  }
}

function limitOf({ op }: SmbRequest, stallMs: number): number {
  // A server that is not there does not end this wait by itself.
  if (op === 'connect') return Math.max(stallMs, LEAST_CONNECT_MS);
  return stallMs * (DATA_OPS.has(op) ? ANSWERS_OF_DATA : ANSWERS_OF_OTHERS);
}

function sourceFault(code: string): ChannelError {
  return new ChannelError('failed', `expected the file of this machine to be readable, received ${code}`);
}

function missingFolder({ share, prefix }: SmbShare): ChannelError {
  const what = prefix === '' ? `the share ${share}` : `the folder ${prefix} in the share ${share}`;
  return new ChannelError('not_found', `expected ${what} on the SMB server, it is not there`);
}

function createWorker(child: ChildProcess, stallMs: number): SmbWorker {
  // The fourth stream was asked for as a pipe, which is a socket in both directions.
  const socket = child.stdio[3] as Duplex;
  const waiting: Waiting[] = [];
  let isLost = false;
  let lastWords = '';
  const lose = (reason: unknown): void => {
    isLost = true;
    child.kill('SIGKILL');
    for (const { reject } of waiting.splice(0)) reject(reason);
  };
  const gone = (how: string): void => {
    const cause = lastWords === '' ? undefined : new Error(lastWords);
    lose(new ChannelError('connection_lost', `expected an answer of the SMB library, received ${how}`, { cause }));
  };
  const exited = once(child, 'exit').then(
    ([code, signal]: unknown[]) => gone(`the end of its process (${String(signal ?? code)})`),
    () => gone('no process'),
  );
  socket.on('error', () => gone('the end of its socket'));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS_LENGTH);
  });
  readFrames(socket, (answer) => {
    const first = waiting.shift();
    if (answer.sourceFault !== undefined) return first?.reject(sourceFault(answer.sourceFault));
    if (answer.errno === undefined) return first?.resolve(answer);
    const error = new SmbError(answer.errno);
    if (isOfConnection(error)) isLost = true;
    return first?.reject(error);
  });
  return {
    get isLost() {
      return isLost;
    },
    get pending() {
      return waiting.length;
    },
    async request(message, { signal, body }) {
      signal.throwIfAborted();
      if (isLost) throw new ChannelError('connection_lost', 'expected a running SMB library, received its end');
      const limitMs = limitOf(message, stallMs);
      const late = (): void =>
        lose(
          new ChannelError('timeout', `expected an answer of the SMB server within ${limitMs / 1000} s, received none`),
        );
      const timer = setTimeout(late, limitMs);
      const onAbort = (): void => lose(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await new Promise<SmbAnswer>((resolve, reject) => {
          waiting.push({ resolve, reject });
          // Together, or the child is woken for the head alone.
          socket.cork();
          socket.write(frameHead(message, body?.length ?? 0));
          if (body && body.length > 0) socket.write(body);
          socket.uncork();
        });
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      }
    },
    async kill() {
      lose(new ChannelError('connection_lost', 'expected an open session, it was closed'));
      await exited;
      socket.destroy();
    },
  };
}

/** Answers as they come; their bodies are copies of nothing: the socket's own chunks where a body lies in one. */
function readFrames(socket: Duplex, onFrame: (answer: SmbAnswer) => void): void {
  let chunks: Buffer[] = [];
  let held = 0;
  let needed = FRAME_HEAD_BYTES;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    held += chunk.length;
    while (held >= needed) {
      const all = chunks.length === 1 ? (chunks[0] ?? chunk) : Buffer.concat(chunks, held);
      chunks = [all];
      const jsonEnd = FRAME_HEAD_BYTES + all.readUInt32LE(0);
      const end = jsonEnd + all.readUInt32LE(4);
      needed = end;
      if (held < end) return;
      // The other end is smb-child.ts, which sends nothing else.
      const reply = JSON.parse(all.toString('utf8', FRAME_HEAD_BYTES, jsonEnd)) as SmbReply;
      onFrame({ ...reply, body: all.subarray(jsonEnd, end) });
      chunks = held > end ? [all.subarray(end)] : [];
      held -= end;
      needed = FRAME_HEAD_BYTES;
    }
  });
}

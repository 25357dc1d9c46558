import { MessageChannel, type Worker } from 'node:worker_threads';
import { ChannelError, type ChannelSession, type PutOptions } from '../../channel.ts';
import { receiveChunks, sendChunks } from './chunk-port.ts';
import { startThread } from './start-thread.ts';
import { type Call, errorOf, type FromThread, type SessionTarget, type ToThread } from './thread-messages.ts';

type Waiting = {
  readonly put?: PutOptions | undefined;
  sourceFailure?: { readonly error: unknown };
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** A session that runs in a thread of its own, started by a program that calls `serveSession`. @throws ChannelError, or the signal's reason */
export async function openSessionThread(
  program: URL,
  target: SessionTarget<unknown, unknown> & { readonly signal: AbortSignal },
): Promise<ChannelSession> {
  const { signal: opening, ...rest } = target;
  opening.throwIfAborted();
  const worker = startThread(program);
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let end: ChannelError | undefined;
  const fail = (reason: string): void => {
    end ??= new ChannelError('connection_lost', `expected an open session, ${reason}`);
    for (const one of waiting.values()) one.reject(end);
    waiting.clear();
  };
  worker.on('error', (error) => fail(`its thread failed: ${error.message}`));
  worker.on('exit', () => fail('it was closed'));
  const tell = (message: ToThread, transfer: Parameters<Worker['postMessage']>[1] = []): void =>
    worker.postMessage(message, transfer);

  const giveSource = async (one: Waiting, { source, offset }: Extract<FromThread, { readonly source: unknown }>) => {
    try {
      if (one.put) await sendChunks(source, one.put.read(offset, one.put.signal));
    } catch (error) {
      one.sourceFailure ??= { error };
    }
  };
  const keepToken = async (one: Waiting, { id, token, ask }: Extract<FromThread, { readonly ask: number }>) => {
    try {
      await one.put?.onToken?.(token);
      tell({ id, answered: ask });
    } catch (error) {
      one.sourceFailure ??= { error };
      tell({ id, cancel: true });
    }
  };
  worker.on('message', (message: FromThread) => {
    const one = waiting.get(message.id);
    if (!one) return;
    if ('bytes' in message) one.put?.onProgress?.(message.bytes);
    else if ('source' in message) void giveSource(one, message);
    else if ('token' in message) void keepToken(one, message);
    else {
      waiting.delete(message.id);
      if (one.sourceFailure) one.reject(one.sourceFailure.error);
      else if ('fault' in message) one.reject(errorOf(message.fault));
      else {
        one.put?.onProgress?.(one.put.bytes);
        one.resolve(message.result);
      }
    }
  });

  const call = async (message: Call, signal: AbortSignal, more: Parameters<typeof begin>[2] = {}): Promise<unknown> => {
    signal.throwIfAborted();
    if (end) throw end;
    lastId += 1;
    const id = lastId;
    const onAbort = (): void => tell({ id, cancel: true });
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await begin(id, message, more);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };
  const begin = (
    id: number,
    message: Call,
    { put, transfer }: { readonly put?: PutOptions; readonly transfer?: Parameters<Worker['postMessage']>[1] },
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { put, resolve, reject });
      tell({ id, call: message }, transfer);
    });
  const close = async (): Promise<void> => {
    fail('it was closed');
    await worker.terminate();
  };
  const session = sessionOf(call, close);
  try {
    await call({ op: 'open', target: rest }, opening);
    return session;
  } catch (error) {
    await close();
    throw error;
  }
}

type CallThread = (
  message: Call,
  signal: AbortSignal,
  more?: { readonly put?: PutOptions; readonly transfer?: Parameters<Worker['postMessage']>[1] },
) => Promise<unknown>;

/** The thread's program answers each call with what the same call of its session answers, hence the casts. */
function sessionOf(call: CallThread, close: () => Promise<void>): ChannelSession {
  return {
    put: (put) => {
      const { path, bytes, sha256, contentType, file, id, isFirst, resumeFrom, staleToken, replace } = put;
      const sent = { path, bytes, sha256, contentType, file, id, isFirst, resumeFrom, staleToken, replace };
      return call({ op: 'put', put: sent }, put.signal, { put }) as ReturnType<ChannelSession['put']>;
    },
    stat: (path, signal) => call({ op: 'stat', path }, signal) as ReturnType<ChannelSession['stat']>,
    async *read(path, signal) {
      const { port1, port2 } = new MessageChannel();
      const reading = call({ op: 'read', path, port: port2 }, signal, { transfer: [port2] });
      // Awaited when the port says that it broke off.
      reading.catch(() => {});
      let isBroken = false;
      const broken = (): undefined => {
        isBroken = true;
      };
      try {
        yield* receiveChunks(port1, { signal, broken });
      } catch (error) {
        if (!isBroken) throw error;
      }
      if (isBroken) await reading;
    },
    remove: (path, signal) => call({ op: 'remove', path }, signal) as ReturnType<ChannelSession['remove']>,
    leftovers: (path, signal) => call({ op: 'leftovers', path }, signal) as ReturnType<ChannelSession['leftovers']>,
    removeLeftover: (leftover, signal) =>
      call({ op: 'removeLeftover', leftover }, signal) as ReturnType<ChannelSession['removeLeftover']>,
    close,
  };
}

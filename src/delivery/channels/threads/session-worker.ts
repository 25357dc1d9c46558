/** A session in a thread of its own: what it encrypts and hashes holds up neither the service nor the sessions of other threads. */
import { MessageChannel, parentPort } from 'node:worker_threads';
import { MIB } from '../../../base/index.ts';
import type { ChannelSession, PutOptions } from '../../channel.ts';
import { readFileFrom } from '../../delivery-source.ts';
import { receiveChunks, sendChunks } from './chunk-port.ts';
import {
  type Call,
  type FromThread,
  errorOf,
  faultMessage,
  type OpenSession,
  type SentPut,
  type SessionTarget,
  type ToThread,
} from './thread-messages.ts';

/** Each message wakes the service: a small file's progress is its end. */
const PROGRESS_BYTES = MIB;

function sparse(report: (bytes: number) => void): (bytes: number) => void {
  let told = 0;
  return (bytes) => {
    if (bytes - told < PROGRESS_BYTES) return;
    told = bytes;
    report(bytes);
  };
}

/** Serves the thread that started this one, for its whole life. */
export function serveSession<Config, Secrets>(open: OpenSession<Config, Secrets>): void {
  if (!parentPort) throw new Error('expected a thread, received the process itself');
  const service = parentPort;
  // Node itself throws and catches errors whenever a cipher gets its key, for each packet. Nobody reads the stacks of this thread.
  Error.stackTraceLimit = 0;
  const running = new Map<number, AbortController>();
  const asked = new Map<number, () => void>();
  let lastAsk = 0;
  let session: ChannelSession | undefined;
  const tell = (message: FromThread, transfer: Parameters<typeof service.postMessage>[1] = []): void =>
    service.postMessage(message, transfer);

  const putOptions = (id: number, put: SentPut, signal: AbortSignal): PutOptions => ({
    ...put,
    signal,
    read: put.file === undefined ? askedSource(id) : readFileFrom({ path: put.file, bytes: put.bytes }),
    onProgress: sparse((bytes) => tell({ id, bytes })),
    onToken: (token) =>
      new Promise((resolve) => {
        lastAsk += 1;
        asked.set(lastAsk, resolve);
        tell({ id, token, ask: lastAsk });
      }),
  });
  const askedSource =
    (id: number): PutOptions['read'] =>
    (offset, signal) => {
      const { port1, port2 } = new MessageChannel();
      tell({ id, source: port2, offset }, [port2]);
      return receiveChunks(port1, {
        signal,
        broken: (fault) => (fault ? errorOf(fault) : new Error('the source cannot be read')),
      });
    };
  const run = async (id: number, call: Call, signal: AbortSignal): Promise<unknown> => {
    if (call.op === 'open') {
      // The channel that starts this program for its targets sends them as they are.
      const target = call.target as SessionTarget<Config, Secrets>;
      session = await open({ ...target, signal });
      return undefined;
    }
    if (!session) throw new Error('expected an open session');
    switch (call.op) {
      case 'put':
        return session.put(putOptions(id, call.put, signal));
      case 'read':
        return sendChunks(call.port, session.read(call.path, signal));
      case 'removeLeftover':
        return session.removeLeftover(call.leftover, signal);
      default:
        return session[call.op](call.path, signal);
    }
  };
  const answer = async (id: number, call: Call): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      tell({ id, result: await run(id, call, controller.signal) });
    } catch (error) {
      tell({ id, fault: faultMessage(error) });
    } finally {
      running.delete(id);
    }
  };
  service.on('message', (message: ToThread) => {
    if ('call' in message) void answer(message.id, message.call);
    else if ('cancel' in message) running.get(message.id)?.abort();
    else {
      asked.get(message.answered)?.();
      asked.delete(message.answered);
    }
  });
}

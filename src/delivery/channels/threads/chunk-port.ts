/** Chunks from one thread to another, a few ahead of those that were taken. */
import type { MessagePort } from 'node:worker_threads';
import { faultMessage, type ThreadFault } from './thread-messages.ts';

const CHUNKS_AHEAD = 4;

type FromSender = { readonly chunk: Uint8Array<ArrayBuffer> } | { readonly end: 'whole' } | Broken;
type Broken = { readonly end: 'broken'; readonly fault?: ThreadFault };

/** Sends until the chunks or the receiver end. What the chunks throw ends the receiver too, and is thrown here. */
export async function sendChunks(port: MessagePort, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let credit = CHUNKS_AHEAD;
  let isOver = false;
  let wake = (): void => {};
  port.on('message', () => {
    credit += 1;
    wake();
  });
  port.once('close', () => {
    isOver = true;
    wake();
  });
  const mustWait = (): boolean => credit === 0 && !isOver;
  const send = (message: FromSender, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
  try {
    for await (const chunk of chunks) {
      while (mustWait()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (isOver) return;
      credit -= 1;
      // A copy, which can be given away: whose memory a chunk is nobody knows.
      const copy = new Uint8Array(chunk);
      send({ chunk: copy }, [copy.buffer]);
    }
    send({ end: 'whole' });
  } catch (error) {
    send({ end: 'broken', fault: faultMessage(error) });
    throw error;
  } finally {
    port.close();
  }
}

/** What `sendChunks` sends. @throws what `broken` makes when the sender failed, the signal's reason */
export async function* receiveChunks(
  port: MessagePort,
  { signal, broken }: { readonly signal: AbortSignal; readonly broken: (fault: ThreadFault | undefined) => unknown },
): AsyncGenerator<Uint8Array> {
  const queue: FromSender[] = [];
  let wake = (): void => {};
  port.on('message', (message: FromSender) => {
    queue.push(message);
    wake();
  });
  port.once('close', () => {
    queue.push({ end: 'broken' });
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const message = queue.shift();
      if (message === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else if ('chunk' in message) {
        port.postMessage('more');
        yield message.chunk;
      } else if (message.end === 'whole') return;
      else throw broken(message.fault);
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    port.close();
  }
}

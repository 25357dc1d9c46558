import { parentPort } from 'node:worker_threads';
import { type KeptConnection, keepConnection } from './sftp-connection.ts';
import type { FromReader, ToReader } from './sftp-reader.ts';
import { hashFile } from './sftp-transfer.ts';

type Followed = {
  readonly controller: AbortController;
  reached: number;
  /** Of who waits for more. */
  wake: () => void;
};

// Node itself throws and catches errors whenever a cipher gets its key, for each packet. Nobody reads the stacks of this thread.
Error.stackTraceLimit = 0;
const followed = new Map<number, Followed>();
let connection: KeptConnection | undefined;

async function waitUntil(file: Followed, bytes: number): Promise<void> {
  while (file.reached < bytes) {
    await new Promise<void>((resolve) => {
      file.wake = resolve;
    });
    file.controller.signal.throwIfAborted();
  }
}

async function follow({ id, path, bytes }: Extract<ToReader, { readonly path: string }>): Promise<void> {
  const file: Followed = { controller: new AbortController(), reached: 0, wake: () => {} };
  const { signal } = file.controller;
  followed.set(id, file);
  let answer: FromReader = { id };
  try {
    const connected = await connection?.connect(signal);
    const reached = (wanted: number): Promise<void> => waitUntil(file, wanted);
    if (connected) answer = { id, back: await hashFile(connected, { path, bytes, signal, reached }) };
  } catch {
    // Whoever writes the file reads it then, and meets what is wrong with the server.
  } finally {
    followed.delete(id);
    parentPort?.postMessage(answer, []);
  }
}

parentPort?.on('message', (message: ToReader) => {
  if ('server' in message) {
    connection = keepConnection(message.server);
    return;
  }
  if ('path' in message) {
    void follow(message);
    return;
  }
  const file = followed.get(message.id);
  if (!file) return;
  if ('reached' in message) file.reached = message.reached;
  else file.controller.abort();
  file.wake();
});

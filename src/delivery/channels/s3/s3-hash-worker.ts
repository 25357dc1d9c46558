import { createHash, type Hash, hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { FromHashThread, ToHashThread } from './s3-hashes.ts';

const wholes = new Map<number, Hash>();
const tell = (answer: FromHashThread, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, transfer);

parentPort?.on('message', (message: ToHashThread) => {
  const { file } = message;
  const whole = wholes.get(file) ?? createHash('sha256');
  if ('dropped' in message) {
    wholes.delete(file);
    return;
  }
  const { id, bytes } = message;
  if (bytes) {
    wholes.set(file, whole.update(bytes));
    tell({ id, bytes, hex: hash('md5', bytes) }, [bytes.buffer]);
    return;
  }
  wholes.delete(file);
  tell({ id, hex: whole.digest('hex') });
});

import { createHash, type Hash, hash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { FromHashThread, ToHashThread } from './s3-hashes.ts';

const wholes = new Map<number, Hash>();
const tell = (answer: FromHashThread, transfer: ArrayBuffer[] = []): void => parentPort?.postMessage(answer, transfer);

parentPort?.on('message', (message: ToHashThread) => {
  const { id, file } = message;
  if ('bytes' in message) {
    const { bytes } = message;
    const whole = wholes.get(file) ?? createHash('sha256');
    wholes.set(file, whole.update(bytes));
    tell({ id, bytes, hex: hash('md5', bytes) }, [bytes.buffer]);
    return;
  }
  const whole = wholes.get(file) ?? createHash('sha256');
  wholes.delete(file);
  tell({ id, hex: whole.digest('hex') });
});

import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { Md5Answer, Md5Request } from './s3-md5.ts';

parentPort?.on('message', ({ id, bytes }: Md5Request) => {
  const answer: Md5Answer = { id, bytes, md5: createHash('md5').update(bytes).digest('hex') };
  parentPort?.postMessage(answer, [bytes.buffer]);
});

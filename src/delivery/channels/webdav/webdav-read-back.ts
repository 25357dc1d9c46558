import type { IncomingMessage } from 'node:http';
import { MIB } from '../../../base/index.ts';
import type { ReadBack } from '../put-by-rename.ts';
import { sha256Of } from '../transfer.ts';
import { createBodyHash } from './webdav-body-hash.ts';
import { statusFault, type WebdavRequest, type WebdavRequests } from './webdav-requests.ts';

/** Below, a connection that is there already is quicker than what one of its own saves. */
const OWN_CONNECTION_BYTES = 4 * MIB;
type FileRead = { readonly path: string; readonly bytes: number; readonly signal: AbortSignal };
type Get = Pick<WebdavRequest, 'path' | 'signal' | 'connect'>;

/** What the server has under a path; `bytes` are what is expected. */
export async function readBack(send: WebdavRequests['send'], file: FileRead): Promise<ReadBack> {
  const get: Get = { path: file.path, signal: file.signal };
  if (file.bytes < OWN_CONNECTION_BYTES) return sha256Of(await getFile(send, get));
  const body = createBodyHash();
  return body.hash(await getFile(send, { ...get, connect: body.connect }));
}

/** @throws ChannelError when there is none */
export async function getFile(send: WebdavRequests['send'], get: Get): Promise<IncomingMessage> {
  const answer = await send({ method: 'GET', ...get });
  if (answer.statusCode === 200) return answer;
  answer.resume();
  throw statusFault('GET', answer.statusCode ?? 0);
}

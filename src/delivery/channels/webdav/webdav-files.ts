import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { MIB } from '../../../base/index.ts';
import { ChannelError, type TargetFile } from '../../channel.ts';
import { createPutMemory } from '../file-pieces.ts';
import { type FileTarget, nameTaken } from '../put-by-rename.ts';
import { getFile, readBack } from './webdav-read-back.ts';
import { classifyWebdav, statusFault, type WebdavRequest, type WebdavRequests } from './webdav-requests.ts';

/** A folder that is locked is asked for again after 0.1, 0.2, ... s: 2.1 s in all. */
const LOCKED_TRIES = 7;
const LOCKED_WAIT_MS = 100;
/** A few pieces for each of the files that go out together. */
const MEMORY_BYTES = 4 * MIB;
const LIST_LIMIT_BYTES = 16 * MIB;
const PROPERTIES = '<?xml version="1.0"?><propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>';

export type WebdavFiles = FileTarget & {
  stat(path: string, signal: AbortSignal): Promise<TargetFile | undefined>;
  isFolder(path: string, signal: AbortSignal): Promise<boolean>;
};

/** Files over WebDAV (RFC 4918). Its PUT has no offset, so that a broken one starts anew. */
export function createWebdavFiles({ send, urlOf }: WebdavRequests): WebdavFiles {
  /** The status of an answer without a body worth reading; others than the expected are faults. */
  const ask = async (request: WebdavRequest, expected: readonly number[]): Promise<IncomingMessage> => {
    const answer = await send(request);
    answer.resume();
    const status = answer.statusCode ?? 0;
    if (!expected.includes(status)) throw statusFault(request.method, status);
    return answer;
  };
  const list = async (
    path: string,
    options: { readonly depth: '0' | '1'; readonly signal: AbortSignal },
  ): Promise<string | undefined> => {
    const { depth, signal } = options;
    const body = Buffer.from(PROPERTIES);
    const answer = await send({
      method: 'PROPFIND',
      path,
      headers: { depth, 'content-type': 'application/xml' },
      body: { chunks: oneChunk(body), bytes: body.length },
      signal,
    });
    const content = await textOf(answer);
    if (answer.statusCode === 207) return content;
    if (answer.statusCode === 404) return undefined;
    throw statusFault('PROPFIND', answer.statusCode ?? 0);
  };
  /** Makes one folder. 423: somebody else makes it, or one beside it, at this moment (RFC 4918, 11.3). */
  const makeFolder = async (path: string, signal: AbortSignal, expected: readonly number[]): Promise<number> => {
    for (let tries = 1; ; tries += 1) {
      const isLast = tries === LOCKED_TRIES;
      const { statusCode = 0 } = await ask({ method: 'MKCOL', path, signal }, isLast ? expected : [...expected, 423]);
      if (statusCode !== 423) return statusCode;
      await delay(LOCKED_WAIT_MS * tries, undefined, { signal });
    }
  };
  const makeAll = async (folder: string, signal: AbortSignal): Promise<void> => {
    if (folder === '') return;
    // 405: it is there. 409: the one above is not.
    if ((await makeFolder(folder, signal, [201, 405, 409])) !== 409) return;
    await makeAll(folder.slice(0, Math.max(0, folder.lastIndexOf('/'))), signal);
    await makeFolder(folder, signal, [201, 405]);
  };
  // One after the other: servers lock a folder while they make it, and files that go out together share theirs.
  let making: Promise<unknown> = Promise.resolve();
  const makeFolders = (folder: string, signal: AbortSignal): Promise<void> => {
    const made = making.then(() => makeAll(folder, signal));
    making = made.catch(() => undefined);
    return made;
  };
  const stat = async (path: string, signal: AbortSignal): Promise<TargetFile | undefined> => {
    const { statusCode, headers } = await ask({ method: 'HEAD', path, signal }, [200, 404]);
    if (statusCode === 404) return undefined;
    const { 'last-modified': modified, etag } = headers;
    return {
      bytes: Number(headers['content-length'] ?? 0),
      ...(modified !== undefined && { modifiedAt: new Date(modified) }),
      ...(etag !== undefined && { etag }),
    };
  };
  return {
    classify: classifyWebdav,
    resumeBackBytes: undefined,
    stat,
    isFolder: async (path, signal) => (await list(path, { depth: '0', signal })) !== undefined,
    size: async (path, signal) => (await stat(path, signal))?.bytes,
    makeFolders,
    memory: createPutMemory(MEMORY_BYTES),
    async write({ path, bytes, contentType, chunks, signal, onBytes, giveBack }) {
      let sentBytes = 0;
      const onSent = (chunk: Uint8Array): void => {
        sentBytes += chunk.length;
        onBytes(sentBytes);
        giveBack?.(chunk);
      };
      const body = { chunks, bytes, onSent };
      await ask({ method: 'PUT', path, headers: { 'content-type': contentType }, body, signal }, [200, 201, 204]);
    },
    async *read(path, signal) {
      // Without an encoding its chunks are buffers.
      for await (const chunk of await getFile(send, { path, signal })) yield chunk as Buffer;
    },
    readBack: (path, { bytes, signal }) => readBack(send, { path, bytes, signal }),
    async rename({ from, to, replace, signal }) {
      const headers = { destination: urlOf(to).href, overwrite: replace ? 'T' : 'F' };
      const { statusCode } = await ask({ method: 'MOVE', path: from, headers, signal }, [201, 204, 412]);
      if (statusCode === 412) throw nameTaken(to);
    },
    async remove(path, signal) {
      await ask({ method: 'DELETE', path, signal }, [200, 202, 204, 404]);
    },
    async names(folder, signal) {
      const content = await list(folder, { depth: '1', signal });
      return content === undefined ? [] : namesOf(content);
    },
  };
}

/** A folder of 20,000 files; a server that sends more is not listened to. */
async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Without an encoding its chunks are buffers.
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LIST_LIMIT_BYTES)
      throw new ChannelError('refused', `expected a list below ${LIST_LIMIT_BYTES} bytes, received more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The last segments of all addresses of a multi-status answer. */
function namesOf(content: string): readonly string[] {
  const parser = new SaxesParser({ xmlns: true });
  const names: string[] = [];
  let href: string | undefined;
  parser.on('opentag', ({ local, uri }) => {
    if (local === 'href' && uri === 'DAV:') href = '';
  });
  parser.on('text', (piece) => {
    if (href !== undefined) href += piece;
  });
  parser.on('closetag', ({ local, uri }) => {
    if (local !== 'href' || uri !== 'DAV:' || href === undefined) return;
    const last = href.trim().replace(/\/+$/, '').split('/').at(-1) ?? '';
    names.push(decodeURIComponent(last));
    href = undefined;
  });
  parser.write(content).close();
  return names;
}

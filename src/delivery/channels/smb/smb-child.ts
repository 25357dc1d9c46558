/**
 * The process that has the SMB library and one connection. It takes requests from a socket and waits in each call: nothing else
 * has to run here, and who wants it to stop ends it.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openSmbLibrary, SmbCallError, type SmbLibrary } from './smb-library.ts';
import { FRAME_HEAD_BYTES, frameHead, type SmbReply, type SmbRequest } from './smb-messages.ts';

/** The socket, by its place among the child's streams. */
const SOCKET = 3;
const ENOENT = 2;
/** What is read and hashed at once. */
const PIECE_BYTES = 1024 * 1024;

const EMPTY = Buffer.alloc(0);

/** The other side's own file, not the server's. */
class SourceError extends Error {
  readonly code: string;
  constructor(cause: unknown) {
    super('the source cannot be read', { cause });
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  }
}

type OpenFile = { readonly file: number; at: number; readonly hash: Hash };
type Answer = { readonly reply: SmbReply; readonly body?: Uint8Array };

const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
let bodySpace = Buffer.allocUnsafeSlow(PIECE_BYTES);
let library: SmbLibrary | undefined;
let current: OpenFile | undefined;

for (;;) serve();

function serve(): void {
  const head = receive(Buffer.allocUnsafe(FRAME_HEAD_BYTES));
  const json = receive(Buffer.allocUnsafe(head.readUInt32LE(0)));
  const bodyBytes = head.readUInt32LE(4);
  if (bodyBytes > bodySpace.length) bodySpace = Buffer.allocUnsafeSlow(bodyBytes);
  const body = receive(bodySpace.subarray(0, bodyBytes));
  // The other end is smb-worker.ts, which sends nothing else.
  const request = JSON.parse(json.toString()) as SmbRequest;
  const { reply, body: answer } = answerOf(request, body);
  send(frameHead(reply, answer?.length ?? 0));
  if (answer) send(answer);
  // Who ends this process leaves it no time for that at its end.
  if (request.op === 'connect') flushCompileCache();
}

function answerOf(request: SmbRequest, body: Buffer): Answer {
  try {
    if (request.op === 'connect') {
      library = openSmbLibrary(request.share);
      return statOf(library, '');
    }
    if (!library) throw new Error('expected a connection before anything else');
    return run(library, request, body);
  } catch (error) {
    if (error instanceof SmbCallError) return { reply: { errno: error.errno } };
    if (error instanceof SourceError) return { reply: { sourceFault: error.code } };
    throw error;
  }
}

function run(smb: SmbLibrary, request: Exclude<SmbRequest, { readonly op: 'connect' }>, body: Buffer): Answer {
  switch (request.op) {
    case 'stat':
      return statOf(smb, request.path);
    case 'names':
      return { reply: { names: smb.names(request.path) } };
    case 'makeFolder':
      smb.makeFolder(request.path);
      return { reply: {} };
    case 'remove':
      smb.remove(request.path);
      return { reply: {} };
    case 'rename':
      smb.rename(request.from, request.to);
      return { reply: {} };
    case 'open':
      return open(smb, request);
    case 'close':
      closeCurrent(smb);
      return { reply: {} };
    case 'store':
      return store(smb, request, body);
    default:
      if (!current) throw new Error('expected an open file');
      return runOnFile(smb, { request, body, open: current });
  }
}

type OnFile = Extract<SmbRequest, { readonly op: 'write' | 'copy' | 'read' | 'hash' | 'digest' }>;

function runOnFile(
  smb: SmbLibrary,
  { request, body, open }: { readonly request: OnFile; readonly body: Buffer; readonly open: OpenFile },
): Answer {
  switch (request.op) {
    case 'write':
      smb.write(open.file, body);
      return { reply: {} };
    case 'copy':
      copy(smb, open, request);
      return { reply: {} };
    case 'read': {
      const into = piece.subarray(0, Math.min(request.bytes, PIECE_BYTES));
      return { reply: {}, body: into.subarray(0, smb.read(open.file, into)) };
    }
    case 'hash':
      hashUntil(smb, open, request.until);
      return { reply: {} };
    case 'digest':
      return { reply: { sha256: open.hash.digest('hex'), bytes: open.at } };
  }
}

function statOf(smb: SmbLibrary, path: string): Answer {
  try {
    return { reply: { file: smb.stat(path) } };
  } catch (error) {
    if (error instanceof SmbCallError && error.errno === ENOENT) return { reply: {} };
    throw error;
  }
}

function open(smb: SmbLibrary, { path, how, offset }: Extract<SmbRequest, { readonly op: 'open' }>): Answer {
  closeCurrent(smb);
  const file = smb.open(path, how);
  current = { file, at: 0, hash: createHash('sha256') };
  const bytes = how === 'new' ? 0 : smb.sizeOf(file);
  if (offset > 0) smb.seek(file, offset);
  return { reply: { bytes } };
}

function closeCurrent(smb: SmbLibrary): void {
  if (!current) return;
  const { file } = current;
  current = undefined;
  smb.close(file);
}

function store(smb: SmbLibrary, request: Extract<SmbRequest, { readonly op: 'store' }>, given: Buffer): Answer {
  const body = request.file === undefined ? given : wholeSource(request.file);
  open(smb, { op: 'open', path: request.path, how: 'new', offset: 0 });
  const opened = current;
  if (!opened) throw new Error('expected an open file');
  try {
    smb.write(opened.file, body);
    smb.seek(opened.file, 0);
    // One byte more than were sent: a longer file is another one.
    hashUntil(smb, opened, body.length + 1);
  } catch (error) {
    // An open file cannot be removed. The first fault is the one to tell.
    try {
      closeCurrent(smb);
    } catch {
      throw error;
    }
    throw error;
  }
  const sha256 = opened.hash.digest('hex');
  closeCurrent(smb);
  if (sha256 === request.sha256 && request.rename !== undefined) smb.rename(request.path, request.rename);
  return { reply: { sha256 } };
}

/** A part that is not there any more is left out: what is read back shows it. */
function copy(smb: SmbLibrary, opened: OpenFile, part: Extract<SmbRequest, { readonly op: 'copy' }>): void {
  withSource(part.file, (read) => {
    for (let at = part.from; at < part.until; ) {
      const bytes = read(piece.subarray(0, Math.min(PIECE_BYTES, part.until - at)), at);
      if (bytes === 0) return;
      smb.write(opened.file, piece.subarray(0, bytes));
      at += bytes;
    }
  });
}

function wholeSource(file: string): Buffer {
  return withSource(file, (read, size) => {
    if (size > bodySpace.length) bodySpace = Buffer.allocUnsafeSlow(size);
    let at = 0;
    for (let bytes = 1; bytes > 0 && at < size; at += bytes) bytes = read(bodySpace.subarray(at, size), at);
    return bodySpace.subarray(0, at);
  });
}

function withSource<Result>(
  file: string,
  work: (read: (into: Buffer, at: number) => number, size: number) => Result,
): Result {
  const orSourceError = <Value>(act: () => Value): Value => {
    try {
      return act();
    } catch (error) {
      throw new SourceError(error);
    }
  };
  const source = orSourceError(() => openSync(file, 'r'));
  try {
    const { size } = orSourceError(() => fstatSync(source));
    return work((into, at) => orSourceError(() => readSync(source, into, 0, into.length, at)), size);
  } finally {
    closeSync(source);
  }
}

/** Up to there, or to the end of the file. */
function hashUntil(smb: SmbLibrary, opened: OpenFile, until: number): void {
  while (opened.at < until) {
    const wanted = Math.min(PIECE_BYTES, until - opened.at);
    const read = smb.read(opened.file, piece.subarray(0, wanted));
    opened.hash.update(piece.subarray(0, read));
    opened.at += read;
    if (read < wanted) return;
  }
}

function receive(into: Buffer): Buffer {
  for (let at = 0; at < into.length; ) {
    const read = readSync(SOCKET, into, at, into.length - at, null);
    // The service is gone, or wants no more.
    if (read === 0) process.exit(0);
    at += read;
  }
  return into.length === 0 ? EMPTY : into;
}

function send(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(SOCKET, bytes, at, bytes.length - at);
}

/**
 * Requests of SFTP over a channel of an SSH connection. Bytes of files are sent from where they are, and handed over from the packets
 * that brought them: each further copy is a fresh buffer, and those keep the garbage collector busy for a third of the time.
 */
import type { Duplex } from 'node:stream';
import { KIB } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import type { SftpAnswers } from './sftp-answers.ts';
import { SftpStatusError, sftpStatus } from './sftp-faults.ts';
import {
  ANSWER,
  createAnswerParser,
  encodeMessage,
  type Field,
  FieldReader,
  type FileAttributes,
  PIECE_BYTES_SURE,
  readAttributes,
  REQUEST,
  SFTP_VERSION,
  type Sink,
  STATUS,
} from './sftp-messages.ts';

export type OpenMode = 'read' | 'append' | 'new' | 'new and read';
export type SftpClient = {
  /** Of file data in one request. */
  readonly pieceBytes: { readonly read: number; readonly write: number };
  open(path: string, mode: OpenMode, signal: AbortSignal): Promise<Buffer>;
  /** The server closes it after the requests before; nobody needs to wait for that. */
  closeLater(handle: Buffer): void;
  /** The data must not change before it is answered. */
  write(handle: Buffer, data: Buffer, at: { readonly position: number; readonly signal: AbortSignal }): Promise<void>;
  /** The number of bytes that came, fewer than `length` when the server or the file has no more; 0 at its end. */
  read(
    handle: Buffer,
    part: { readonly position: number; readonly length: number; readonly signal: AbortSignal },
    sink: Sink,
  ): Promise<number>;
  stat(path: string, signal: AbortSignal): Promise<FileAttributes>;
  statHandle(handle: Buffer, signal: AbortSignal): Promise<FileAttributes>;
  makeFolder(path: string, signal: AbortSignal): Promise<void>;
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** `replace` is an extension of OpenSSH, in one step. @throws an error of status 8 when the server has none */
  rename(
    names: { readonly from: string; readonly to: string; readonly replace: boolean },
    signal: AbortSignal,
  ): Promise<void>;
  names(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Undefined when the server does not tell. */
  freeBlocks(path: string, signal: AbortSignal): Promise<number | undefined>;
};

/** The largest request of OpenSSH, less than its packet of 256 KiB. */
const PIECE_BYTES_MAX = 240 * KIB;
const PIECE_BYTES_MIN = 4 * KIB;
/** No request has this id. */
const GREETING = 0;
const MODES: Readonly<Record<OpenMode, number>> = { read: 0x01, append: 0x02, new: 0x1a, 'new and read': 0x1b };
const EXTENSIONS = {
  limits: 'limits@openssh.com',
  rename: 'posix-rename@openssh.com',
  space: 'statvfs@openssh.com',
} as const;

type Answer = { readonly type: number; readonly id: number; readonly fields: FieldReader };
type Waiting = { readonly done: (error: Error | undefined, answer: Answer) => void; readonly sink?: Sink | undefined };
type Request = {
  readonly type: number;
  readonly fields: readonly Field[];
  readonly data?: Buffer;
  readonly sink?: Sink;
  readonly signal: AbortSignal;
};

type Requests = {
  /** The fields of an answer of this type. @throws SftpStatusError, ChannelError */
  ask(request: Request, expected: number): Promise<FieldReader>;
  askOk(request: Request): Promise<void>;
  /** For what nobody waits. */
  tell(request: Omit<Request, 'signal'>): void;
  /** Names of the server's extensions. @throws ChannelError `refused` when it speaks another version */
  greet(signal: AbortSignal): Promise<ReadonlySet<string>>;
};

function createRequests(channel: Duplex, { answers, onBroken }: Omit<SftpTransport, 'signal'>): Requests {
  const waiting = new Map<number, Waiting>();
  let lastId = GREETING;
  const parse = createAnswerParser({
    sinkOf: (id) => waiting.get(id)?.sink,
    onAnswer: ({ type, id, body }) => {
      // The version stands where other answers have the id of their request.
      const key = type === ANSWER.version ? GREETING : id;
      const one = waiting.get(key);
      waiting.delete(key);
      one?.done(undefined, { type, id, fields: new FieldReader(body) });
    },
  });
  channel.on('data', (chunk: Buffer) => {
    try {
      parse(chunk);
    } catch (error) {
      onBroken(error instanceof Error ? error : new Error('expected an error', { cause: error }));
    }
  });
  const nextId = (): number => {
    lastId = (lastId % 0xff_ff_ff_ff) + 1;
    return lastId;
  };
  const send = (id: number, { type, fields, data }: Omit<Request, 'signal'>): void => {
    channel.write(encodeMessage(type, id, fields, data?.length));
    if (data) channel.write(data);
  };
  const ask: Requests['ask'] = async (request, expected) => {
    const { sink } = request;
    const { type, fields } = await answers.of<Answer>(request.signal, (done) => {
      const id = nextId();
      waiting.set(id, { done, sink });
      send(id, request);
    });
    if (type === expected) return fields;
    throw type === ANSWER.status ? statusError(fields) : unexpected(type, expected);
  };
  return {
    ask,
    async askOk(request) {
      const status = statusError(await ask(request, ANSWER.status));
      if (status.code !== STATUS.ok) throw status;
    },
    tell(request) {
      if (channel.writable) send(nextId(), request);
    },
    async greet(signal) {
      const { id: version, fields } = await answers.of<Answer>(signal, (done) => {
        waiting.set(GREETING, { done });
        send(SFTP_VERSION, { type: REQUEST.init, fields: [] });
      });
      if (version !== SFTP_VERSION) {
        throw new ChannelError('refused', `expected SFTP ${SFTP_VERSION}, received SFTP ${version}`);
      }
      const names = new Set<string>();
      for (; !fields.isAtEnd; fields.bytes()) names.add(fields.text());
      return names;
    },
  };
}

type SftpTransport = {
  readonly answers: SftpAnswers;
  readonly signal: AbortSignal;
  /** The server sent what is no SFTP. */
  readonly onBroken: (error: Error) => void;
};

/** Greets the server. @throws ChannelError `refused` when it speaks another version */
export async function openSftpClient(channel: Duplex, transport: SftpTransport): Promise<SftpClient> {
  const { ask, askOk, tell, greet } = createRequests(channel, transport);
  const { signal: opening } = transport;
  const extensions = await greet(opening);
  const pieceBytes = extensions.has(EXTENSIONS.limits)
    ? pieceBytesOf(await ask({ type: REQUEST.extended, fields: [EXTENSIONS.limits], signal: opening }, ANSWER.extended))
    : { read: PIECE_BYTES_SURE, write: PIECE_BYTES_SURE };
  const handleOf = async (request: Request): Promise<Buffer> => (await ask(request, ANSWER.handle)).bytes();
  const closeLater = (handle: Buffer): void => tell({ type: REQUEST.close, fields: [handle] });
  return {
    pieceBytes,
    closeLater,
    open: (path, mode, signal) => handleOf({ type: REQUEST.open, fields: [path, MODES[mode], 0], signal }),
    write: (handle, data, { position, signal }) =>
      askOk({ type: REQUEST.write, fields: [handle, BigInt(position)], data, signal }),
    async read(handle, { position, length, signal }, sink) {
      let received = 0;
      const counting: Sink = (chunk) => {
        received += chunk.length;
        sink(chunk);
      };
      const fields = [handle, BigInt(position), length];
      try {
        await ask({ type: REQUEST.read, fields, sink: counting, signal }, ANSWER.data);
      } catch (error) {
        if (sftpStatus(error) !== STATUS.endOfFile) throw error;
      }
      return received;
    },
    stat: async (path, signal) =>
      readAttributes(await ask({ type: REQUEST.stat, fields: [path], signal }, ANSWER.attributes)),
    statHandle: async (handle, signal) =>
      readAttributes(await ask({ type: REQUEST.fstat, fields: [handle], signal }, ANSWER.attributes)),
    // No attributes: the server's own.
    makeFolder: (path, signal) => askOk({ type: REQUEST.mkdir, fields: [path, 0], signal }),
    remove: (path, signal) => askOk({ type: REQUEST.remove, fields: [path], signal }),
    async rename({ from, to, replace }, signal) {
      if (!replace) return askOk({ type: REQUEST.rename, fields: [from, to], signal });
      if (!extensions.has(EXTENSIONS.rename))
        throw new SftpStatusError(STATUS.unsupported, 'no renaming that replaces');
      return askOk({ type: REQUEST.extended, fields: [EXTENSIONS.rename, from, to], signal });
    },
    async names(folder, signal) {
      const handle = await handleOf({ type: REQUEST.opendir, fields: [folder], signal });
      const names: string[] = [];
      try {
        for (;;) {
          const fields = await ask({ type: REQUEST.readdir, fields: [handle], signal }, ANSWER.name);
          for (let left = fields.uint32(); left > 0; left -= 1) {
            names.push(fields.text());
            fields.bytes();
            readAttributes(fields);
          }
        }
      } catch (error) {
        if (sftpStatus(error) === STATUS.endOfFile) return names;
        throw error;
      } finally {
        closeLater(handle);
      }
    },
    async freeBlocks(path, signal) {
      if (!extensions.has(EXTENSIONS.space)) return undefined;
      const fields = await ask({ type: REQUEST.extended, fields: [EXTENSIONS.space, path], signal }, ANSWER.extended);
      // Sizes of a block, all blocks and free ones come before those that are free for who asks.
      for (let n = 0; n < 4; n += 1) fields.uint64();
      return fields.uint64();
    },
  };
}

/** 0 is no limit told. */
function pieceBytesOf(limits: FieldReader): SftpClient['pieceBytes'] {
  // Of a packet.
  limits.uint64();
  const bytes = (told: number): number =>
    told === 0 ? PIECE_BYTES_SURE : Math.min(PIECE_BYTES_MAX, Math.max(PIECE_BYTES_MIN, told));
  return { read: bytes(limits.uint64()), write: bytes(limits.uint64()) };
}

function statusError(fields: FieldReader): SftpStatusError {
  const code = fields.uint32();
  // Older servers leave the text out.
  return new SftpStatusError(code, fields.isAtEnd ? `status ${code}` : fields.text());
}

const unexpected = (type: number, expected: number): ChannelError =>
  new ChannelError('failed', `expected an SFTP answer of type ${expected}, received one of type ${type}`);

/** Messages of SFTP 3, the version that servers have: https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02 */
import { KIB, MIB } from '../../../base/index.ts';

export const REQUEST = {
  init: 1,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  fstat: 8,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  stat: 17,
  rename: 18,
  extended: 200,
} as const;
export const ANSWER = {
  version: 2,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attributes: 105,
  extended: 201,
} as const;
export const STATUS = { ok: 0, endOfFile: 1, noSuchFile: 2, failure: 4, unsupported: 8 } as const;
export const SFTP_VERSION = 3;
/** Of file data in one request, which every server takes. */
export const PIECE_BYTES_SURE = 32 * KIB;

/** A number is an uint32, a bigint an uint64; text and bytes have their length before them. */
export type Field = number | bigint | string | Uint8Array;

/**
 * A message whose last field may follow it: `following` bytes of file data, whose length is written here.
 * Every message but `init` has an id, which `init` has its version in place of.
 */
export function encodeMessage(type: number, id: number, fields: readonly Field[], following?: number): Buffer {
  const values = fields.map((field) => (typeof field === 'string' ? Buffer.from(field) : field));
  const own = values.reduce<number>((sum, value) => sum + encodedBytes(value), 5 + (following === undefined ? 0 : 4));
  const message = Buffer.allocUnsafe(4 + own);
  message.writeUInt32BE(own + (following ?? 0), 0);
  message.writeUInt8(type, 4);
  message.writeUInt32BE(id, 5);
  let at = 9;
  for (const value of values) {
    if (typeof value === 'bigint') message.writeBigUInt64BE(value, at);
    else message.writeUInt32BE(typeof value === 'number' ? value : value.length, at);
    if (value instanceof Uint8Array) message.set(value, at + 4);
    at += encodedBytes(value);
  }
  if (following !== undefined) message.writeUInt32BE(following, at);
  return message;
}

function encodedBytes(value: Exclude<Field, string>): number {
  if (typeof value === 'bigint') return 8;
  return typeof value === 'number' ? 4 : 4 + value.length;
}

/** What the server sent is no SFTP. */
export class SftpFormatError extends Error {
  override name = 'SftpFormatError';
}

/** The fields of an answer, in their order. @throws SftpFormatError when it ends before its fields do */
export class FieldReader {
  readonly #body: Buffer;
  #at = 0;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#body.length;
  }

  uint32(): number {
    return this.#take(4).readUInt32BE(0);
  }

  /** Sizes of files are far below the numbers that are not exact. */
  uint64(): number {
    return Number(this.#take(8).readBigUInt64BE(0));
  }

  bytes(): Buffer {
    return this.#take(this.uint32());
  }

  text(): string {
    return this.bytes().toString();
  }

  #take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#body.length) {
      throw new SftpFormatError(`expected ${count} more bytes of an answer, received ${this.#body.length - this.#at}`);
    }
    const part = this.#body.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}

export type FileAttributes = {
  /** 0 when the server does not tell. */
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly isFile: boolean;
  readonly isFolder: boolean;
};

const FILE_TYPE = { mask: 0o170_000, folder: 0o040_000, file: 0o100_000 } as const;

export function readAttributes(fields: FieldReader): FileAttributes {
  const flags = fields.uint32();
  const bytes = flags & 1 ? fields.uint64() : 0;
  // User and group.
  if (flags & 2) fields.uint64();
  const type = (flags & 4 ? fields.uint32() : 0) & FILE_TYPE.mask;
  const [, modified] = flags & 8 ? [fields.uint32(), fields.uint32()] : [0, 0];
  const extensions = (flags & 0x80_00_00_00) === 0 ? 0 : fields.uint32();
  for (let n = 0; n < 2 * extensions; n += 1) fields.bytes();
  return {
    bytes,
    modifiedAt: new Date((modified ?? 0) * 1000),
    isFile: type === FILE_TYPE.file,
    isFolder: type === FILE_TYPE.folder,
  };
}

/** Gets the bytes of a file as they arrive. They are overwritten afterwards: whoever needs them later makes a copy. */
export type Sink = (chunk: Uint8Array) => void;
type AnswerEvents = {
  /** Of an answer that brings bytes of a file; undefined when nobody waits for it. */
  readonly sinkOf: (id: number) => Sink | undefined;
  /** Another answer, or the end of one that brought bytes. */
  readonly onAnswer: (answer: { readonly type: number; readonly id: number; readonly body: Buffer }) => void;
};

/** Length, type, id; of `data` also its length. */
const HEAD_BYTES = 9;
const DATA_HEAD_BYTES = HEAD_BYTES + 4;
/** OpenSSH's are at most 256 KiB. */
const ANSWER_BYTES_MAX = MIB;
const NO_BODY = Buffer.alloc(0);

/**
 * Cuts what the server sends into answers. Bytes of files go to their sink from the packets that they came in: they are most of what
 * arrives, and nothing is put together for them. @throws SftpFormatError
 */
export function createAnswerParser({ sinkOf, onAnswer }: AnswerEvents): (chunk: Buffer) => void {
  const head = Buffer.alloc(DATA_HEAD_BYTES);
  let headBytes = 0;
  let headWanted = HEAD_BYTES;
  let left = 0;
  let body: Buffer | undefined;
  let filled = 0;
  let sink: Sink | undefined;

  const begin = (): void => {
    const length = head.readUInt32BE(0);
    const isData = head[4] === ANSWER.data;
    if (length > ANSWER_BYTES_MAX || length < headWanted - 4) {
      throw new SftpFormatError(`expected an answer of up to ${ANSWER_BYTES_MAX} bytes, received one of ${length}`);
    }
    if (isData && headWanted === HEAD_BYTES) {
      headWanted = DATA_HEAD_BYTES;
      return;
    }
    left = length - (headWanted - 4);
    if (isData) {
      const bytes = head.readUInt32BE(HEAD_BYTES);
      if (bytes !== left) throw new SftpFormatError(`expected ${left} bytes of a file, received ${bytes}`);
      sink = sinkOf(head.readUInt32BE(5)) ?? ((): void => {});
    } else {
      body = left === 0 ? NO_BODY : Buffer.allocUnsafe(left);
      filled = 0;
    }
  };
  const end = (): void => {
    const answer = { type: head.readUInt8(4), id: head.readUInt32BE(5), body: body ?? NO_BODY };
    headBytes = 0;
    headWanted = HEAD_BYTES;
    body = undefined;
    sink = undefined;
    onAnswer(answer);
  };
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (headBytes < headWanted) {
        head[headBytes] = chunk[at] ?? 0;
        headBytes += 1;
        at += 1;
        if (headBytes < headWanted) continue;
        begin();
        if (headBytes === headWanted && left === 0) end();
        continue;
      }
      const take = Math.min(left, chunk.length - at);
      const part = chunk.subarray(at, at + take);
      if (sink) sink(part);
      else body?.set(part, filled);
      filled += take;
      left -= take;
      at += take;
      if (left === 0) end();
    }
  };
}

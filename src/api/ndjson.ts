import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError, KIB, MIB } from '../base/index.ts';

/** A line that is not blank. `line` counts from 1, blank ones included; `text` is missing when `fault` says why. */
export type NdjsonLine = {
  readonly index: number;
  readonly line: number;
  readonly bytes: number;
  readonly text: string;
  readonly fault?: AppError;
};

/** Lines in a temporary file, which has no name any more: it is gone with the process at the latest. */
export type NdjsonSpool = {
  readonly count: number;
  /** All lines from the first on. */
  lines(): AsyncGenerator<NdjsonLine, void, undefined>;
  close(): Promise<void>;
};

const NEWLINE = 0x0a;
const READ_BYTES = 256 * KIB;
/** Beyond it, the rest of a refused body is not worth the wait. */
const MAX_DISCARDED_BYTES = 256 * MIB;

/** Cuts bytes into lines as they arrive; holds no more of one than is allowed. */
function createLineSplitter(maxLineBytes: number) {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let line = 0;
  let index = 0;

  const add = (piece: Buffer): void => {
    bytes += piece.length;
    if (bytes <= maxLineBytes) pieces.push(piece);
    else pieces = [];
  };
  const finish = (): NdjsonLine | undefined => {
    line += 1;
    const [buffer, length] = [Buffer.concat(pieces), bytes];
    pieces = [];
    bytes = 0;
    const at = { index, line, bytes: length };
    if (length > maxLineBytes) {
      const fault = new AppError('payload_too_large', `expected a line of at most ${maxLineBytes} bytes`);
      index += 1;
      return { ...at, text: '', fault };
    }
    const valid = isUtf8(buffer);
    const text = buffer
      .toString('utf8')
      .replace(/^\uFEFF/u, '')
      .trim();
    if (text === '') return undefined;
    index += 1;
    return valid ? { ...at, text } : { ...at, text: '', fault: new AppError('malformed_json', 'expected UTF-8') };
  };

  return {
    push(chunk: Buffer): NdjsonLine[] {
      const lines: NdjsonLine[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        add(chunk.subarray(from, at));
        from = at + 1;
        const found = finish();
        if (found) lines.push(found);
      }
      add(chunk.subarray(from));
      return lines;
    },
    end(): NdjsonLine[] {
      const found = bytes === 0 ? undefined : finish();
      return found ? [found] : [];
    },
  };
}

/**
 * Stores a body of newline-delimited JSON (https://github.com/ndjson/ndjson-spec) before anything of it is used, so that it
 * can be read more than once, and a client that sends all before it reads an answer is not waited for in turn.
 * @throws AppError `payload_too_large` for a body of too many bytes or lines, `upload_incomplete` when the client goes away
 */
export async function spoolNdjson(
  body: Readable,
  options: {
    readonly folder: string;
    readonly maxBytes: number;
    readonly maxLines: number;
    readonly maxLineBytes: number;
    /** Told of each line as it arrives. */
    readonly onLine: (line: NdjsonLine) => void;
  },
): Promise<NdjsonSpool> {
  const { maxBytes, maxLines, maxLineBytes, onLine } = options;
  const path = join(options.folder, `${randomUUID()}.ndjson`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  const splitter = createLineSplitter(maxLineBytes);
  let bytes = 0;
  let count = 0;
  const take = (lines: readonly NdjsonLine[]): void => {
    for (const line of lines) {
      count += 1;
      if (count <= maxLines) onLine(line);
    }
  };
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Read to the end, so that the client sees why its request is refused.
      if (bytes > maxBytes + MAX_DISCARDED_BYTES) break;
      if (bytes > maxBytes || count > maxLines) continue;
      take(splitter.push(chunk));
      await file.write(chunk);
    }
    take(splitter.end());
    if (bytes > maxBytes) throw new AppError('payload_too_large', `expected a body of at most ${maxBytes} bytes`);
    if (count > maxLines) throw new AppError('payload_too_large', `expected at most ${maxLines} lines, received more`);
  } catch (error) {
    await file.close();
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (body.errored !== error && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
    throw new AppError('upload_incomplete', 'The body ended before it was complete.', { cause: error });
  }
  return {
    count,
    async *lines() {
      const again = createLineSplitter(maxLineBytes);
      const stream = file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
      // Without an encoding a stream of a file gives buffers.
      for await (const chunk of stream as AsyncIterable<Buffer>) yield* again.push(chunk);
      yield* again.end();
    },
    close: () => file.close(),
  };
}

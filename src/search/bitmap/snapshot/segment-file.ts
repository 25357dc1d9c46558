import { type FileHandle, open, rename } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { MIB } from '../../../base/index.ts';
import {
  newSection,
  type Section,
  type SegmentData,
  type SegmentMeta,
  type SectionType,
  typeOfSection,
} from '../segment/sections.ts';

/**
 * A segment as a file: `TLSEG002`, the length of the head and its CRC-32 as 32-bit numbers, the head as JSON, then the
 * sections one after the other, each at a multiple of 8 bytes; numbers as the processor has them (little endian on all that
 * Node runs on). The head has the CRC-32 of each section.
 */
const MAGIC = Buffer.from('TLSEG002');
const START_BYTES = MAGIC.length + 8;
const PIECE_BYTES = 8 * MIB;

type Head = {
  readonly size: number;
  readonly meta: SegmentMeta;
  readonly sections: readonly {
    readonly name: string;
    readonly type: SectionType;
    readonly length: number;
    readonly crc32: number;
  }[];
};

const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

function bytesOfSection(section: Section): Buffer {
  return Buffer.from(section.buffer, section.byteOffset, section.byteLength);
}

/** Between pieces other requests run: a checksum of a gigabyte takes half a second. */
async function checksum(bytes: Buffer): Promise<number> {
  let sum = 0;
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    sum = crc32(bytes.subarray(from, from + PIECE_BYTES), sum);
    await new Promise(setImmediate);
  }
  return sum;
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, from, Math.min(PIECE_BYTES, bytes.length - from));
    from += bytesWritten;
  }
}

/** Writes a segment under a temporary name, brings it to disk, and gives it its name: a file of this name is whole. */
export async function writeSegmentFile(path: string, data: SegmentData): Promise<void> {
  const entries = Object.entries(data.sections);
  const sections: Head['sections'][number][] = [];
  for (const [name, section] of entries) {
    const crc = await checksum(bytesOfSection(section));
    sections.push({ name, type: typeOfSection(section), length: section.length, crc32: crc });
  }
  const head = Buffer.from(JSON.stringify({ size: data.size, meta: data.meta, sections } satisfies Head));
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w');
  try {
    const start = Buffer.alloc(padded(START_BYTES + head.length));
    MAGIC.copy(start);
    start.writeUInt32LE(head.length, MAGIC.length);
    start.writeUInt32LE(crc32(head), MAGIC.length + 4);
    head.copy(start, START_BYTES);
    await writeAll(file, start);
    for (const [, section] of entries) {
      const bytes = bytesOfSection(section);
      await writeAll(file, bytes);
      await writeAll(file, Buffer.alloc(padded(bytes.length) - bytes.length));
    }
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

async function readExactly(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let from = 0; from < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, from, Math.min(PIECE_BYTES, bytes.length - from), position + from);
    if (bytesRead === 0) throw new RangeError('a segment file ends too early');
    from += bytesRead;
  }
}

/** @throws RangeError when the file is not a segment, or not what was written */
export async function readSegmentFile(path: string): Promise<SegmentData> {
  const file = await open(path, 'r');
  try {
    const start = Buffer.alloc(START_BYTES);
    await readExactly(file, start, 0);
    if (!start.subarray(0, MAGIC.length).equals(MAGIC)) throw new RangeError('this is not a segment file');
    const headLength = start.readUInt32LE(MAGIC.length);
    const { size: fileBytes } = await file.stat();
    if (headLength > fileBytes) throw new RangeError('a segment file ends too early');
    const head = Buffer.alloc(headLength);
    await readExactly(file, head, start.length);
    if (crc32(head) !== start.readUInt32LE(MAGIC.length + 4))
      throw new RangeError('the head of a segment file is damaged');
    // Written by writeSegmentFile, and still what was written.
    const { size, meta, sections } = JSON.parse(head.toString('utf8')) as Head;
    let position = padded(start.length + headLength);
    const read: Record<string, Section> = {};
    for (const one of sections) {
      const section = newSection(one.type, one.length);
      const bytes = bytesOfSection(section);
      await readExactly(file, bytes, position);
      if ((await checksum(bytes)) !== one.crc32)
        throw new RangeError(`section ${one.name} of a segment file is damaged`);
      read[one.name] = section;
      position += padded(bytes.length);
    }
    return { size, meta, sections: read };
  } finally {
    await file.close();
  }
}

/** EXIF (CIPA DC-008, a TIFF structure) cleaned in place: same length, so that it can stay where it is in a file. */

/** Bytes a value of each TIFF type takes. */
const TYPE_BYTES: Readonly<Record<number, number>> = {
  1: 1,
  2: 1,
  3: 2,
  4: 4,
  5: 8,
  6: 1,
  7: 1,
  8: 2,
  9: 4,
  10: 8,
  11: 4,
  12: 8,
};

const ENTRY_BYTES = 12;
const MAX_ENTRIES = 1000;

const EXIF_IFD = 0x8769;
/** Entries that can hold the place, or a small picture from before the crop: GPS, XMP, Photoshop, maker notes, DNG private data. */
const REMOVED: ReadonlySet<number> = new Set([0x8825, 0x02bc, 0x8649, 0x927c, 0xc634]);
const POINTS_TO_IFD: ReadonlySet<number> = new Set([0x8825]);

type Entry = {
  readonly at: number;
  readonly tag: number;
  readonly value: number;
  readonly external?: [number, number];
};

function reader(tiff: Buffer) {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const setU16 = (at: number, value: number) =>
    isLittle ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at);
  const entries = (ifd: number): Entry[] => {
    const count = u16(ifd);
    if (count > MAX_ENTRIES) throw new RangeError(`expected at most ${MAX_ENTRIES} entries, received ${count}`);
    return Array.from({ length: count }, (_, index) => {
      const at = ifd + 2 + index * ENTRY_BYTES;
      const bytes = (TYPE_BYTES[u16(at + 2)] ?? 1) * u32(at + 4);
      const value = u32(at + 8);
      return { at, tag: u16(at), value, ...(bytes > 4 && { external: [value, value + bytes] as [number, number] }) };
    });
  };
  return { u16, u32, setU16, entries };
}

/**
 * Removes place, maker notes, previews and the thumbnail from a TIFF structure, in place.
 * @throws RangeError when it is not well formed; then nothing of it is to be kept
 */
export function cleanTiff(tiff: Buffer): void {
  const { u32, setU16, entries } = reader(tiff);
  const erase = ([from, to]: readonly [number, number]) => {
    if (from < 8 || to > tiff.length) throw new RangeError('expected values inside of the EXIF block');
    tiff.fill(0, from, to);
  };
  const eraseIfd = (ifd: number) => {
    const list = entries(ifd);
    const valueOf = (tag: number) => list.find((entry) => entry.tag === tag)?.value ?? 0;
    for (const { external } of list) if (external) erase(external);
    // JPEGInterchangeFormat and its length: the thumbnail.
    if (valueOf(0x0201) > 0) erase([valueOf(0x0201), valueOf(0x0201) + valueOf(0x0202)]);
    erase([ifd, ifd + 2 + list.length * ENTRY_BYTES]);
  };
  const cleanIfd = (ifd: number, isFirst: boolean) => {
    const list = entries(ifd);
    const end = ifd + 2 + list.length * ENTRY_BYTES;
    const next = u32(end);
    const kept = list
      .filter(({ tag }) => !REMOVED.has(tag))
      .map(({ at }) => Buffer.from(tiff.subarray(at, at + ENTRY_BYTES)));
    for (const { tag, value, external } of list) {
      if (tag === EXIF_IFD && isFirst) cleanIfd(value, false);
      if (!REMOVED.has(tag)) continue;
      if (POINTS_TO_IFD.has(tag)) eraseIfd(value);
      else if (external) erase(external);
    }
    if (next > 0) eraseIfd(next);
    tiff.fill(0, ifd + 2, end + 4);
    setU16(ifd, kept.length);
    kept.forEach((entry, index) => entry.copy(tiff, ifd + 2 + index * ENTRY_BYTES));
  };
  cleanIfd(u32(4), true);
}

/** Where the TIFF structure begins: EXIF blocks of JPEG have a short head before it. */
export const tiffOffset = (exif: Buffer) => (exif.toString('latin1', 0, 6) === 'Exif\0\0' ? 6 : 0);

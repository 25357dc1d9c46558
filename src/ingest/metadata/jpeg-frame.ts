export type JpegFrame = { readonly width: number; readonly height: number; readonly lossless: boolean };

/**
 * The frame header of a JPEG (ITU-T T.81, B.2.2): its size, and whether the coding is lossless (SOF3, 7, 11, 15), which no
 * viewer shows. Undefined when the bytes are no JPEG or end before the frame header.
 */
export function jpegFrame(data: Buffer): JpegFrame | undefined {
  if (data.length < 4 || data.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < data.length) {
    if (data[at] !== 0xff) return undefined;
    const marker = data[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // C4 (Huffman tables), C8 (reserved) and CC (arithmetic conditioning) share the range of the frame headers.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7), lossless: (marker & 3) === 3 };
    }
    if (marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + data.readUInt16BE(at + 2);
  }
  return undefined;
}

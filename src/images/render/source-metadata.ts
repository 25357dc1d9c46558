/** `meta=all`: EXIF, IPTC and XMP of the original pass, but never the place, previews or maker notes. */
import { crc32 } from 'node:zlib';

import sharp, { type Sharp } from 'sharp';

import type { ImageFormat } from '../parameters/index.ts';
import { creditExif, hasCredit, withCredit } from './credit.ts';
import { cleanTiff, tiffOffset } from './exif.ts';
import { openSource, type Reading } from './pixels.ts';
import type { Credit, ImageSource } from './request.ts';
import { cleanXmp } from './xmp.ts';

export type SourceMetadata = {
  /** Lets everything through a step. */
  keep(image: Sharp): Sharp;
  /** Writes what may be written. */
  describe(image: Sharp): Sharp;
  /** The encoded answer without what must not be in it. Undefined when that cannot be had for sure. */
  clean(bytes: Buffer, format: ImageFormat): Promise<Buffer | undefined>;
};

const EMPTY_XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta>';

const PNG_HEAD_BYTES = 8;
const XMP_KEYWORD = 'XML:com.adobe.xmp\0';

/** A PNG whose only text is XMP: other ones can hold anything. Checksums are written anew, since EXIF has changed. */
function cleanPng(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, PNG_HEAD_BYTES)];
  for (let at = PNG_HEAD_BYTES; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    const isXmp = bytes.toString('latin1', at + 8, at + 8 + XMP_KEYWORD.length) === XMP_KEYWORD;
    if (isXmp || !['tEXt', 'zTXt', 'iTXt'].includes(type)) {
      const chunk = bytes.subarray(at, end);
      if (type === 'eXIf') chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
      parts.push(chunk);
    }
    at = end;
  }
  return Buffer.concat(parts);
}

async function cleanEncoded(encoded: Buffer, format: ImageFormat): Promise<Buffer | undefined> {
  const bytes = Buffer.from(encoded);
  const { exif } = await sharp(bytes).metadata();
  if (exif) {
    const tiff = exif.subarray(tiffOffset(exif));
    const at = bytes.indexOf(tiff);
    if (at < 0) return undefined;
    try {
      cleanTiff(bytes.subarray(at, at + tiff.length));
    } catch {
      // Not well formed: what it holds is not known.
      return undefined;
    }
  }
  return format === 'png' ? cleanPng(bytes) : bytes;
}

/** What an original says of itself, and how an answer says the same. */
export async function readSourceMetadata(
  source: ImageSource,
  { credit, ...reading }: Reading & { readonly credit: Credit | undefined },
): Promise<SourceMetadata> {
  const { xmp, depth } = await openSource(source, reading).metadata();
  const text = xmp && cleanXmp(xmp.toString('utf8'), credit);
  // Profiles are never kept, since colours become sRGB. sharp's way to keep the rest spoils 16-bit colours.
  const keep = (image: Sharp) =>
    depth === 'uchar' ? image.keepMetadata().withIccProfile('srgb', { attach: false }) : image.keepExif().keepXmp();
  return {
    keep,
    describe(image) {
      if (!text)
        return withCredit(keep(image), undefined)
          .withExifMerge(hasCredit(credit) ? creditExif(credit) : {})
          .withXmp(EMPTY_XMP);
      const described = keep(image).withXmp(text);
      return hasCredit(credit) ? described.withExifMerge(creditExif(credit)) : described;
    },
    clean: cleanEncoded,
  };
}

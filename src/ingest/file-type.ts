/**
 * What a file is, told from its first bytes and never from its name: a name is chosen by the uploader, and a playlist, a
 * page or a script called .jpg must not reach a decoder.
 */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'heic' | 'avif' | 'raw';
export type VideoFormat = 'mp4' | 'mov' | 'mxf';

export type DetectedType = {
  readonly kind: 'photo' | 'video';
  readonly format: PhotoFormat | VideoFormat;
  readonly mimeType: string;
  /** Usual file name extension, without the dot. */
  readonly extension: string;
  /** A TIFF structure that may be a camera's RAW (NEF, ARW, DNG, PEF): only the metadata step can tell. */
  readonly maybeRaw?: true;
};

const photo = (format: PhotoFormat, mimeType: string, extension: string): DetectedType => ({
  kind: 'photo',
  format,
  mimeType,
  extension,
});
const video = (format: VideoFormat, mimeType: string, extension: string): DetectedType => ({
  kind: 'video',
  format,
  mimeType,
  extension,
});

const JPEG = photo('jpeg', 'image/jpeg', 'jpg');
const PNG = photo('png', 'image/png', 'png');
const GIF = photo('gif', 'image/gif', 'gif');
const WEBP = photo('webp', 'image/webp', 'webp');
const HEIC = photo('heic', 'image/heic', 'heic');
const AVIF = photo('avif', 'image/avif', 'avif');
const TIFF: DetectedType = { ...photo('tiff', 'image/tiff', 'tif'), maybeRaw: true };
/** BigTIFF (version 43): no camera writes RAW in it. */
const BIG_TIFF = photo('tiff', 'image/tiff', 'tif');
const CR2 = photo('raw', 'image/x-canon-cr2', 'cr2');
const CR3 = photo('raw', 'image/x-canon-cr3', 'cr3');
const RAF = photo('raw', 'image/x-fuji-raf', 'raf');
const ORF = photo('raw', 'image/x-olympus-orf', 'orf');
const RW2 = photo('raw', 'image/x-panasonic-rw2', 'rw2');
const MP4 = video('mp4', 'video/mp4', 'mp4');
const MOV = video('mov', 'video/quicktime', 'mov');
const MXF = video('mxf', 'application/mxf', 'mxf');

/** ISO 14496-12 brands, as registered at mp4ra.org; still pictures of ISO 23008-12 come before video brands. */
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs']);
const AVIF_BRANDS = new Set(['avif', 'avis']);
const MP4_BRANDS = new Set(
  (
    'isom iso2 iso3 iso4 iso5 iso6 iso7 iso8 iso9 mp41 mp42 mp71 avc1 hvc1 av01 dash cmfc M4V M4VH M4VP f4v MSNV XAVC ' +
    'NDSC NDSH NDSM NDSP NDSS NDXC 3gp4 3gp5 3gp6 3gp7 3g2a 3g2b 3g2c mmp4 pana niko CAEP GoPr'
  ).split(' '),
);

/** A `ftyp` box lists its brands in its first bytes; 64 of them is far more than any writer uses. */
const MAX_BRANDS = 64;

/**
 * The type of a file from its first bytes (4 to 64 KiB suffice), or undefined for everything that is neither a photo nor a
 * video this library takes: pages, SVG, PDF, archives, playlists, programs.
 */
export function detectFileType(head: Buffer): DetectedType | undefined {
  if (head.length < 12) return undefined;
  const ascii = (start: number, end: number) => head.toString('latin1', start, end);
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return JPEG;
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return PNG;
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return GIF;
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return WEBP;
  if (ascii(0, 15) === 'FUJIFILMCCD-RAW') return RAF;
  return detectTiff(head) ?? detectIsoMedia(head) ?? detectMxf(head);
}

/** TIFF 6.0 header, and the RAW formats that replace its version number 42 by one of their own. */
function detectTiff(head: Buffer): DetectedType | undefined {
  const order = head.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return undefined;
  const version = head.toString('latin1', 2, 4);
  if (version === 'RO' || version === 'RS' || version === 'OR' || version === 'SR') return ORF;
  const number = order === 'II' ? head.readUInt16LE(2) : head.readUInt16BE(2);
  if (order === 'II' && number === 0x55) return RW2;
  if (number === 43) return BIG_TIFF;
  if (number !== 42) return undefined;
  return head.toString('latin1', 8, 10) === 'CR' ? CR2 : TIFF;
}

function detectIsoMedia(head: Buffer): DetectedType | undefined {
  const boxType = head.toString('latin1', 4, 8);
  if (boxType !== 'ftyp') return isClassicQuickTime(head, boxType) ? MOV : undefined;
  const brands = readBrands(head);
  const major = brands[0] ?? '';
  if (major === 'crx') return CR3;
  if (AVIF_BRANDS.has(major)) return AVIF;
  if (HEIC_BRANDS.has(major)) return HEIC;
  if (major === 'mif1' || major === 'msf1' || major === 'mif2' || major === 'miaf') {
    // The generic still-picture brands leave the codec to the compatible brands.
    if (brands.some((brand) => AVIF_BRANDS.has(brand))) return AVIF;
    return brands.some((brand) => HEIC_BRANDS.has(brand)) ? HEIC : undefined;
  }
  if (major === 'qt') return MOV;
  if (brands.some((brand) => MP4_BRANDS.has(brand))) return MP4;
  return brands.includes('qt') ? MOV : undefined;
}

function readBrands(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length, 16 + 4 * MAX_BRANDS);
  const brandAt = (at: number) => head.toString('latin1', at, at + 4).trimEnd();
  const brands = [brandAt(8)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(brandAt(at));
  return brands;
}

/** QuickTime before `ftyp` existed: the file opens with one of these boxes, and the next box is one of them too. */
function isClassicQuickTime(head: Buffer, boxType: string): boolean {
  const known = new Set(['moov', 'mdat', 'wide', 'free', 'skip', 'pnot']);
  if (!known.has(boxType)) return false;
  if (boxType === 'moov' || boxType === 'mdat') {
    // A size of 0 (to the end) or 1 (64-bit) is legal; a text that happens to carry the word gives a wild size.
    return boxType === 'mdat' || ['mvhd', 'cmov', 'rmra', 'udta'].includes(head.toString('latin1', 12, 16));
  }
  const next = head.readUInt32BE(0);
  return next >= 8 && next + 8 <= head.length && known.has(head.toString('latin1', next + 4, next + 8));
}

/** SMPTE ST 377-1: the key of a partition pack. Cameras write no run-in before it. */
const MXF_PARTITION_KEY = Buffer.from('060e2b34020501010d01020101', 'hex');

function detectMxf(head: Buffer): DetectedType | undefined {
  return head.subarray(0, MXF_PARTITION_KEY.length).equals(MXF_PARTITION_KEY) ? MXF : undefined;
}

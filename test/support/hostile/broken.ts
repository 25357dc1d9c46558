/** Pictures whose headers lie, whose data unpacks to far more than it is, or whose parts are not what they say. */
import { deflateSync } from 'node:zlib';
import { extendedHeader, gif, pictureChunk, riff, webp } from './animations.ts';
import { AFTER_IHDR, insert, noise, patch, png, pngChunk, pngHeader, text, u16be, u32be, zlibZeros } from './bytes.ts';
import {
  exifBlock,
  type ExifEntry,
  exifSegment,
  headersOnly,
  manyScans,
  profileSegments,
  segment,
  SOI,
  withFrameByte,
  withSegments,
  withSize,
} from './jpeg.ts';
import { circle, manyDirectories, stripBomb, tiff } from './tiff.ts';

type Files = Readonly<Record<string, Buffer>>;

/** What a header says of the sides: the largest a format knows, more than may be, and nothing. */
const SIDES = [
  [65_535, 65_535],
  [30_000, 30_000],
  [12_300, 12_300],
  [12_000, 12_000],
  [65_500, 1],
  [1, 65_500],
  [0, 0],
] as const;

export function lies(jpeg: Buffer, progressive: Buffer, png8: Buffer, lossy: Buffer, avif: Buffer): Files {
  const files: Record<string, Buffer> = {};
  for (const [width, height] of SIDES) {
    const sides = `${width} x ${height}`;
    files[`JPEG of ${sides}`] = withSize(jpeg, width, height);
    files[`progressive JPEG of ${sides}`] = withSize(progressive, width, height);
    files[`PNG of ${sides}`] = Buffer.concat([pngHeader({ width, height, colour: 6 }), png8.subarray(AFTER_IHDR)]);
    files[`interlaced PNG of ${sides}`] = png({ width, height, colour: 6, interlaced: true }, zlibZeros(1));
    files[`TIFF of ${sides}`] = tiff({ width, height, samples: 3, photometric: 2 }, noise(3000, 20));
    files[`GIF of ${sides}`] = gif({ width, height, frames: 1 });
    const canvas = extendedHeader(Math.max(1, width), Math.max(1, height), 0);
    files[`WebP of ${sides}`] = riff(canvas, pictureChunk(lossy));
    const ispe = avif.indexOf('ispe');
    files[`AVIF of ${sides}`] = patch(avif, ispe + 8, Buffer.concat([u32be(width), u32be(height)]));
  }
  return files;
}

export function bombs(): Files {
  return {
    'PNG of 144 MP of zeros': png({ width: 12_000, height: 12_000, colour: 0, depth: 1 }, zlibZeros(18)),
    'PNG of 144 MP of zeros in colour': png({ width: 12_000, height: 12_000, colour: 6 }, zlibZeros(550)),
    'interlaced PNG of 144 MP of zeros': png(
      { width: 12_000, height: 12_000, colour: 6, interlaced: true },
      zlibZeros(550),
    ),
    'PNG of few pixels and a gigabyte of data': png({ width: 100, height: 100 }, zlibZeros(1024)),
    'PNG with a text of a gigabyte': png({ width: 8, height: 8 }, zlibZeros(1), [
      pngChunk('zTXt', Buffer.concat([text('Comment\0\0'), zlibZeros(1024)])),
    ]),
    'PNG with an international text of a gigabyte': png({ width: 8, height: 8 }, zlibZeros(1), [
      pngChunk('iTXt', Buffer.concat([text('XML:com.adobe.xmp\0\u0001\0\0\0'), zlibZeros(1024)])),
    ]),
    'PNG with a profile of a gigabyte': png({ width: 8, height: 8 }, zlibZeros(1), [
      pngChunk('iCCP', Buffer.concat([text('profile\0\0'), zlibZeros(1024)])),
    ]),
    'PNG of 20,000 texts': png(
      { width: 8, height: 8 },
      zlibZeros(1),
      Array.from({ length: 20_000 }, (_, n) => pngChunk('tEXt', text(`key${n}\0value`))),
    ),
    'TIFF of 144 MP in one strip': stripBomb({ width: 12_000, height: 12_000, samples: 3, photometric: 2 }),
    'TIFF of 144 MP of 16 bits in one strip': stripBomb({
      width: 12_000,
      height: 12_000,
      samples: 4,
      bits: 16,
      photometric: 2,
    }),
    'TIFF of 8 pixels in a strip of a gigabyte': tiff({ width: 8, height: 8, compression: 8 }, zlibZeros(1024)),
    'JPEG of 20,000 scans over 12 MP': manyScans({ width: 4000, height: 3000, scans: 20_000 }),
    'JPEG of 5,000 scans over few pixels': manyScans({ width: 320, height: 240, scans: 5000 }),
    'JPEG of 100 scans over 144 MP': manyScans({ width: 12_000, height: 12_000, scans: 100 }),
  };
}

export function animations(stillWebp: Buffer, size: { readonly width: number; readonly height: number }): Files {
  const still = { chunk: pictureChunk(stillWebp), ...size };
  const few = { chunk: still.chunk, width: size.width, height: size.height };
  return {
    'GIF of 10,000 frames': gif({ width: 64, height: 64, frames: 10_000 }),
    'GIF of 5,000 frames': gif({ width: 64, height: 64, frames: 5000 }),
    'GIF of 500 frames': gif({ width: 64, height: 64, frames: 500 }),
    'GIF with a huge canvas': gif({ width: 65_535, height: 65_535, frames: 3 }),
    'GIF whose frames lie outside': gif({ width: 64, height: 64, frames: 3, left: 60_000 }),
    'GIF without frames': gif({ width: 64, height: 64, frames: 0 }),
    'WebP of 10,000 frames': webp({ width: 200, height: 200, frames: 10_000, still }),
    'WebP of 1,000 frames': webp({ width: 200, height: 200, frames: 1000, still }),
    'WebP with a huge canvas': webp({ width: 16_384, height: 16_384, frames: 2, still }),
    'WebP with a large canvas': webp({ width: 9000, height: 9000, frames: 30, still }),
    'WebP whose frames lie outside': webp({ width: 200, height: 200, frames: 3, left: 60_000, still }),
    'WebP whose frames have another size': webp({
      width: 200,
      height: 200,
      frames: 3,
      still: { ...few, width: size.width + 9 },
    }),
    'WebP without frames': webp({ width: 200, height: 200, frames: 0, still }),
  };
}

export function structures(): Files {
  const grey = { width: 64, height: 64 };
  const data = noise(4096, 30);
  return {
    'TIFF whose directories are a circle': circle(),
    'TIFF whose directory names itself': tiff(grey, data, 8),
    'TIFF whose next directory is outside': tiff(grey, data, 0x7fff_ffff),
    'TIFF of 300,000 directories': manyDirectories(300_000),
    'TIFF of 4,000 directories': manyDirectories(4000),
    'TIFF with a million values of strips': tiff({ ...grey, more: [[330, 8, 1_000_000]] }, data),
    'TIFF whose strips are the file': tiff({ ...grey, more: [[273, 0, 4_000_000]] }, data),
    'TIFF with directories below itself': tiff({ ...grey, more: [[330, 8]] }, data),
    'TIFF whose EXIF is itself': tiff({ ...grey, more: [[34_665, 8]] }, data),
    'TIFF of 255 samples': tiff({ ...grey, samples: 255 }, data),
    'TIFF of 65,535 samples': tiff({ ...grey, samples: 65_535 }, data),
    'TIFF of 0 samples': tiff({ ...grey, samples: 0 }, data),
    'TIFF of 64 bits': tiff({ ...grey, bits: 64 }, data),
    'TIFF of 3 bits': tiff({ ...grey, bits: 3 }, data),
    'TIFF of an unknown compression': tiff({ ...grey, compression: 40_000 }, data),
    'TIFF of JPEG that is none': tiff({ ...grey, compression: 7 }, data),
    'TIFF of LZW that is none': tiff({ ...grey, compression: 5 }, data),
    'TIFF of fax that is none': tiff({ ...grey, bits: 1, compression: 4 }, data),
    'TIFF of PackBits that is none': tiff({ ...grey, compression: 32_773 }, data),
    'TIFF of no rows in a strip': tiff({ ...grey, rowsPerStrip: 0 }, data),
    'TIFF of tiles without size': tiff(
      {
        ...grey,
        more: [
          [322, 0],
          [323, 0],
          [324, 8],
          [325, 64],
        ],
      },
      data,
    ),
    'TIFF of huge tiles': tiff(
      {
        ...grey,
        more: [
          [322, 65_520],
          [323, 65_520],
          [324, 8],
          [325, 64],
        ],
      },
      data,
    ),
    'TIFF with a profile outside': tiff({ ...grey, more: [[34_675, 0x7fff_0000, 500_000, 7]] }, data),
    'BigTIFF with a place beyond 2^53': Buffer.concat([text('II+\0\u0008\0\0\0'), Buffer.alloc(8, 0xff), data]),
  };
}

export function profiles(jpeg: Buffer): Files {
  const claiming = (length: number, profile = noise(400, 40)) => patch(profile, 0, u32be(length));
  return {
    'JPEG with a profile of noise': withSegments(jpeg, ...profileSegments(noise(2000, 41))),
    'JPEG with an empty profile': withSegments(jpeg, ...profileSegments(Buffer.alloc(0))),
    'JPEG with a profile of 16 MB': withSegments(jpeg, ...profileSegments(noise(16_000_000, 42))),
    'JPEG with a profile that claims 4 GB': withSegments(jpeg, ...profileSegments(claiming(0xffff_ffff))),
    'JPEG with parts of a profile missing': withSegments(jpeg, ...profileSegments(noise(2000, 43), { total: 200 })),
    'JPEG with a profile of part 0 of 0': withSegments(jpeg, segment(0xe2, text('ICC_PROFILE\0\0\0'))),
    'PNG with a profile of noise': png({ width: 8, height: 8 }, zlibZeros(1), [
      pngChunk('iCCP', Buffer.concat([text('p\0\0'), deflateSync(noise(3000, 44))])),
    ]),
  };
}

export function exif(jpeg: Buffer): Files {
  const files: Record<string, Buffer> = {};
  const add = (name: string, entries: readonly ExifEntry[], nextAt = 0) => {
    files[`EXIF with ${name}`] = withSegments(jpeg, exifSegment(exifBlock(entries, nextAt)));
  };
  for (const orientation of [0, 2, 5, 6, 8, 9, 255, 65_535])
    add(`orientation ${orientation}`, [[0x112, 3, 1, orientation]]);
  add('an orientation of text', [[0x112, 2, 5, 0x3636_3636]]);
  add('an orientation of a million values', [[0x112, 3, 1_000_000, 8]]);
  add('two orientations', [
    [0x112, 3, 1, 6],
    [0x112, 3, 1, 8],
  ]);
  add('a directory that names itself', [[0x8769, 4, 1, 8]]);
  add('a next directory that is the first', [[0x112, 3, 1, 6]], 8);
  add('a next directory outside', [[0x112, 3, 1, 6]], 0x7fff_ffff);
  add('a text of 4 GB', [[0x13b, 2, 0xffff_ffff, 8]]);
  add('an unknown type', [[0x112, 99, 1, 6]]);
  add('GPS that is itself', [[0x8825, 4, 1, 8]]);
  add('a preview outside', [
    [0x201, 4, 1, 0x7fff_0000],
    [0x202, 4, 1, 0x7fff_0000],
  ]);
  files['EXIF of 65,535 entries in few bytes'] = withSegments(
    jpeg,
    exifSegment(patch(exifBlock([[0x112, 3, 1, 6]]), 8, Buffer.from([0xff, 0xff]))),
  );
  files['EXIF in 2,000 segments'] = withSegments(
    jpeg,
    ...Array.from({ length: 2000 }, (_, n) => exifSegment(exifBlock([[0x112, 3, 1, (n % 8) + 1]]))),
  );
  return files;
}

/** `jpeg` is of baseline. */
export function oddities(jpeg: Buffer, png8: Buffer): Files {
  const small = { width: 64, height: 64 };
  const idat = deflateSync(Buffer.alloc(64 * (64 * 3 + 1), 60));
  const starts = {
    JPEG: 'ffd8ff',
    PNG: '89504e470d0a1a0a',
    GIF: '474946383961',
    WebP: '524946460000000057454250',
    TIFF: '49492a00',
    AVIF: '0000001c6674797061766966',
  };
  return {
    nothing: Buffer.alloc(0),
    'one byte': Buffer.from([0xff]),
    ...Object.fromEntries(
      Object.entries(starts).map(([name, hex]) => [`the first bytes of ${name}`, Buffer.from(hex, 'hex')]),
    ),
    'JPEG of 12 bits': withFrameByte(jpeg, 4, 12),
    'JPEG of 16 bits': withFrameByte(jpeg, 4, 16),
    'JPEG with arithmetic coding': withFrameByte(jpeg, 1, 0xc9),
    'JPEG without loss': withFrameByte(jpeg, 1, 0xc3),
    'JPEG of differences': withFrameByte(jpeg, 1, 0xc5),
    'JPEG said to be progressive': withFrameByte(jpeg, 1, 0xc2),
    'JPEG of 255 components': withFrameByte(jpeg, 9, 255),
    'JPEG of 0 components': withFrameByte(jpeg, 9, 0),
    'JPEG of sampling 15:15': withFrameByte(jpeg, 11, 0xff),
    'JPEG of sampling 0:0': withFrameByte(jpeg, 11, 0),
    'JPEG without tables': headersOnly(0, 64, 64),
    'JPEG in colours one by one, of 144 MP': headersOnly(2, 12_000, 12_000),
    'JPEG of 600,000 comments': withSegments(jpeg, Buffer.alloc(2_400_000, segment(0xfe, Buffer.alloc(0)))),
    'JPEG of a megabyte of 0xFF': Buffer.concat([SOI, Buffer.alloc(1 << 20, 0xff), jpeg.subarray(2)]),
    'JPEG with a restart at each block': withSegments(jpeg, segment(0xdd, u16be(1))),
    'JPEG of starts': Buffer.concat([...Array.from({ length: 5000 }, () => SOI), jpeg]),
    'PNG of no data': png(small, Buffer.alloc(0)),
    'PNG of data that is no zlib': png(small, noise(500, 50)),
    'PNG of half of its data': png(small, deflateSync(Buffer.alloc(6000))),
    'PNG with a wrong checksum': patch(png8, 29, Buffer.from([0, 0, 0, 0])),
    'PNG of depth 3': png({ ...small, depth: 3 }, idat),
    'PNG of colour 5': png({ ...small, colour: 5 }, idat),
    'PNG of a palette without palette': png({ ...small, colour: 3 }, idat),
    'PNG of a palette of 0 colours': png({ ...small, colour: 3 }, idat, [pngChunk('PLTE', Buffer.alloc(0))]),
    'PNG with two headers': insert(png8, AFTER_IHDR, png8.subarray(8, AFTER_IHDR)),
    'PNG with a chunk of 2 GB': insert(png8, AFTER_IHDR, u32be(0x7fff_ffff), text('aaAa')),
    'PNG with transparency of 1,000 entries': png({ ...small, colour: 3 }, idat, [
      pngChunk('PLTE', noise(6, 51)),
      pngChunk('tRNS', noise(1000, 52)),
    ]),
    'PNG of 100,000 pieces': Buffer.concat([
      pngHeader(small),
      ...Array.from({ length: 100_000 }, () => pngChunk('IDAT', Buffer.alloc(0))),
      pngChunk('IEND', Buffer.alloc(0)),
    ]),
    'animated PNG of 4,000,000,000 frames': insert(
      png8,
      AFTER_IHDR,
      pngChunk('acTL', Buffer.concat([u32be(4_000_000_000), u32be(0)])),
    ),
    'WebP whose length is wrong': Buffer.concat([
      text('RIFF'),
      Buffer.alloc(4, 0xff),
      text('WEBPVP8 '),
      noise(300, 53),
    ]),
    'WebP of lossless noise': riff(Buffer.concat([text('VP8L'), Buffer.from([100, 1, 0, 0, 0x2f]), noise(355, 54)])),
    'AVIF of boxes in boxes': Buffer.concat([
      Buffer.from('0000001c667479706176696600000000617669666d6966316d696166', 'hex'),
      ...Array.from({ length: 20_000 }, () => Buffer.concat([u32be(0x7fff_ffff), text('meta'), u32be(0)])),
    ]),
  };
}

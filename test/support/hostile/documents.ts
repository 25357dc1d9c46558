/** What is no photograph, and what is one and something else too. */
import { deflateSync, gzipSync } from 'node:zlib';
import { noise, text, u32be } from './bytes.ts';
import { segment, withSegments } from './jpeg.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><rect width="100" height="100"/></svg>';

const BILLION_LAUGHS = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">${Array.from(
  { length: 9 },
  (_, n) => {
    const before = String.fromCharCode(97 + n);
    return `<!ENTITY ${String.fromCharCode(98 + n)} "${`&${before};`.repeat(10)}">`;
  },
).join('')}]><svg xmlns="http://www.w3.org/2000/svg"><text>&j;</text></svg>`;

const ZIP = Buffer.concat([text('PK\u0003\u0004'), noise(400, 5), text('PK\u0005\u0006'), Buffer.alloc(18)]);

/** Each named like a photograph by whoever sends it. */
export const documents: Readonly<Record<string, Buffer>> = {
  SVG: text(SVG),
  'SVG that loads a file': text(SVG.replace('<rect', '<image href="file:///etc/passwd" width="9" height="9"/><rect')),
  'SVG of a billion laughs': text(BILLION_LAUGHS),
  'compressed SVG': gzipSync(text(SVG)),
  'XML with an outer entity': text(
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  ),
  HTML: text('<!doctype html><html><body><script>alert(1)</script></body></html>'),
  PDF: text('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'),
  PostScript: text('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n(/etc/passwd) (r) file\nshowpage\n'),
  MVG: text(
    'push graphic-context\nviewbox 0 0 640 480\nfill \'url(https://127.0.0.1/"|ls "-la)\'\npop graphic-context\n',
  ),
  MSL: text('<?xml version="1.0"?><image><read filename="/etc/passwd"/><write filename="/tmp/a.png"/></image>'),
  ZIP: ZIP,
  'gzip of zeros': gzipSync(Buffer.alloc(5_000_000)),
  program: Buffer.concat([text('\u007fELF'), noise(300, 6)]),
  script: text('#!/bin/sh\nrm -rf /\n'),
  PPM: Buffer.concat([text('P6\n65535 65535\n255\n'), noise(300, 7)]),
  PFM: Buffer.concat([text('PF\n100 100\n-1.0\n'), noise(300, 8)]),
  Radiance: text('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 60000 +X 60000\n'),
  FITS: text('SIMPLE  =                    T / a picture of stars'.padEnd(2880)),
  OpenEXR: Buffer.concat([Buffer.from('762f310102000000', 'hex'), noise(300, 9)]),
  VIPS: Buffer.concat([Buffer.from('08f2a6b6', 'hex'), noise(300, 10)]),
  BMP: Buffer.concat([text('BM'), noise(300, 11)]),
  icon: Buffer.concat([Buffer.from('00000100010010100000', 'hex'), noise(300, 12)]),
  Photoshop: Buffer.concat([text('8BPS\0\u0001'), noise(300, 13)]),
  'JPEG XL': Buffer.concat([Buffer.from('ff0a', 'hex'), noise(300, 14)]),
  'JPEG 2000': Buffer.concat([Buffer.from('0000000c6a5020200d0a870a', 'hex'), noise(300, 15)]),
  MATLAB: text('MATLAB 5.0 MAT-file, Platform: GLNXA64'.padEnd(200)),
  CSV: text('1,2,3\n4,5,6\n7,8,9\n'.repeat(40)),
  playlist: text('#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n'),
  'random bytes': noise(4000, 16),
  zeros: Buffer.alloc(4000),
};

/** Pictures that other programs take for something else, and pictures with something behind or before them. */
export function polyglots(pictures: Readonly<Record<'jpeg' | 'png' | 'gif' | 'webp' | 'tiff' | 'avif', Buffer>>) {
  const { jpeg, png, gif, webp, tiff, avif } = pictures;
  const script = text('*/=1;alert(document.domain);/*');
  return {
    'JPEG and ZIP': Buffer.concat([jpeg, ZIP]),
    'JPEG and HTML': Buffer.concat([jpeg, text('<html><script>alert(1)</script></html>')]),
    'JPEG with a script in its comment': withSegments(jpeg, segment(0xfe, text('<?php system($_GET["c"]); ?>'))),
    'JPEG and archive of PHP': withSegments(jpeg, segment(0xfe, text('<?php __HALT_COMPILER(); ?>'.padEnd(200)))),
    'JPEG behind HTML': Buffer.concat([text('<html><!--'), jpeg]),
    'JPEG behind PDF': Buffer.concat([text('%PDF-1.7\n'), jpeg]),
    'two JPEGs': Buffer.concat([jpeg, jpeg]),
    'GIF and script': Buffer.concat([text('GIF89a'), script.subarray(0, 7), gif.subarray(13), script]),
    'GIF and ZIP': Buffer.concat([gif, ZIP]),
    'PNG and a megabyte behind it': Buffer.concat([png, noise(1 << 20, 17)]),
    'PNG and PDF': Buffer.concat([png, text('%PDF-1.7\n1 0 obj << >> endobj')]),
    'WebP and HTML': Buffer.concat([webp, text('<html></html>')]),
    'TIFF and ZIP': Buffer.concat([tiff, ZIP]),
    'AVIF and another box': Buffer.concat([avif, u32be(16), text('free'), Buffer.alloc(8)]),
    'AVIF said to be HEIC': Buffer.concat([avif.subarray(0, 8), text('heic'), avif.subarray(12)]),
    'PNG signature before JPEG': Buffer.concat([png.subarray(0, 8), jpeg]),
    'JPEG marker before PNG': Buffer.concat([jpeg.subarray(0, 3), png]),
    'zlib data': deflateSync(jpeg),
  } satisfies Readonly<Record<string, Buffer>>;
}

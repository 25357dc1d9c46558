import { describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { syntheticDng } from '../../test/fixtures/photos/synthetic-dng.ts';
import { detectFileType } from './file-type.ts';

const picture = () => sharp({ create: { width: 20, height: 10, channels: 3, background: '#287' } });

function isoFile(major: string, ...compatible: string[]): Buffer {
  const brands = Buffer.from(`${major}\0\0\0\0${compatible.join('')}`, 'latin1');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + brands.length, 0);
  head.write('ftyp', 4, 'latin1');
  return Buffer.concat([head, brands, Buffer.alloc(32)]);
}

describe('photos told by their first bytes', () => {
  test.each(['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif'] as const)('a real %s file is recognised', async (format) => {
    const file = await picture().toFormat(format).toBuffer();
    expect(detectFileType(file)).toMatchObject({ kind: 'photo', format });
  });

  test.each([
    ['Canon CR2', Buffer.from('49492a00100000004352020000000000', 'hex'), 'cr2'],
    ['Canon CR3', isoFile('crx ', 'crx ', 'isom'), 'cr3'],
    ['Fujifilm RAF', Buffer.from('FUJIFILMCCD-RAW 0201FF383501'), 'raf'],
    ['Olympus ORF', Buffer.from('4949524f080000000000000000000000', 'hex'), 'orf'],
    ['Panasonic RW2', Buffer.from('49495500180000000000000000000000', 'hex'), 'rw2'],
  ])('%s is camera RAW', (_name, head, extension) => {
    expect(detectFileType(head)).toMatchObject({ kind: 'photo', format: 'raw', extension });
  });

  test('a DNG looks like any TIFF and is left to the metadata step', () => {
    const dng = syntheticDng({ width: 8, height: 8, orientation: 1, color: () => [1, 2, 3] });
    expect(detectFileType(dng)).toMatchObject({ format: 'tiff', maybeRaw: true });
  });

  test('the generic still-picture brand is HEIC or AVIF by its compatible brands', () => {
    expect(detectFileType(isoFile('heic', 'mif1'))?.format).toBe('heic');
    expect(detectFileType(isoFile('mif1', 'mif1', 'heic'))?.format).toBe('heic');
    expect(detectFileType(isoFile('mif1', 'mif1', 'avif'))?.format).toBe('avif');
    expect(detectFileType(isoFile('mif1', 'mif1', 'jpeg'))).toBeUndefined();
  });
});

describe('videos told by their first bytes', () => {
  test('the major and compatible brands tell MP4 from QuickTime', () => {
    expect(detectFileType(isoFile('isom', 'iso2', 'avc1', 'mp41'))?.format).toBe('mp4');
    expect(detectFileType(isoFile('XAVC', 'XAVC', 'mp42'))?.format).toBe('mp4');
    expect(detectFileType(isoFile('qt  ', 'qt  '))?.format).toBe('mov');
  });

  test('a QuickTime file from before brands is recognised by two boxes in a row', () => {
    const classic = Buffer.from('00000008776964650000100a6d646174', 'hex');
    expect(detectFileType(classic)?.format).toBe('mov');
  });

  test('an MXF partition pack is recognised', () => {
    const mxf = Buffer.from('060e2b34020501010d0102010102040083000000', 'hex');
    expect(detectFileType(mxf)).toMatchObject({ kind: 'video', format: 'mxf' });
  });
});

describe('files that are neither photo nor video', () => {
  test.each([
    ['a page', '<!doctype html><html><body>hello</body></html>'],
    ['an SVG drawing', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a PDF', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj'],
    ['a zip archive', 'PK\x03\x04\x14\x00\x00\x00\x08\x00aaaaaaaaaaaa'],
    ['a playlist', '#EXTM3U\n#EXT-X-VERSION:3\nfile:///etc/passwd\n'],
    ['a concat script', 'ffconcat version 1.0\nfile secret.mp4\n'],
    ['a program', '\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00'],
    ['a Windows program', 'MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff'],
    ['a script', '#!/bin/sh\nrm -rf ./tmp\n'],
    ['plain text that starts like TIFF', 'II is a Roman numeral'],
    ['text with a box name', 'the moov atom holds it all'],
    ['a sound file in RIFF', 'RIFF\x24\x00\x00\x00WAVEfmt '],
    ['an M4A song', isoFile('M4A ', 'M4A ').toString('latin1')],
  ])('%s is refused', (_name, text) => {
    expect(detectFileType(Buffer.from(text, 'latin1'))).toBeUndefined();
  });

  test('a file of a few bytes is refused', () => {
    expect(detectFileType(Buffer.alloc(0))).toBeUndefined();
    expect(detectFileType(Buffer.from([0xff, 0xd8, 0xff]))).toBeUndefined();
  });

  test('a brand list that claims to be longer than the file ends with the file', () => {
    const lying = isoFile('abcd', 'efgh');
    lying.writeUInt32BE(0xffffffff, 0);
    expect(detectFileType(lying)).toBeUndefined();
  });
});

import sharp from 'sharp';
import { describe, expect, test } from 'vitest';

import { colourAt, drawn, expectNear, type Rgb } from '../../../test/support/pictures.ts';
import { renderWith } from '../../../test/support/render.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer();
const FORMATS = ['jpeg', 'webp', 'avif', 'png'] as const;

/** Colours that sRGB has, so that any way through another profile comes back to them. */
const PATCHES: readonly Rgb[] = [
  [200, 40, 40],
  [40, 160, 60],
  [50, 70, 190],
  [128, 128, 128],
  [240, 200, 160],
  [20, 20, 20],
];

const patches = () => drawn(240, 40, (x) => PATCHES[Math.floor(x * PATCHES.length)] ?? [0, 0, 0]);

async function expectPatches(bytes: Buffer, tolerance: number) {
  const { depth, hasProfile, space } = await sharp(bytes).metadata();
  expect([depth, hasProfile, space]).toEqual(['uchar', false, 'srgb']);
  for (const [index, colour] of PATCHES.entries()) {
    expectNear((await colourAt(bytes, (index + 0.5) / PATCHES.length, 0.5)).slice(0, 3), colour, tolerance);
  }
}

/** IEC 61966-2-1, and the same curve is that of Display P3. */
const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const encoded = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** Display P3 (D65) to linear sRGB; CSS Color 4, section 18. */
const P3_TO_SRGB: readonly Rgb[] = [
  [1.2249401, -0.2249404, 0],
  [-0.0420569, 1.0420571, 0],
  [-0.0196376, -0.0786361, 1.0982735],
];

const srgbOfP3 = (colour: Rgb) => {
  const channels = colour.map((value) => linear(value / 255));
  return P3_TO_SRGB.map((row) => {
    const sum = row.reduce((total, factor, index) => total + factor * (channels[index] ?? 0), 0);
    return Math.round(255 * encoded(Math.min(1, Math.max(0, sum))));
  });
};

/** A matrix profile (ICC.1:2010, 2.4) of Adobe RGB (1998): its primaries adapted to D50, gamma 563/256, all as published. */
function adobeRgbProfile(): Buffer {
  const fixed = (value: number) => Math.round(value * 65536);
  const xyz = (x: number, y: number, z: number) => {
    const tag = Buffer.alloc(20);
    tag.write('XYZ ', 0, 'latin1');
    [x, y, z].forEach((value, index) => tag.writeInt32BE(fixed(value), 8 + 4 * index));
    return tag;
  };
  const curve = Buffer.alloc(16);
  curve.write('curv', 0, 'latin1');
  curve.writeUInt32BE(1, 8);
  curve.writeUInt16BE(0x0233, 12);
  const text = Buffer.alloc(24);
  text.write('text', 0, 'latin1');
  text.write('test', 8, 'latin1');
  const description = Buffer.alloc(100);
  description.write('desc', 0, 'latin1');
  description.writeUInt32BE(5, 8);
  description.write('test', 12, 'latin1');
  const tags: readonly (readonly [string, Buffer])[] = [
    ['desc', description],
    ['cprt', text],
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.60974, 0.31111, 0.01947)],
    ['gXYZ', xyz(0.20528, 0.62567, 0.06087)],
    ['bXYZ', xyz(0.14919, 0.06322, 0.74457)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  const head = Buffer.alloc(128 + 4 + tags.length * 12);
  let at = head.length;
  tags.forEach(([name, data], index) => {
    const entry = 132 + index * 12;
    head.write(name, entry, 'latin1');
    head.writeUInt32BE(at, entry + 4);
    head.writeUInt32BE(data.length, entry + 8);
    at += data.length;
  });
  head.writeUInt32BE(tags.length, 128);
  head.writeUInt32BE(at, 0);
  head.writeUInt32BE(0x02400000, 8);
  for (const [where, word] of [
    [12, 'mntr'],
    [16, 'RGB '],
    [20, 'XYZ '],
    [36, 'acsp'],
  ] as const) {
    head.write(word, where, 'latin1');
  }
  [0.9642, 1, 0.8249].forEach((value, index) => head.writeInt32BE(fixed(value), 68 + 4 * index));
  return Buffer.concat([head, ...tags.map(([, data]) => data)]);
}

/** A JPEG with a profile put into it (ICC.1:2010, annex B.4) that says what its numbers mean. */
function withProfile(jpeg: Buffer, profile: Buffer): Buffer {
  const head = Buffer.concat([Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.from([1, 1])]);
  const marker = Buffer.from([0xff, 0xe2, 0, 0]);
  marker.writeUInt16BE(2 + head.length + profile.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), marker, head, profile, jpeg.subarray(2)]);
}

const srgbOfAdobe = (colour: Rgb) => {
  const [r = 0, g = 0, b = 0] = colour.map((value) => (value / 255) ** (563 / 256));
  // Adobe RGB (1998) to linear sRGB, both D65.
  const rows = [1.39836 * r - 0.39836 * g, g, -0.04293 * g + 1.04293 * b];
  return rows.map((value) => Math.round(255 * encoded(Math.min(1, Math.max(0, value)))));
};

const plain = async (colour: Rgb) => {
  const [r = 0, g = 0, b = 0] = colour;
  return sharp({ create: { width: 64, height: 64, channels: 3, background: { r, g, b } } });
};

describe('colours become sRGB', () => {
  test.each(FORMATS)('from Display P3, in %s', async (fmt) => {
    const source = await patches().withIccProfile('p3').png().toBuffer();
    await expectPatches((await renderWith(renderer, source, { fmt, q: '95' })).bytes, 9);
  });

  test('from Display P3 by its published matrix', async () => {
    for (const colour of [
      [180, 90, 60],
      [60, 150, 90],
      [200, 200, 80],
    ]) {
      // The numbers are P3's: a picture of them gets P3's profile without any conversion.
      const p3 = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
        .withIccProfile('p3')
        .jpeg()
        .toBuffer();
      const { icc } = await sharp(p3).metadata();
      if (!icc) throw new Error('expected a profile');
      const jpeg = await (await plain(colour)).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
      const { bytes } = await renderWith(renderer, withProfile(jpeg, icc), { fmt: 'png' });
      expectNear(await colourAt(bytes, 0.5, 0.5), srgbOfP3(colour), 4);
    }
  });

  test('from Adobe RGB by its published matrix', async () => {
    const profile = adobeRgbProfile();
    for (const colour of [
      [180, 90, 60],
      [90, 150, 100],
      [128, 128, 128],
      [250, 200, 180],
    ]) {
      const jpeg = await (await plain(colour)).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
      for (const query of [{}, { w: '16' }, { w: '20', h: '20', f: 'nw' }, { rot: '90', blur: '20' }]) {
        const { bytes } = await renderWith(renderer, withProfile(jpeg, profile), { fmt: 'png', ...query });
        expectNear(await colourAt(bytes, 0.5, 0.5), srgbOfAdobe(colour), 4);
      }
    }
  });

  test.each(['srgb', 'p3'])('from 16 bits a channel with a profile of %s', async (profile) => {
    for (const format of ['png', 'tiff'] as const) {
      const source = await patches()
        .toColourspace('rgb16')
        .withIccProfile(profile)
        .toFormat(format, { compression: 'lzw' })
        .toBuffer();
      expect((await sharp(source).metadata()).depth).toBe('ushort');
      for (const query of [{}, { w: '120' }, { flip: 'v' }, { redact: 'faces' }]) {
        const faces = [{ x: 0.9, y: 0, w: 0.01, h: 0.01, score: 1 }];
        await expectPatches((await renderWith(renderer, source, { fmt: 'png', ...query }, { faces })).bytes, 3);
      }
    }
  });

  test('from 16 bits a channel without a profile', async () => {
    const source = await patches().toColourspace('rgb16').png().toBuffer();
    await expectPatches((await renderWith(renderer, source, { fmt: 'png' })).bytes, 2);
  });

  test.each(['with', 'without'])('from CMYK %s a profile', async (which) => {
    const jpeg = await patches().toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 100 }).toBuffer();
    // Without the profile the numbers are the same, and the profile that is assumed for print is this one.
    const source =
      which === 'with'
        ? jpeg
        : await sharp(jpeg).pipelineColourspace('cmyk').toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer();
    const facts = await sharp(source).metadata();
    expect([facts.space, facts.hasProfile]).toEqual(['cmyk', which === 'with']);
    const { bytes } = await renderWith(renderer, source, { fmt: 'png' });
    const { hasProfile, space } = await sharp(bytes).metadata();
    expect([hasProfile, space]).toEqual([false, 'srgb']);
    // What print has too comes back about as it was (there and back by a small profile); saturated blue and green do not.
    for (const index of [0, 3, 4, 5]) {
      const seen = await colourAt(bytes, (index + 0.5) / PATCHES.length, 0.5);
      expectNear(seen, PATCHES[index] ?? [], 22);
    }
  });

  test('from grey, with 8 and 16 bits and with transparency', async () => {
    const grey = drawn(60, 20, (x) => (x < 0.5 ? [90, 90, 90] : [200, 200, 200])).greyscale();
    for (const [source, space] of [
      [await grey.clone().toColourspace('b-w').jpeg({ quality: 100 }).toBuffer(), 'b-w'],
      [await grey.clone().toColourspace('grey16').png().toBuffer(), 'grey16'],
      [await grey.clone().toColourspace('b-w').ensureAlpha(0.5).png().toBuffer(), 'b-w'],
    ] as const) {
      expect((await sharp(source).metadata()).space).toBe(space);
      for (const query of [{}, { rot: '180', flip: 'h' }, { blur: '0.3' }]) {
        const { bytes } = await renderWith(renderer, source, { fmt: 'png', ...query });
        expect(Math.abs(((await colourAt(bytes, 0.2, 0.5))[0] ?? 0) - 90)).toBeLessThan(3);
        expect(Math.abs(((await colourAt(bytes, 0.8, 0.5))[0] ?? 0) - 200)).toBeLessThan(3);
      }
    }
  });

  test('with transparency, which JPEG shows on white and the others keep', async () => {
    const source = await drawn(40, 40, () => [200, 40, 40, 128])
      .withIccProfile('p3')
      .png()
      .toBuffer();
    expectNear(
      await colourAt((await renderWith(renderer, source, { fmt: 'jpeg' })).bytes, 0.5, 0.5),
      [227, 147, 147],
      4,
    );
    for (const fmt of ['png', 'webp', 'avif']) {
      const { bytes } = await renderWith(renderer, source, { fmt, q: '95' });
      expectNear(await colourAt(bytes, 0.5, 0.5), [200, 40, 40, 128], 8);
    }
  });

  test('a profile that is no profile is ignored', async () => {
    const jpeg = await patches().jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
    const { bytes } = await renderWith(renderer, withProfile(jpeg, Buffer.alloc(200, 7)), { fmt: 'png' });
    await expectPatches(bytes, 4);
  });
});

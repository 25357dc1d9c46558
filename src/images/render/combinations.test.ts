import * as fc from 'fast-check';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';

import { drawn, quarters } from '../../../test/support/pictures.ts';
import { renderWith } from '../../../test/support/render.ts';
import { planRender } from '../plan.ts';
import { parseRecipe } from '../recipe.ts';
import { createRenderer } from './renderer.ts';

const renderer = createRenderer();
const FACES = [
  { x: 0.3, y: 0.1, w: 0.2, h: 0.2, score: 0.99 },
  { x: 0.9, y: 0.8, w: 0.3, h: 0.3, score: 0.5 },
];

const sources: { readonly bytes: Buffer; readonly width: number; readonly height: number }[] = [];
let mark: Buffer;
beforeAll(async () => {
  mark = await sharp({ create: { width: 80, height: 40, channels: 4, background: '#fff' } })
    .png()
    .toBuffer();
  const add = async (bytes: Buffer) => {
    const { autoOrient, width, pageHeight } = await sharp(bytes).metadata();
    sources.push({ bytes, width: autoOrient.width || width, height: pageHeight ?? autoOrient.height });
  };
  const jpeg = await quarters(240, 160).jpeg().toBuffer();
  await add(jpeg);
  await add(await sharp(jpeg).withMetadata({ orientation: 5 }).toBuffer());
  await add(await sharp(jpeg).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer());
  await add(await quarters(240, 160).toColourspace('rgb16').withIccProfile('p3').png().toBuffer());
  await add(await quarters(240, 160).greyscale().toColourspace('grey16').png().toBuffer());
  await add(await quarters(90, 60).greyscale().toColourspace('b-w').ensureAlpha(0.4).png().toBuffer());
  await add(
    await drawn(90, 60, (x) => [255, 0, 0, Math.round(x * 255)])
      .webp()
      .toBuffer(),
  );
  await add(await quarters(1, 1).png().toBuffer());
  await add(await quarters(200, 2).png().toBuffer());
  const frames = await Promise.all(
    ['#f00', '#0f08'].map((background) =>
      sharp({ create: { width: 61, height: 37, channels: 4, background } })
        .png()
        .toBuffer(),
    ),
  );
  await add(
    await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
  );
});

const some = (...values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
const often = (...values: readonly string[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 3 });
const QUERY = fc.record({
  w: often('1', '7', '40', '333'),
  h: often('1', '7', '40', '333'),
  fit: some('cover', 'contain', 'inside', 'outside', 'fill'),
  f: some('face', 'faces', 'attention', 'entropy', 'nw', 'fp:0.9:0.1'),
  z: some('0.5', '1'),
  up: some('1'),
  rect: some('0.1,0.2,0.5,0.5'),
  rot: some('90', '180', '270'),
  flip: some('h', 'v', 'hv'),
  bg: some('fff', 'f008', '0000'),
  blur: some('0.3', '3', '100'),
  sharp: some('0.3', '10'),
  redact: some('faces', 'faces:pixel'),
  wm: some('mark'),
  fmt: often('jpeg', 'webp', 'avif', 'png'),
  q: some('5', '100', 'auto'),
  maxbytes: some('1000', '20000'),
  anim: some('1'),
  meta: some('all', 'none'),
});

test('every combination has the size that was planned, whatever the source', async () => {
  const watermark = { image: mark, position: 'se', opacity: 0.5, scale: 0.3, margin: 0.1, version: '1' } as const;
  await fc.assert(
    fc.asyncProperty(fc.nat(), QUERY, async (which, given) => {
      const source = sources[which % sources.length];
      if (!source) throw new Error('expected a source');
      const query = Object.fromEntries(
        Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      const recipe = parseRecipe(query);
      const { output } = planRender({ recipe, source, faces: FACES, focal: undefined });
      const effects = recipe.watermark === undefined ? {} : { watermark };
      const image = await renderWith(renderer, source.bytes, query, {
        faces: FACES,
        effects,
        credit: { artist: 'Ana' },
      });
      const { width, height, pageHeight = height, depth, hasProfile } = await sharp(image.bytes).metadata();
      expect({ width, height: pageHeight }).toEqual({ width: image.width, height: image.height });
      expect({ depth, hasProfile, damaged: image.damaged }).toEqual({
        depth: 'uchar',
        hasProfile: false,
        damaged: false,
      });
      // Only a limit on bytes makes an answer smaller than planned.
      if (recipe.maxBytes === undefined) expect({ width, height: pageHeight }).toEqual(output);
      else expect(width).toBeLessThanOrEqual(output.width);
    }),
    { numRuns: 150 },
  );
}, 60_000);

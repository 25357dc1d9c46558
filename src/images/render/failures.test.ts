import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';

import { AppError, createPermits } from '../../base/index.ts';
import { planRender } from '../plan.ts';
import { parseRecipe } from '../recipe.ts';
import { affordableFormat } from './limits.ts';
import { createRenderer, type Renderer } from './renderer.ts';

const ASTRONAUT = fileURLToPath(new URL('../../../test/fixtures/faces/astronaut.png', import.meta.url));

const renderer: Renderer = createRenderer();
let photo: Buffer;
beforeAll(async () => {
  photo = await sharp(ASTRONAUT).jpeg().toBuffer();
});

const planFor = (query: Record<string, string>, width: number, height: number) =>
  planRender({ recipe: parseRecipe(query), source: { width, height }, faces: [], focal: undefined });

/** The colour at a place given in fractions of the picture, 8 bits a channel. */
async function colourAt(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * info.channels;
  return [...data.subarray(at, at + info.channels)];
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const refusalOf = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => new Error('expected a refusal'),
    (reason: unknown) => reason,
  );
  if (error instanceof AppError) return error;
  throw error;
};

/** A PNG that claims a size and brings almost no data. */
function claimingPng(width: number, height: number): Buffer {
  const crcTable = Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });
  const crc = (bytes: Buffer) =>
    (bytes.reduce((c, byte) => (crcTable[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(crc(body));
    return Buffer.concat([head, body, tail]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('hostile and damaged files', () => {
  test('a header that claims 40,000 x 40,000 pixels is refused before any pixel is read', async () => {
    const plan = planFor({ w: '100' }, 40_000, 40_000);
    const error = await refusalOf(renderer.render({ source: claimingPng(40_000, 40_000), plan, format: 'jpeg' }));
    expect(error.code).toBe('file_limits_exceeded');
    expect(error.message).toContain('150,000,000');
  });

  test('of a JPEG that breaks off, what there is is shown, and said to be damaged', async () => {
    const plan = planFor({ w: '200', h: '200', f: 'center' }, 512, 512);
    const half = photo.subarray(0, Math.floor(photo.length * 0.6));
    const image = await renderer.render({ source: half, plan, format: 'jpeg' });
    expect(image).toMatchObject({ width: 200, height: 200, damaged: true });
    const good = await renderer.render({ source: photo, plan, format: 'jpeg' });
    expect(good.damaged).toBe(false);
    // The part before the break is the picture's own.
    expect(await colourAt(image.bytes, 0.5, 0.2)).toEqual(await colourAt(good.bytes, 0.5, 0.2));
  });

  test('a file that cannot be read at all is refused as damaged', async () => {
    const plan = planFor({}, 8, 8);
    const headOnly = photo.subarray(0, 30);
    const error = await refusalOf(renderer.render({ source: headOnly, plan, format: 'jpeg' }));
    expect(error.code).toBe('file_damaged');
  });

  test("a file that is not there is our fault, not the picture's", async () => {
    const plan = planFor({}, 8, 8);
    const error = await renderer
      .render({ source: '/nowhere/at/all.jpg', plan, format: 'jpeg' })
      .catch((e: unknown) => e);
    expect(error).not.toBeInstanceOf(AppError);
    expect(String(error)).toContain('missing');
  });

  test('a picture that takes longer than allowed is given up', async () => {
    const impatient = createRenderer({ timeoutSeconds: 1 });
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const source = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#345', noise } })
      .jpeg()
      .toBuffer();
    // 64 MP of noise as PNG: several seconds on any machine. Written by hand, since no recipe enlarges.
    const large = { width: 8000, height: 8000 };
    const plan = { source: { width: 1000, height: 1000 }, resize: large, output: large, focus: 'none' };
    const error = await refusalOf(impatient.render({ source, plan, format: 'png' }));
    expect(error.code).toBe('file_limits_exceeded');
  });
});

describe('permits', () => {
  test('a full line is refused at once as overloaded, and bytes are loaded only with a permit', async () => {
    const permits = createPermits({ name: 'images', running: 1, waiting: 1, maxWaitMs: 10_000 });
    const narrow = createRenderer({ permits });
    const plan = planFor({ w: '50' }, 512, 512);
    const gate = deferred<Buffer>();
    let loads = 0;
    const request = {
      source: () => {
        loads += 1;
        return gate.promise;
      },
      plan,
      format: 'jpeg',
    } as const;
    const first = narrow.render(request);
    const second = narrow.render(request);
    const error = await refusalOf(narrow.render(request));
    expect(error.code).toBe('overloaded');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(loads).toBe(1);
    gate.resolve(await readFile(ASTRONAUT));
    await Promise.all([first, second]);
    expect(loads).toBe(2);
  });

  test('an aborted request does not render', async () => {
    const controller = new AbortController();
    const plan = planFor({ w: '50' }, 512, 512);
    const source = () => {
      controller.abort();
      return Promise.resolve(photo);
    };
    const outcome = renderer.render({ source, plan, format: 'jpeg', signal: controller.signal });
    await expect(outcome).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('costly answers', () => {
  const large = { width: 5001, height: 5000 };
  const plan = { source: large, resize: large, output: large, focus: 'none' };

  test('AVIF and effects end at 25 megapixels; plain JPEG, WebP and PNG go on', async () => {
    const refused = [
      { format: 'avif' },
      { format: 'jpeg', effects: { blurPx: 1 } },
      { format: 'jpeg', effects: { sharpenPx: 1 } },
      { format: 'jpeg', effects: { redact: { faces: [], style: 'blur' } } },
      { format: 'webp', effects: { background: { r: 0, g: 0, b: 0, alpha: 0.5 } } },
      { format: 'jpeg', maxBytes: 1000 },
      { format: 'jpeg', plan: { ...plan, turn: { mirrored: true, degrees: 0 } } },
    ] as const;
    for (const request of refused) {
      const source = () => Promise.reject(new Error('expected a refusal before anything is loaded'));
      const error = await refusalOf(renderer.render({ source, plan, ...request }));
      expect(error.code).toBe('file_limits_exceeded');
      expect(error.message).toContain('25 megapixels');
    }
    // Refused by the size of the answer alone: the source is read.
    const source = () => Promise.reject(new Error('read'));
    for (const format of ['jpeg', 'webp', 'png'] as const) {
      await expect(renderer.render({ source, plan, format, effects: { blurPx: undefined } })).rejects.toThrow('read');
    }
  });

  test('fmt=auto answers WebP where AVIF would be too large', () => {
    expect(affordableFormat('avif', plan)).toBe('webp');
    expect(affordableFormat('avif', { ...plan, resize: { width: 5000, height: 5000 }, output: plan.resize })).toBe(
      'webp',
    );
    const fitting = { width: 5000, height: 5000 };
    expect(affordableFormat('avif', { ...plan, resize: fitting, output: fitting })).toBe('avif');
    expect(affordableFormat('jpeg', plan)).toBe('jpeg');
  });
});

/** Who makes images in the benchmark, each in a process of its own: `run-contender.ts` starts one by its name. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import sharp from 'sharp';
import { createImageCache, createImageService, createRenderer, parseRecipe } from '../../src/images/index.ts';

export type Size = { readonly width: number; readonly height: number };
export type Format = 'jpeg' | 'webp' | 'avif';

/** A photograph and the tiers that ingest made of it, as files. */
export type Photo = Size & {
  readonly name: string;
  readonly path: string;
  readonly compressed: Size & { readonly path: string };
  readonly thumbnail: Size & { readonly path: string };
};

export type Case = Size & {
  readonly name: string;
  readonly photo: string;
  readonly format: Format;
  /** Zoom to the face; without it the middle is cut out. */
  readonly zoom?: number;
  /** How many times as fast as IPX. */
  readonly bar?: number;
};

export type Setup = {
  readonly photos: readonly Photo[];
  readonly faces: readonly { x: number; y: number; w: number; h: number; score: number }[];
  readonly encoders: { readonly jpeg: object; readonly webp: object; readonly avif: object };
  readonly cacheDirectory: string;
};

/** Makes one image; `serial` differs for each, so that no cache knows it. */
export type Contender = (asked: Case, serial: number) => Promise<Buffer>;

const photoOf = ({ photos }: Setup, { photo }: Case): Photo => {
  const found = photos.find(({ name }) => name === photo);
  if (!found) throw new Error(`expected a photo named ${photo}`);
  return found;
};

/** The image service with its cache on disk; another revision is another image. */
function touchline(setup: Setup): Contender {
  const paths = new Map(
    setup.photos.flatMap(({ path, compressed, thumbnail }) =>
      [path, compressed.path, thumbnail.path].map((each) => [each, each] as const),
    ),
  );
  const service = createImageService({
    cache: createImageCache({ directory: setup.cacheDirectory, maxBytes: 2 ** 30 }),
    renderer: createRenderer(),
    loadTier: (_asset, tier) => readFile(paths.get(tier.name) ?? ''),
  });
  return async (asked, serial) => {
    const photo = photoOf(setup, asked);
    const { width: w, height: h, format: fmt, zoom } = asked;
    const focus = zoom === undefined ? { f: 'center' } : { f: 'face', z: String(zoom) };
    const tiers = [
      { ...photo, name: photo.path, isOriginal: true },
      { ...photo.compressed, name: photo.compressed.path },
      { ...photo.thumbnail, name: photo.thumbnail.path },
    ].map((tier) => ({ ...tier, hasAlpha: false }));
    const { bytes, cached } = await service.get({
      asset: {
        orgId: 1,
        mediaId: setup.photos.indexOf(photo) + 1,
        rev: String(serial),
        original: { width: photo.width, height: photo.height },
        hasAlpha: false,
        tiers,
        faces: setup.faces,
        focal: undefined,
        credit: { copyright: 'Photo: A. Writer' },
      },
      recipe: parseRecipe({ w: String(w), h: String(h), fmt, ...focus }),
      accept: undefined,
    });
    if (cached) throw new Error(`expected a new image for ${asked.name}, received one from the cache`);
    return bytes;
  };
}

/** IPX as its documentation has it: the original from disk, its defaults for quality. */
async function ipx(setup: Setup): Promise<Contender> {
  const { createIPX, ipxFSStorage } = await import('ipx');
  const [first] = setup.photos;
  const images = createIPX({ storage: ipxFSStorage({ dir: dirname(first?.path ?? '') }), maxAge: 0 });
  return async (asked) => {
    const { width, height, format } = asked;
    const modifiers = { resize: `${width}x${height}`, fit: 'cover', format };
    const { data } = await images(basename(photoOf(setup, asked).path), modifiers).process();
    return typeof data === 'string' ? Buffer.from(data) : data;
  };
}

/** sharp with its defaults, from the original. */
const plainSharp =
  (setup: Setup): Contender =>
  async (asked) => {
    const { width, height, format } = asked;
    return sharp(await readFile(photoOf(setup, asked).path))
      .autoOrient()
      .resize(width, height)
      .toFormat(format)
      .toBuffer();
  };

/** sharp from the tier that the service takes, with the service's settings for encoders: what no service can be ahead of. */
const sharpFromTier =
  (setup: Setup): Contender =>
  async (asked) => {
    const { width, height, format } = asked;
    const { compressed, thumbnail } = photoOf(setup, asked);
    const tier = thumbnail.width >= width && thumbnail.height >= height ? thumbnail : compressed;
    return sharp(await readFile(tier.path))
      .autoOrient()
      .resize(width, height)
      .toFormat(format, setup.encoders[format])
      .toBuffer();
  };

export const CONTENDERS = { touchline, ipx, 'sharp, original': plainSharp, 'sharp, tier': sharpFromTier } as const;
export type ContenderName = keyof typeof CONTENDERS;

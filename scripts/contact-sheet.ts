/**
 * Crops of photos in four shapes, side by side, to be looked at: `npm run docs:contact-sheet -- <folder> [photo or folder...]`
 * writes PNG sheets into the folder; without photos, of the sample library. Faces are found as at ingest. Prints how many of
 * the most prominent faces are whole.
 */
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { createLogger } from '../src/base/index.ts';
import { createRenderer, type FaceBox, parseRecipe, planRender, rankFaces } from '../src/images/index.ts';
import { createFaceDetector } from '../src/ingest/index.ts';

const SAMPLE = join(import.meta.dirname, '..', 'sample');
/** Faces are found in the compressed tier, of this long side. */
const TIER_SIDE_PX = 2048;
const DETECTION_TIMEOUT_MS = 60_000;

const SHAPES = { portrait: [4, 5], landscape: [16, 9], square: [1, 1], story: [9, 16] } as const;
type Shape = keyof typeof SHAPES;
/** A stand-in for the linked player: the second face where there are several, so that it is not the same as `face`. */
const PLAYER_ID = 1;
type Variant = { readonly f: string; readonly z?: string; readonly up?: string };
const VARIANTS: readonly Variant[] = [
  { f: 'center' },
  { f: 'face' },
  { f: 'faces' },
  { f: `player:${PLAYER_ID},face` },
  { f: 'face', z: '0.5' },
  { f: 'face', z: '1' },
  { f: 'faces', z: '1' },
  { f: `player:${PLAYER_ID},face`, z: '1' },
];
const titleOf = ({ f, z }: Variant) => (z === undefined ? f : `${f} z=${z}`);
const CELL_PX = 200;
const GAP_PX = 4;
const LABEL_PX = 16;
const ROWS = 8;

type Photo = { readonly name: string; readonly bytes: Buffer; readonly width: number; readonly height: number };
type Scene = Photo & { readonly faces: readonly FaceBox[] };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function photoPaths(given: readonly string[]): Promise<readonly string[]> {
  const lists = given.map(async (path) => {
    if ((await stat(path)).isFile()) return [path];
    const names = (await readdir(path)).filter((name) => /\.(jpe?g|png|webp)$/i.test(name)).sort();
    return names.map((name) => join(path, name));
  });
  return (await Promise.all(lists)).flat();
}

async function readTier(path: string): Promise<Photo> {
  const side = { width: TIER_SIDE_PX, height: TIER_SIDE_PX };
  const { data, info } = await sharp(path)
    .autoOrient()
    .resize({ ...side, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 90 })
    .toBuffer({ resolveWithObject: true });
  return { name: basename(path).replace(/\.\w+$/, ''), bytes: data, width: info.width, height: info.height };
}

async function findScenes(paths: readonly string[]): Promise<readonly Scene[]> {
  const folder = await mkdtemp(join(tmpdir(), 'contact-sheet-'));
  const detector = createFaceDetector({ logger: createLogger({ level: 'warn' }), timeoutMs: DETECTION_TIMEOUT_MS });
  const scenes: Scene[] = [];
  try {
    for (const path of paths) {
      const photo = await readTier(path);
      const file = join(folder, 'tier.jpg');
      await writeFile(file, photo.bytes);
      const found = rankFaces(await detector.detect(file));
      const player = found[1] ?? found[0];
      const faces = found.map((face) => (face === player ? { ...face, tagOptionId: PLAYER_ID } : face));
      scenes.push({ ...photo, faces });
    }
  } finally {
    await detector.close();
    await rm(folder, { recursive: true });
  }
  return scenes;
}

const recipeOf = (shape: Shape, variant: Variant) => {
  const [width, height] = SHAPES[shape];
  const scale = CELL_PX / Math.max(width, height);
  return parseRecipe({ w: `${Math.round(width * scale)}`, h: `${Math.round(height * scale)}`, ...variant });
};

const planOf = (scene: Scene, shape: Shape, variant: Variant) =>
  planRender({ recipe: recipeOf(shape, variant), source: scene, faces: scene.faces, focal: undefined });

/** The photo with its faces framed: red the most prominent one, blue the player, yellow the others. */
async function overview(scene: Scene): Promise<Buffer> {
  const scale = CELL_PX / Math.max(scene.width, scene.height);
  const [width, height] = [Math.round(scene.width * scale), Math.round(scene.height * scale)];
  const frames = scene.faces.toReversed().flatMap((face): OverlayOptions[] => {
    const color = face === scene.faces[0] ? '#f00' : face.tagOptionId === PLAYER_ID ? '#06f' : '#ff0';
    const box = {
      left: Math.round(face.x * width),
      top: Math.round(face.y * height),
      right: Math.min(width - 1, Math.round((face.x + face.w) * width)),
      bottom: Math.min(height - 1, Math.round((face.y + face.h) * height)),
    };
    const line = (left: number, top: number, size: { readonly width: number; readonly height: number }) => ({
      input: { create: { ...size, channels: 3 as const, background: color } },
      left,
      top,
    });
    const across = { width: Math.max(1, box.right - box.left), height: 1 };
    const down = { width: 1, height: Math.max(1, box.bottom - box.top) };
    return [
      line(box.left, box.top, across),
      line(box.left, box.bottom, across),
      line(box.left, box.top, down),
      line(box.right, box.top, down),
    ];
  });
  const small = await sharp(scene.bytes).resize({ width, height, fit: 'fill' }).toBuffer();
  return sharp(small).composite(frames).png().toBuffer();
}

const renderer = createRenderer();

async function cells(scene: Scene, shape: Shape): Promise<readonly Buffer[]> {
  const crops = VARIANTS.map(async (variant) => {
    const { bytes } = await renderer.render({
      source: scene.bytes,
      plan: planOf(scene, shape, { ...variant, up: '1' }),
      format: 'png',
    });
    return bytes;
  });
  return [await overview(scene), ...(await Promise.all(crops))];
}

const label = (text: string) =>
  sharp({ text: { text, font: 'sans 8', dpi: 96, rgba: true } })
    .png()
    .toBuffer();

async function sheet(scenes: readonly Scene[], shape: Shape): Promise<Buffer> {
  const step = { x: CELL_PX + GAP_PX, y: CELL_PX + GAP_PX };
  const titles = ['photo', ...VARIANTS.map(titleOf)];
  const overlays: OverlayOptions[] = [];
  for (const [column, text] of titles.entries()) {
    overlays.push({ input: await label(text), left: column * step.x, top: 0 });
  }
  for (const [row, scene] of scenes.entries()) {
    for (const [column, input] of (await cells(scene, shape)).entries()) {
      overlays.push({ input, left: column * step.x, top: LABEL_PX + row * step.y });
    }
  }
  const size = { width: titles.length * step.x, height: LABEL_PX + scenes.length * step.y };
  return sharp({ create: { ...size, channels: 3, background: '#bbb' } })
    .composite(overlays)
    .png()
    .toBuffer();
}

/** Whether the face that the variant is for, else the most prominent one, is wholly in the crop. */
function isWhole(scene: Scene, shape: Shape, variant: Variant): boolean {
  const named = variant.f.startsWith('player') && scene.faces.find((face) => face.tagOptionId === PLAYER_ID);
  const face = named || scene.faces[0];
  const { crop = { left: 0, top: 0, width: scene.width, height: scene.height } } = planOf(scene, shape, variant);
  if (!face) return false;
  return (
    face.x * scene.width >= crop.left - 1 &&
    face.y * scene.height >= crop.top - 1 &&
    (face.x + face.w) * scene.width <= crop.left + crop.width + 1 &&
    (face.y + face.h) * scene.height <= crop.top + crop.height + 1
  );
}

const [folder, ...given] = process.argv.slice(2);
if (folder === undefined) throw new Error('expected a folder for the sheets, received none');
const paths = await photoPaths(given.length > 0 ? given : [join(SAMPLE, 'photos'), join(SAMPLE, 'faces')]);
const withFaces = (await findScenes(paths)).filter(({ faces }) => faces.length > 0);
say(`${withFaces.length} of ${paths.length} photos have faces`);
await mkdir(folder, { recursive: true });
for (const shape of Object.keys(SHAPES) as Shape[]) {
  const shares = VARIANTS.map((variant) => {
    const whole = withFaces.filter((scene) => isWhole(scene, shape, variant)).length;
    return `${titleOf(variant)} ${whole}`;
  });
  say(`${shape}: main face whole in ${shares.join(', ')}`);
  for (let page = 0; page * ROWS < withFaces.length; page += 1) {
    const bytes = await sheet(withFaces.slice(page * ROWS, (page + 1) * ROWS), shape);
    await writeFile(join(folder, `${shape}-${page + 1}.png`), bytes);
  }
}

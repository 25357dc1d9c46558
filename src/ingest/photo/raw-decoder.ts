import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { photoUnsupported } from './photo-errors.ts';

/** The part of LibRaw's WebAssembly module that is used; the package describes its browser wrapper only. */
type LibRaw = {
  open(data: Uint8Array, settings: Readonly<Record<string, number | boolean>>): void;
  imageData(): { readonly width: number; readonly height: number; readonly colors: number; readonly data: Uint8Array };
};
type LibRawModule = {
  readonly default: (options: { readonly wasmBinary: Buffer }) => Promise<{ readonly LibRaw: new () => LibRaw }>;
};

/** Half size skips the demosaicing: four sensor samples make one pixel, enough for a 2048 px tier from 17 MP upwards. */
const SETTINGS = { halfSize: true, useCameraWb: true, outputColor: 1, outputBps: 8, userFlip: 0 };
const INTERMEDIATE_QUALITY = 95;

/** Develops a camera RAW file at half its size into an sRGB JPEG, in the position of the sensor (not turned upright). */
export async function developRaw(path: string, outPath: string): Promise<void> {
  const { LibRaw } = await loadLibRaw();
  const raw = new LibRaw();
  try {
    raw.open(new Uint8Array(await readFile(path)), SETTINGS);
    const { width, height, colors, data } = raw.imageData();
    // LibRaw gives one channel for monochrome sensors and three for the others.
    await sharp(data, { raw: { width, height, channels: colors === 1 ? 1 : 3 } })
      .jpeg({ quality: INTERMEDIATE_QUALITY, chromaSubsampling: '4:4:4' })
      .toFile(outPath);
  } catch (error) {
    throw photoUnsupported('camera RAW', error);
  }
}

/** The module expects a web worker around it; of that it needs these two names and the bytes of its code. */
async function loadLibRaw() {
  const folder = dirname(createRequire(import.meta.url).resolve('libraw-wasm'));
  Object.assign(globalThis, { self: globalThis, WorkerGlobalScope: true });
  const [module, wasmBinary] = await Promise.all([
    // The file has no types of its own; LibRawModule states what is called.
    import(pathToFileURL(join(folder, 'libraw.js')).href) as Promise<LibRawModule>,
    readFile(join(folder, 'libraw.wasm')),
  ]);
  return module.default({ wasmBinary });
}

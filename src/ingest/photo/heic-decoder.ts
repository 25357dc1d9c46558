import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { photoDamaged, MAX_PHOTO_PIXELS, photoTooLarge } from './photo-errors.ts';

/** The part of libheif-js that is used; the package's own types cover only its C functions. */
type HeifImage = {
  get_width(): number;
  get_height(): number;
  is_primary?(): number | boolean;
  display(
    target: { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number },
    done: (result: { readonly data: Uint8ClampedArray } | null) => void,
  ): void;
  free?(): void;
};
type Libheif = { readonly HeifDecoder: new () => { decode(data: Buffer): readonly HeifImage[] } };

const INTERMEDIATE_QUALITY = 95;

/** Writes the primary picture of a HEIC file as JPEG, upright: libheif applies the rotation that the file states. */
export async function decodeHeic(path: string, outPath: string): Promise<void> {
  // A CommonJS module whose types do not describe the decoder.
  const libheif = createRequire(import.meta.url)('libheif-js/wasm-bundle') as Libheif;
  const images = new libheif.HeifDecoder().decode(await readFile(path));
  const image = images.find((one) => one.is_primary?.()) ?? images[0];
  if (!image) throw photoDamaged();
  const width = image.get_width();
  const height = image.get_height();
  if (width * height > MAX_PHOTO_PIXELS) throw photoTooLarge({ width, height });
  const target = { data: new Uint8ClampedArray(width * height * 4), width, height };
  const shown = await new Promise<Uint8ClampedArray>((resolve, reject) => {
    image.display(target, (result) => (result ? resolve(result.data) : reject(photoDamaged())));
  });
  await sharp(shown, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: INTERMEDIATE_QUALITY, chromaSubsampling: '4:4:4' })
    .toFile(outPath);
}

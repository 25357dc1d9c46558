/** Draws the photos of the plan and writes them with their metadata. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExifTool } from 'exiftool-vendored';
import { develop, toJpeg } from './canvas.ts';
import type { Picture } from './canvas.ts';
import { writeMetadata } from './metadata.ts';
import type { Photo } from './plan.ts';
import { seedOf } from './random.ts';
import * as emotion from './scenes/emotion.ts';
import type { SceneContext } from './scenes/frame.ts';
import * as honour from './scenes/honour.ts';
import type { HonourPicture } from './scenes/face-scene.ts';
import * as object from './scenes/object.ts';
import * as place from './scenes/place.ts';
import * as play from './scenes/play.ts';
import * as press from './scenes/press.ts';

const DRAWN: Readonly<Record<string, (context: SceneContext) => Picture>> = {
  ...play,
  ...emotion,
  ...place,
  ...object,
};
const WITH_FACES: Readonly<Record<string, (context: SceneContext) => Promise<HonourPicture>>> = { ...honour, ...press };
const MAX_BYTES = 118_000;

async function draw(photo: Photo): Promise<HonourPicture> {
  const withFaces = WITH_FACES[photo.scene];
  if (withFaces !== undefined) return withFaces(photo.context);
  const drawn = DRAWN[photo.scene];
  if (drawn === undefined) throw new Error(`expected a scene of the sample generator, received ${photo.scene}`);
  return { picture: drawn(photo.context), faces: [] };
}

export async function makePhoto(
  photo: Photo,
  options: { readonly folder: string; readonly exiftool: ExifTool },
): Promise<number> {
  const { picture, faces } = await draw(photo);
  const jpeg = await toJpeg(await develop(picture, seedOf(photo.file)), MAX_BYTES);
  const path = join(options.folder, photo.file);
  await writeFile(path, jpeg);
  await writeMetadata(options.exiftool, { path, photo, faces });
  return jpeg.length;
}

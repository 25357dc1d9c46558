/**
 * Draws the whole sample library into `sample/`. Usage: `node scripts/sample/make.ts [photos|data|videos] [part of a file name]`;
 * without arguments everything is made anew. Needs ffmpeg for the videos and perl for the metadata.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ExifTool } from 'exiftool-vendored';
import { library } from './library.ts';
import { makePhoto } from './photos.ts';
import { PHOTOS } from './plan.ts';
import { sidecarCsv } from './sidecar.ts';
import { makeVideo } from './video.ts';
import { VIDEO_ACTIONS } from './video-actions.ts';
import { VIDEOS } from './video-plan.ts';

const SAMPLE = join(import.meta.dirname, '../../sample');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function makePhotos(part: string): Promise<void> {
  const folder = join(SAMPLE, 'photos');
  await mkdir(folder, { recursive: true });
  const exiftool = new ExifTool();
  try {
    for (const photo of PHOTOS.filter((one) => `${one.file} ${one.scene}`.includes(part))) {
      const bytes = await makePhoto(photo, { folder, exiftool });
      say(`${photo.file} ${photo.scene} ${Math.round(bytes / 1000)} kB`);
    }
  } finally {
    await exiftool.end();
  }
}

async function makeData(): Promise<void> {
  await writeFile(join(SAMPLE, 'library.json'), `${JSON.stringify(library(VIDEO_ACTIONS), null, 2)}\n`);
  await writeFile(join(SAMPLE, 'photos.csv'), sidecarCsv(PHOTOS));
  say('library.json photos.csv');
}

const [what = 'all', part = ''] = process.argv.slice(2);
if (what === 'all' || what === 'data') await makeData();
if (what === 'all' || what === 'photos') await makePhotos(part);
if (what === 'all' || what === 'videos') {
  await mkdir(join(SAMPLE, 'videos'), { recursive: true });
  for (const video of VIDEOS.filter((one) => one.file.includes(part))) {
    const bytes = await makeVideo(video, { folder: join(SAMPLE, 'videos') });
    say(`${video.file} ${Math.round(bytes / 1000)} kB`);
  }
}

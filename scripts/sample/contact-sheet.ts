/** A contact sheet for the eye: `node scripts/sample/contact-sheet.ts <out.png> [from] [count]`. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const CELL_W = 380;
const CELL_H = 300;
const COLUMNS = 5;
const folder = join(import.meta.dirname, '../../sample/photos');
const [out = 'contact-sheet.png', from = '0', count = '30'] = process.argv.slice(2);
const files = (await readdir(folder)).sort().slice(Number(from), Number(from) + Number(count));
const cells = await Promise.all(
  files.map(async (file, index) => ({
    input: await sharp(join(folder, file))
      .resize(CELL_W - 8, CELL_H - 8, { fit: 'contain', background: '#181a1e' })
      .png()
      .toBuffer(),
    left: (index % COLUMNS) * CELL_W,
    top: Math.floor(index / COLUMNS) * CELL_H,
  })),
);
const height = Math.ceil(files.length / COLUMNS) * CELL_H;
await sharp({ create: { width: COLUMNS * CELL_W, height, channels: 3, background: '#181a1e' } })
  .composite(cells)
  .png()
  .toFile(out);

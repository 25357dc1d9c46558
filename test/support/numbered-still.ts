import sharp from 'sharp';

const BITS = 10;
const BLOCK_PX = 16;

/** The number that `numberedPicture` drew, read from the middle of one picture; `scale` is its size beside the video's. */
export async function readNumber(picture: Buffer, scale = 1): Promise<number> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const row = Math.floor(info.height / 2);
  const bits = Array.from({ length: BITS }, (_, bit) => {
    const column = Math.round(info.width / 2 + (bit + 0.5 - BITS / 2) * BLOCK_PX * scale);
    return (data[(row * info.width + column) * info.channels] ?? 0) > 127 ? 2 ** bit : 0;
  });
  return bits.reduce((sum, value) => sum + value, 0);
}

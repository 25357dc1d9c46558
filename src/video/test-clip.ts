import { execFileSync } from 'node:child_process';

// Support of the tests of clips: videos whose frames carry their number, with a beep at every full second.

const BITS = 10;
/** A block this large survives the coding, and all of them a crop to 9:16 of 640 x 360 (202 pixels wide). */
const BLOCK_PX = 16;

/**
 * Frames whose number stands in blocks across the middle, black and white, on grey, as ffmpeg arguments. Up to 1,024; their
 * least side is 160 pixels.
 */
export function numberedPicture(options: {
  readonly rate: string;
  readonly frames: number;
  readonly size?: string;
}): string[] {
  const [width = '640', height = '360'] = (options.size ?? '640x360').split('x');
  const blocks = `nullsrc=size=${BITS * BLOCK_PX}x${2 * BLOCK_PX}:rate=${options.rate},trim=end_frame=${options.frames}`;
  const bits = `geq=lum='if(bitand(N,pow(2,floor(X/${BLOCK_PX}))),235,16)':cb=128:cr=128`;
  const pad = `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2:color=gray`;
  return ['-f', 'lavfi', '-i', `${blocks},${bits},format=yuv420p,${pad}`];
}

/** A beep of 50 ms at the start of each second, as ffmpeg arguments. */
export function beeps(seconds: number): string[] {
  const wave = `if(lt(mod(t,1),0.05),0.8*sin(2*PI*1000*t),0)`;
  return ['-f', 'lavfi', '-i', `aevalsrc='${wave}':s=48000:d=${seconds}`];
}

/** The numbers of all frames of a video, read from the middle of each; `scale` is its size beside the source's. */
export function readNumbers(path: string, scale = 1): number[] {
  const probe = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'stream=width,height'];
  const size = execFileSync('ffprobe', [...probe, '-of', 'csv=p=0', path], { encoding: 'utf8' });
  const [width = 0, height = 0] = size.trim().split(',').map(Number);
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'gray', '-vsync', 'passthrough', '-'];
  const maxBuffer = 1024 * 1024 * 1024;
  const pixels = execFileSync('ffmpeg', ['-v', 'error', '-noautorotate', '-i', path, '-map', '0:v', ...raw], {
    maxBuffer,
  });
  const row = Math.floor(height / 2);
  const numberAt = (frame: number) => {
    const bits = Array.from({ length: BITS }, (_, bit) => {
      const column = Math.round(width / 2 + (bit + 0.5 - BITS / 2) * BLOCK_PX * scale);
      return (pixels[frame * width * height + row * width + column] ?? 0) > 127 ? 2 ** bit : 0;
    });
    return bits.reduce((sum, value) => sum + value, 0);
  };
  return Array.from({ length: pixels.length / (width * height) }, (_, frame) => numberAt(frame));
}

/** When each frame shows, in seconds from the start of the file, in the order of showing. */
export function readTimes(path: string): number[] {
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', path];
  const text = execFileSync('ffprobe', args, { encoding: 'utf8' });
  return text
    .split('\n')
    .map((line) => Number.parseFloat(line))
    .filter((seconds) => Number.isFinite(seconds))
    .toSorted((left, right) => left - right);
}

/** When sound begins after silence, and how long all of it is, in seconds from the start of the file. */
export function readOnsets(path: string): { readonly onsets: readonly number[]; readonly seconds: number } {
  const raw = ['-f', 's16le', '-ac', '1', '-ar', '48000', '-'];
  const maxBuffer = 1024 * 1024 * 1024;
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-vn', ...raw], { maxBuffer });
  const onsets: number[] = [];
  let lastLoud = -48_000;
  for (let at = 0; at < bytes.length / 2; at += 1) {
    if (Math.abs(bytes.readInt16LE(at * 2)) < 3000) continue;
    // Longer than the silence between two waves of a beep, shorter than that between beeps.
    if (at - lastLoud > 4800) onsets.push(at / 48_000);
    lastLoud = at;
  }
  return { onsets, seconds: bytes.length / 2 / 48_000 };
}

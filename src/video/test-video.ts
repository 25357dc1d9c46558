import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { createLogger } from '../base/index.ts';
import { createFfmpeg, type Ffmpeg, type FfmpegOptions } from './ffmpeg.ts';

// Support of the tests of this folder: videos are drawn by ffmpeg itself, so that no file has to be kept.

const isInstalled = ['ffmpeg', 'ffprobe'].every((name) => spawnSync(name, ['-version']).status === 0);

/** The test set-up installs ffmpeg where it may (root on Debian); its absence there is a fault and not a reason to skip. */
const mustBeInstalled = env['CI'] === 'true' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Argument of `describe.skipIf`; the suites' names state the reason. */
export const skipsWithoutFfmpeg = !isInstalled && !mustBeInstalled;

export type Workbench = {
  readonly ffmpeg: Ffmpeg;
  readonly file: (name: string) => string;
  /** Runs ffmpeg with these arguments and answers the path of the output, which is the last of them. */
  readonly draw: (name: string, ...args: string[]) => string;
  /** Mean luma, 0..255, of the picture at `path`. */
  readonly meanLuma: (path: string) => number;
  /** The frame number that `countingPicture` drew. */
  readonly frameNumber: (path: string) => number;
  /** Width and height, in pixels, of the picture at `path`. */
  readonly measure: (path: string) => { readonly width: number; readonly height: number };
  readonly bytesOf: (path: string) => number;
  /** Where the first box of this type lies in an MP4. */
  readonly indexOfBox: (path: string, type: string) => number;
  /** The loudest sample of one channel. */
  readonly peakDecibels: (path: string, channel: 'left' | 'right') => number;
  readonly remove: () => void;
};

/** A temporary folder with the tools bound to it. */
export function createWorkbench(overrides: Partial<FfmpegOptions> = {}): Workbench {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-video-'));
  const file = (name: string) => join(folder, name);
  return {
    ffmpeg: createFfmpeg({
      ffmpegPath: 'ffmpeg',
      ffprobePath: 'ffprobe',
      logger: createLogger({ level: 'silent' }),
      cores: 2,
      ...overrides,
    }),
    file,
    draw(name, ...args) {
      execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, file(name)]);
      return file(name);
    },
    meanLuma(path) {
      const grey = greyPixels(path);
      return grey.reduce((sum, value) => sum + value, 0) / grey.length;
    },
    frameNumber(path) {
      const row = greyPixels(path).subarray(0, 64);
      const bits = [0, 1, 2, 3, 4, 5, 6, 7].map((bar) => ((row[bar * 8 + 4] ?? 0) > 127 ? 2 ** bar : 0));
      return bits.reduce((sum, value) => sum + value, 0);
    },
    measure(path) {
      const args = ['-v', 'error', '-show_entries', 'stream=width,height', '-of', 'csv=print_section=0', path];
      const [width = 0, height = 0] = execFileSync('ffprobe', args, { encoding: 'utf8' }).split(',').map(Number);
      return { width, height };
    },
    indexOfBox: (path, type) => readFileSync(path).indexOf(type),
    peakDecibels(path, channel) {
      const filter = `pan=mono|c0=${channel === 'left' ? 'c0' : 'c1'},volumedetect`;
      const args = ['-nostdin', '-hide_banner', '-i', path, '-vn', '-af', filter, '-f', 'null', '-'];
      const { stderr } = spawnSync('ffmpeg', args, { encoding: 'utf8' });
      return Number(/max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1]);
    },
    bytesOf: (path) => statSync(path).size,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function greyPixels(path: string): Buffer {
  return execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 'rawvideo', '-pix_fmt', 'gray', '-']);
}

/** A moving test picture, as ffmpeg arguments. */
export function picture(options: { readonly size: string; readonly rate: string; readonly seconds: number }): string[] {
  return ['-f', 'lavfi', '-i', `testsrc2=size=${options.size}:rate=${options.rate}:duration=${options.seconds}`];
}

/** A tone, as ffmpeg arguments. */
export function tone(seconds: number): string[] {
  return ['-f', 'lavfi', '-i', `sine=duration=${seconds}`];
}

/** A picture of eight bars that spell its frame number in binary: bar k is white where bit k is set. Up to 256 frames. */
export function countingPicture(options: { readonly rate: string; readonly frames: number }): string[] {
  const source = `nullsrc=size=64x64:rate=${options.rate},trim=end_frame=${options.frames}`;
  const bars = `geq=lum='if(bitand(N,pow(2,floor(X/8))),235,16)':cb=128:cr=128`;
  return ['-f', 'lavfi', '-i', `${source},${bars}`, '-pix_fmt', 'yuv420p'];
}

/** H.264 that is quick to draw, with a keyframe only at the start, so that a wrong seek is seen. */
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '250'];

/**
 * Writes a quarter turn clockwise, as phones do, into the track header of an MP4 with one track (ISO 14496-12, 8.3.2:
 * the matrix {a, b, u, c, d, v, x, y, w} lies 40 bytes after the type and flags of a version 0 box).
 */
export function turnClockwise(path: string): string {
  const bytes = readFileSync(path);
  const matrixAt = bytes.indexOf('tkhd') + 4 + 4 + 36;
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0].entries()) bytes.writeInt32BE(value, matrixAt + 4 * index);
  writeFileSync(path, bytes);
  return path;
}

import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beeps, numberedPicture, readNumbers, readOnsets, readTimes } from './test-clip.ts';
import { createWorkbench, H264, skipsWithoutFfmpeg, type Workbench } from './test-video.ts';
import type { VideoReel } from './types.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe.skipIf(skipsWithoutFfmpeg)('reels (needs ffmpeg on the PATH)', () => {
  let bench: Workbench;
  beforeAll(() => {
    bench = createWorkbench();
  });
  afterAll(() => bench.remove());

  const join = async (
    cuts: readonly (readonly [path: string, inMs: number, outMs: number])[],
    options: { readonly maxHeightPx?: number; readonly onProgress?: (ratio: number) => void } = {},
  ): Promise<VideoReel & { readonly outPath: string }> => {
    const segments = await Promise.all(
      cuts.map(async ([path, inMs, outMs]) => ({
        path,
        inMs,
        outMs,
        probe: await bench.ffmpeg.probeVideo({ path }),
      })),
    );
    const outPath = bench.file('reel.tmp.mp4');
    return { ...(await bench.ffmpeg.joinClips({ segments, outPath, ...options })), outPath };
  };

  test.each(['24000/1001', '25', '30000/1001', '50', '60000/1001'])(
    'at %s frames/s have the frames of every segment, and their sound at its time',
    async (rate) => {
      const source = [...numberedPicture({ rate, frames: 300 }), ...beeps(13), '-shortest'];
      const path = bench.draw('long.mp4', ...source, ...H264, '-bf', '2', '-c:a', 'aac');
      const [num = 1, den = 1] = rate.split('/').map(Number);
      const at = (frame: number) => Math.round((frame * den * 1000) / num);
      const spans = [
        [10, 61],
        [200, 247],
        [25, 26],
        [90, 171],
      ] as const;
      const reel = await join(spans.map(([from, to]) => [path, at(from), at(to)] as const));
      expect(readNumbers(reel.outPath)).toEqual(spans.flatMap(([from, to]) => range(from, to)));
      expect(reel).toMatchObject({ frames: 180, hasAudio: true, width: 640, height: 360 });
      for (const [index, seconds] of readTimes(reel.outPath).entries()) {
        expect(seconds).toBeCloseTo((index * den) / num, 4);
      }
      const made = await bench.ffmpeg.probeVideo({ path: reel.outPath });
      expect(made).toMatchObject({ frameRate: { num, den }, hasVariableFrameRate: false });
      const starts = [0, 51, 98, 99];
      expect(reel.startsMs.map((ms) => Math.round(ms))).toEqual(starts.map((frame) => at(frame)));
      // Each full second of the source that a segment has, where it lies in the reel.
      const expected = spans.flatMap(([from, to], index) =>
        range(0, 13)
          .map((second) => second - (from * den) / num)
          .filter((offset) => offset >= 0 && offset < ((to - from) * den) / num - 0.06)
          .map((offset) => ((starts[index] ?? 0) * den) / num + offset),
      );
      const { onsets } = readOnsets(reel.outPath);
      for (const second of expected) {
        expect(Math.min(...onsets.map((onset) => Math.abs(onset - second)))).toBeLessThan(0.021);
      }
      expect(expected.length).toBeGreaterThan(1);
    },
  );

  test('of different sizes, rates and sound have the form of the first, with silence where there is none', async () => {
    const first = bench.draw(
      '1.mp4',
      ...numberedPicture({ rate: '25', frames: 60 }),
      ...beeps(3),
      '-shortest',
      ...H264,
    );
    const mute = bench.draw('2.mov', ...numberedPicture({ rate: '50', frames: 120, size: '640x640' }), ...H264);
    const tall = bench.draw(
      '3.mp4',
      ...numberedPicture({ rate: '30000/1001', frames: 90, size: '180x320' }),
      ...beeps(3),
      ...H264,
    );
    const reel = await join([
      [first, 0, 1000],
      [mute, 1000, 2000],
      [tall, 0, 1001],
    ]);
    expect(reel).toMatchObject({ width: 640, height: 360, frameRate: { num: 25, den: 1 }, hasAudio: true, frames: 75 });
    expect(readNumbers(reel.outPath).slice(0, 25)).toEqual(range(0, 25));
    const { onsets, seconds } = readOnsets(reel.outPath);
    expect(Math.abs(seconds - 3)).toBeLessThan(0.022);
    expect(onsets.filter((at) => at > 0.9 && at < 1.95)).toEqual([]);
    expect(onsets.some((at) => Math.abs(at - 2) < 0.021)).toBe(true);
    // The square one is as high as the first and every second frame of it is left.
    const square = bench.draw('square.mp4', '-ss', '1', '-t', '1', '-i', reel.outPath, ...H264);
    expect(readNumbers(square, 360 / 640)).toEqual(range(25, 50).map((frame) => frame * 2));
  });

  test('without any sound have none, and the height that was asked for', async () => {
    const path = bench.draw('m.mp4', ...numberedPicture({ rate: '25', frames: 60 }), ...H264);
    const ratios: number[] = [];
    const reel = await join(
      [
        [path, 0, 400],
        [path, 1000, 1400],
      ],
      { maxHeightPx: 180, onProgress: (ratio) => ratios.push(ratio) },
    );
    expect(reel).toMatchObject({ hasAudio: false, width: 320, height: 180, frames: 20 });
    expect(ratios).toEqual(ratios.toSorted((left, right) => left - right));
    expect(ratios.at(-1)).toBe(1);
    expect(readdirSync(dirname(reel.outPath)).filter((name) => name.startsWith('reel.tmp.mp4.'))).toEqual([]);
  });
});

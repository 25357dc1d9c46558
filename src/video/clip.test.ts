import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beeps, numberedPicture, readNumbers, readOnsets, readTimes } from './test-clip.ts';
import { createWorkbench, H264, picture, skipsWithoutFfmpeg, turnClockwise, type Workbench } from './test-video.ts';
import type { VideoClip } from './types.ts';

const RATES = ['24000/1001', '25', '30000/1001', '50', '60000/1001'];

let bench: Workbench;
beforeAll(() => {
  bench = createWorkbench();
});
afterAll(() => bench.remove());

const cut = async (
  path: string,
  options: {
    readonly inMs: number;
    readonly outMs: number;
    readonly mode?: 'auto' | 'encode';
    readonly window?: { left: number; top: number; width: number; height: number };
    readonly maxHeightPx?: number;
  },
): Promise<VideoClip & { readonly outPath: string }> => {
  const probe = await bench.ffmpeg.probeVideo({ path });
  const outPath = bench.file('clip.tmp.mp4');
  const clip = await bench.ffmpeg.cutClip({ path, probe, outPath, mode: 'auto', ...options });
  return { ...clip, outPath };
};

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** The frame that shows at a position, and the first that does not begin before one: by the rational rate alone. */
const frameShown = (ms: number, [num, den]: readonly [number, number]) => Math.floor(((ms + 0.5) * num) / (1000 * den));
const frameAfter = (ms: number, [num, den]: readonly [number, number]) => Math.ceil(((ms - 0.5) * num) / (1000 * den));
const readRate = (rate: string): [number, number] => {
  const [num = 1, den = 1] = rate.split('/').map(Number);
  return [num, den];
};

describe.skipIf(skipsWithoutFfmpeg)('clips (needs ffmpeg on the PATH)', () => {
  test.each(RATES)('at %s frames/s have the frames from in to out, and the sound of these', async (rate) => {
    const source = [...numberedPicture({ rate, frames: 260 }), ...beeps(11), '-shortest'];
    const path = bench.draw('numbered.mp4', ...source, ...H264, '-bf', '2', '-c:a', 'aac');
    const ratio = readRate(rate);
    // Within frames, at a frame's rounded start, and over B-frames.
    for (const [inMs, outMs] of [
      [0, 1000],
      [1517, 3333],
      [2002, 2041],
      [3470, 3471],
    ] as const) {
      const clip = await cut(path, { inMs, outMs });
      const [first, end] = [frameShown(inMs, ratio), Math.max(frameShown(inMs, ratio) + 1, frameAfter(outMs, ratio))];
      expect(readNumbers(clip.outPath), `${inMs} to ${outMs} ms`).toEqual(range(first, end));
      expect(clip).toMatchObject({ frames: end - first, hasAudio: true, width: 640, height: 360 });
      const frameSeconds = ratio[1] / ratio[0];
      expect(clip.inMs).toBeCloseTo(first * frameSeconds * 1000, 1);
      const times = readTimes(clip.outPath);
      expect(times[0]).toBe(0);
      expect(times.at(-1)).toBeCloseTo((end - first - 1) * frameSeconds, 3);
      const { onsets: found, seconds } = readOnsets(clip.outPath);
      // What begins just before the end may be heard or not.
      const onsets = found.filter((at) => at < (end - first) * frameSeconds - 0.03);
      expect(Math.abs(seconds - (end - first) * frameSeconds)).toBeLessThan(0.022);
      const expected = range(0, 11)
        .map((second) => second - first * frameSeconds)
        .filter((at) => at > -0.03 && at < (end - first) * frameSeconds - 0.03);
      expect(onsets).toHaveLength(expected.length);
      for (const [index, at] of expected.entries())
        expect(Math.abs((onsets[index] ?? 9) - Math.max(0, at))).toBeLessThan(0.01);
    }
  });

  test.each(RATES)('at %s frames/s that begin on a keyframe are copied, frame for frame', async (rate) => {
    const keys = ['-g', '25', '-keyint_min', '25', '-sc_threshold', '0', '-flags', '+cgop'];
    const source = [...numberedPicture({ rate, frames: 200 }), ...beeps(9), '-shortest'];
    const path = bench.draw('keys.mp4', ...source, ...H264, ...keys, '-bf', '0', '-c:a', 'aac');
    const [num, den] = readRate(rate);
    const startMs = Math.round((50 * 1000 * den) / num);
    const outMs = Math.round((110 * 1000 * den) / num);
    const clip = await cut(path, { inMs: startMs, outMs });
    expect(clip).toMatchObject({ method: 'copy', frames: 60, hasAudio: true });
    expect(readNumbers(clip.outPath)).toEqual(range(50, 110));
    expect(Math.abs(readTimes(clip.outPath)[0] ?? 9)).toBeLessThan(0.001);
    const { onsets } = readOnsets(clip.outPath);
    const firstBeep = Math.ceil((50 * den) / num) - (50 * den) / num;
    expect(Math.abs((onsets[0] ?? 9) - firstBeep)).toBeLessThan(0.021);
    expect(await cut(path, { inMs: startMs, outMs, mode: 'encode' })).toMatchObject({ method: 'encode', frames: 60 });
    const off = await cut(path, { inMs: Math.round((51 * 1000 * den) / num), outMs });
    expect(off).toMatchObject({ method: 'encode', frames: 59 });
    expect(readNumbers(off.outPath)).toEqual(range(51, 110));
  });

  test('that end between frames which need a later one are encoded', async () => {
    const keys = [
      '-g',
      '25',
      '-keyint_min',
      '25',
      '-sc_threshold',
      '0',
      '-bf',
      '3',
      '-b_strategy',
      '0',
      '-flags',
      '+cgop',
    ];
    const path = bench.draw('b.mp4', ...numberedPicture({ rate: '25', frames: 120 }), ...H264, ...keys);
    const methods = new Set<string>();
    for (const end of [30, 31, 32, 33, 34, 50]) {
      const clip = await cut(path, { inMs: 1000, outMs: end * 40 });
      expect(readNumbers(clip.outPath), `up to ${end}`).toEqual(range(25, end));
      methods.add(clip.method);
    }
    expect([...methods].toSorted()).toEqual(['copy', 'encode']);
  });

  test('of an open GOP have the frames that show before its keyframe only where asked', async () => {
    const open = ['-x264-params', 'open-gop=1:keyint=25:min-keyint=25:scenecut=0:bframes=3:b-adapt=0'];
    const path = bench.draw('open.mkv', ...numberedPicture({ rate: '25', frames: 120 }), ...H264, ...open);
    for (const [from, to] of [
      [25, 60],
      [23, 40],
      [26, 52],
      [49, 51],
    ] as const) {
      const clip = await cut(path, { inMs: from * 40, outMs: to * 40 });
      expect(readNumbers(clip.outPath), `${from} to ${to}`).toEqual(range(from, to));
    }
  });

  test('of Matroska that begin on a keyframe are copied', async () => {
    const keys = ['-g', '30', '-keyint_min', '30', '-sc_threshold', '0', '-bf', '0'];
    const path = bench.draw('k.mkv', ...numberedPicture({ rate: '30000/1001', frames: 150 }), ...H264, ...keys);
    const clip = await cut(path, { inMs: 2002, outMs: 4004 });
    expect(readNumbers(clip.outPath)).toEqual(range(60, 120));
    expect(clip.method).toBe('copy');
  });

  test('of HEVC are copied with the tag that players of Apple ask for', async () => {
    const codec = ['-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
    const params = ['-x265-params', 'keyint=25:min-keyint=25:scenecut=0:bframes=0:open-gop=0:log-level=none'];
    const path = bench.draw('hevc.mp4', ...numberedPicture({ rate: '25', frames: 80 }), ...codec, ...params);
    const clip = await cut(path, { inMs: 1000, outMs: 2000 });
    expect(clip.method).toBe('copy');
    expect(readNumbers(clip.outPath)).toEqual(range(25, 50));
    expect(bench.indexOfBox(clip.outPath, 'hvc1')).toBeGreaterThan(0);
  });

  test('of a transport stream whose clock begins anywhere count from its start', async () => {
    const source = [...numberedPicture({ rate: '25', frames: 200 }), ...beeps(8)];
    const path = bench.draw(
      'c.ts',
      ...source,
      ...H264,
      '-g',
      '100',
      '-bf',
      '2',
      '-c:a',
      'aac',
      '-output_ts_offset',
      '5000',
    );
    const { videoOffsetMs } = await bench.ffmpeg.probeVideo({ path });
    const clip = await cut(path, { inMs: 3000 + Math.round(videoOffsetMs), outMs: 5000 + Math.round(videoOffsetMs) });
    expect(readNumbers(clip.outPath)).toEqual(range(75, 125));
    const { onsets } = readOnsets(clip.outPath);
    expect(Math.abs(onsets[0] ?? 9)).toBeLessThan(0.021);
    expect(Math.abs((onsets[1] ?? 9) - 1)).toBeLessThan(0.021);
  });

  test('of a video that begins later than its sound count from the start of the file', async () => {
    const source = ['-itsoffset', '0.48', ...numberedPicture({ rate: '25', frames: 150 }), ...beeps(6)];
    const path = bench.draw('late.mov', ...source, '-vsync', 'vfr', ...H264, '-c:a', 'aac');
    expect((await bench.ffmpeg.probeVideo({ path })).videoOffsetMs).toBeCloseTo(480, 0);
    const clip = await cut(path, { inMs: 2000, outMs: 4000 });
    // 2,000 ms of the file is 1,520 ms of the picture.
    expect(readNumbers(clip.outPath)).toEqual(range(38, 88));
    expect(Math.abs(readOnsets(clip.outPath).onsets[0] ?? 9)).toBeLessThan(0.01);
  });

  test('of AVI, which gives its frames no times, count by the frame rate', async () => {
    const path = bench.draw('c.avi', ...numberedPicture({ rate: '25', frames: 100 }), '-c:v', 'mpeg4', '-q:v', '2');
    const clip = await cut(path, { inMs: 1020, outMs: 2000 });
    expect(readNumbers(clip.outPath)).toEqual(range(25, 50));
  });

  test('of a variable frame rate keep each frame once and its time', async () => {
    // Every third frame is missing in the second half, as when a phone lowers its rate in the dark.
    const drop = ['-vf', "select='lt(t,2)+mod(n,3)'", '-vsync', 'vfr'];
    const path = bench.draw('vfr.mp4', ...numberedPicture({ rate: '30', frames: 150 }), ...drop, ...H264, '-bf', '2');
    const clip = await cut(path, { inMs: 1000, outMs: 4000 });
    const expected = range(30, 120).filter((frame) => frame < 60 || frame % 3 !== 0);
    expect(readNumbers(clip.outPath)).toEqual(expected);
    expect(clip.frames).toBe(expected.length);
    for (const [index, time] of readTimes(clip.outPath).entries()) {
      expect(time).toBeCloseTo(((expected[index] ?? 0) - 30) / 30, 2);
    }
  });

  test('of interlaced MXF are progressive, with a frame for each frame', async () => {
    const left = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4'];
    const right = ['-f', 'lavfi', '-i', 'anullsrc=channel_layout=mono:sample_rate=48000,atrim=duration=4'];
    const source = [...numberedPicture({ rate: '25', frames: 100, size: '720x576' }), ...left, ...right];
    const codec = [
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-c:v',
      'mpeg2video',
      '-q:v',
      '3',
      '-bf',
      '2',
      '-c:a',
      'pcm_s16le',
    ];
    const fields = ['-flags', '+ilme+ildct', '-vf', 'setfield=tff', '-top', '1', '-aspect', '16:9', '-ar', '48000'];
    const path = bench.draw('i.mxf', ...source, ...codec, ...fields);
    expect((await bench.ffmpeg.probeVideo({ path })).isInterlaced).toBe(true);
    const clip = await cut(path, { inMs: 1000, outMs: 2000 });
    expect(clip).toMatchObject({ method: 'encode', width: 1024, height: 576 });
    expect(readNumbers(clip.outPath, 1024 / 720)).toHaveLength(25);
    const stretched = bench.draw('i.mp4', '-i', clip.outPath, '-vf', 'scale=720:576', ...H264);
    expect(readNumbers(stretched)).toEqual(range(25, 50));
    expect(bench.peakDecibels(clip.outPath, 'left')).toBeGreaterThan(-30);
    expect(bench.peakDecibels(clip.outPath, 'right')).toBeLessThan(-60);
  });

  test.each([
    ['1:1', { left: 141, top: 0, width: 360, height: 360 }, { width: 360, height: 360 }],
    ['9:16', { left: 219, top: 0, width: 203, height: 360 }, { width: 202, height: 360 }],
  ])('of a part of the picture (%s) have even sides and all frames', async (_name, window, size) => {
    const path = bench.draw('w.mp4', ...numberedPicture({ rate: '25', frames: 60 }), ...H264);
    const clip = await cut(path, { inMs: 500, outMs: 1500, window });
    expect(clip).toMatchObject({ method: 'encode', ...size });
    expect(readNumbers(clip.outPath)).toEqual(range(12, 38));
  });

  test('show the part of the picture that was asked for, at the height that was asked for', async () => {
    const half = ['-f', 'lavfi', '-i', 'color=black:size=640x360:rate=25:duration=2,drawbox=w=320:color=white:t=fill'];
    const path = bench.draw('half.mp4', ...half, ...H264);
    const left = await cut(path, { inMs: 0, outMs: 400, window: { left: 0, top: 0, width: 202, height: 360 } });
    expect(bench.meanLuma(left.outPath)).toBeGreaterThan(220);
    const right = await cut(path, { inMs: 0, outMs: 400, window: { left: 438, top: 0, width: 202, height: 360 } });
    expect(bench.meanLuma(right.outPath)).toBeLessThan(30);
    const low = await cut(path, { inMs: 0, outMs: 400, maxHeightPx: 180 });
    expect(low).toMatchObject({ method: 'encode', width: 320, height: 180 });
    expect(await cut(path, { inMs: 0, outMs: 400, maxHeightPx: 2160 })).toMatchObject({ width: 640, height: 360 });
  });

  test('of a turned phone stand upright', async () => {
    const path = turnClockwise(bench.draw('t.mp4', ...numberedPicture({ rate: '25', frames: 50 }), ...H264));
    const clip = await cut(path, { inMs: 500, outMs: 1000 });
    expect(clip).toMatchObject({ method: 'encode', width: 360, height: 640, frames: 13 });
    // A copy cannot be turned; it says that players have to.
    const copy = await cut(path, { inMs: 0, outMs: 400 });
    expect(copy).toMatchObject({ method: 'copy', width: 360, height: 640, frames: 10 });
    expect(await bench.ffmpeg.probeVideo({ path: copy.outPath })).toMatchObject({ rotation: 90, width: 360 });
  });

  test('where the sound has ended, or has not begun, are silent there', async () => {
    const source = [...numberedPicture({ rate: '25', frames: 150 }), ...beeps(2)];
    const path = bench.draw('short.mp4', ...source, ...H264, '-c:a', 'aac');
    const clip = await cut(path, { inMs: 3000, outMs: 4000 });
    expect(clip).toMatchObject({ frames: 25, hasAudio: true });
    expect(readOnsets(clip.outPath)).toMatchObject({ onsets: [] });
    expect(Math.abs(readOnsets(clip.outPath).seconds - 1)).toBeLessThan(0.022);
  });

  test('of a video without sound have none, and at its end have its last frame', async () => {
    const path = bench.draw('mute.mp4', ...numberedPicture({ rate: '25', frames: 50 }), ...H264, '-bf', '2');
    const clip = await cut(path, { inMs: 1900, outMs: 9000 });
    expect(clip).toMatchObject({ hasAudio: false, frames: 3 });
    expect(readNumbers(clip.outPath)).toEqual([47, 48, 49]);
  });

  test('beyond the end, or longer than 30 minutes, are refused', async () => {
    const path = bench.draw('tiny.mp4', ...numberedPicture({ rate: '25', frames: 50 }), ...H264);
    await expect(cut(path, { inMs: 2000, outMs: 3000 })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(cut(path, { inMs: 0, outMs: 1_800_001 })).rejects.toMatchObject({ code: 'validation_failed' });
  });

  test('report rising progress, and end with the reason of the signal', async () => {
    const path = bench.draw('big.mp4', ...picture({ size: '1280x720', rate: '25', seconds: 16 }), ...H264);
    const probe = await bench.ffmpeg.probeVideo({ path });
    const ratios: number[] = [];
    const outPath = bench.file('aborted.tmp.mp4');
    const options = { path, probe, inMs: 100, outMs: 15_000, outPath, mode: 'auto' } as const;
    await bench.ffmpeg.cutClip({ ...options, onProgress: (ratio) => ratios.push(ratio) });
    expect(ratios.length).toBeGreaterThan(1);
    expect(ratios).toEqual(ratios.toSorted((left, right) => left - right));
    expect(ratios.at(-1)).toBe(1);
    const controller = new AbortController();
    const reason = new Error('the clip was cancelled');
    const made = bench.ffmpeg.cutClip({
      ...options,
      onProgress: () => controller.abort(reason),
      signal: controller.signal,
    });
    await expect(made).rejects.toBe(reason);
    expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout).not.toContain(outPath);
  });
});

import { copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  countingPicture,
  createWorkbench,
  H264,
  picture,
  skipsWithoutFfmpeg,
  turnClockwise,
  type Workbench,
} from './test-video.ts';

describe.skipIf(skipsWithoutFfmpeg)('stills (needs ffmpeg on the PATH)', () => {
  let bench: Workbench;
  beforeAll(() => {
    bench = createWorkbench();
  });
  afterAll(() => bench.remove());

  /** The number of the frame that `makeStill` takes at `atMs`, read from its bars. */
  const frameShown = async (path: string, atMs: number) => {
    const outPath = bench.file('still.tmp');
    await bench.ffmpeg.makeStill({ path, atMs, maxLongSidePx: 64, outPath });
    return bench.frameNumber(outPath);
  };

  test.each(['25', '30000/1001', '50', '24000/1001'])('show the frame of a player at %s frames/s', async (rate) => {
    const source = countingPicture({ rate, frames: 90 });
    const path = bench.draw('count.mp4', ...source, ...H264, '-bf', '2');
    const [num = 25, den = 1] = rate.split('/').map(Number);
    for (const frame of [0, 1, 2, 24, 50, 61, 89]) {
      const startMs = (frame * 1000 * den) / num;
      expect(await frameShown(path, Math.round(startMs)), `start of frame ${frame}`).toBe(frame);
      expect(await frameShown(path, Math.round(startMs + (700 * den) / num)), `late in frame ${frame}`).toBe(frame);
    }
  });

  test('count from the start of a transport stream whose clock does not begin at zero', async () => {
    const source = countingPicture({ rate: '25', frames: 60 });
    const path = bench.draw('count.ts', ...source, ...H264, '-output_ts_offset', '5000');
    expect(await frameShown(path, 1000)).toBe(25);
  });

  test('beyond the end show the last frame', async () => {
    const path = bench.draw('short.mp4', ...countingPicture({ rate: '25', frames: 50 }), ...H264);
    expect(await frameShown(path, 60_000)).toBe(49);
  });

  test('keep the aspect ratio, fit the long side and are never enlarged', async () => {
    const source = picture({ size: '720x576', rate: '25', seconds: 1 });
    const path = bench.draw('wide.mov', ...source, '-vf', 'setsar=64/45', ...H264);
    const still = (maxLongSidePx: number) =>
      bench.ffmpeg.makeStill({ path, atMs: 0, maxLongSidePx, outPath: bench.file('wide.jpg') });
    expect(await still(480)).toMatchObject({ width: 480, height: 270 });
    expect(await still(4000)).toMatchObject({ width: 1024, height: 576 });
    const { width, height } = bench.measure(bench.file('wide.jpg'));
    expect({ width, height }).toEqual({ width: 1024, height: 576 });
  });

  test('stand upright when the phone was held upright', async () => {
    // White on the left becomes white on top after a quarter turn clockwise.
    const half = [
      '-f',
      'lavfi',
      '-i',
      'color=black:size=320x180:rate=25:duration=1,drawbox=w=160:h=180:color=white:t=fill',
    ];
    const path = turnClockwise(bench.draw('upright.mp4', ...half, ...H264));
    const outPath = bench.file('upright.jpg');
    expect(await bench.ffmpeg.makeStill({ path, atMs: 0, maxLongSidePx: 320, outPath })).toMatchObject({
      width: 180,
      height: 320,
    });
    expect(bench.meanLuma(bench.draw('top.png', '-i', outPath, '-vf', 'crop=180:100:0:0'))).toBeGreaterThan(230);
    expect(bench.meanLuma(bench.draw('bottom.png', '-i', outPath, '-vf', 'crop=180:100:0:220'))).toBeLessThan(25);
  });

  test.each([
    // The reference white of ITU-R BT.2408, 203 cd/m2, is 58 % of the PQ signal and 75 % of the HLG signal.
    ['smpte2084', '0x949494'],
    ['arib-std-b67', '0xbfbfbf'],
  ])('of white in HDR (%s) are light and not clipped', async (transfer, grey) => {
    const source = ['-f', 'lavfi', '-i', `color=${grey}:size=64x64:rate=25:duration=1`];
    const tags = ['-color_primaries', 'bt2020', '-color_trc', transfer, '-colorspace', 'bt2020nc'];
    const path = bench.draw('hdr.mp4', ...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p10le', ...tags);
    const outPath = bench.file('hdr.jpg');
    await bench.ffmpeg.makeStill({ path, atMs: 0, maxLongSidePx: 64, outPath });
    expect(bench.meanLuma(outPath)).toBeGreaterThan(190);
    expect(bench.meanLuma(outPath)).toBeLessThan(245);
  });

  test('of a truncated file are the last ones that can be decoded', async () => {
    const source = countingPicture({ rate: '25', frames: 100 });
    const whole = bench.draw('fast.mp4', ...source, ...H264, '-g', '10', '-movflags', '+faststart');
    copyFileSync(whole, bench.file('cut.mp4'));
    truncateSync(bench.file('cut.mp4'), Math.floor(bench.bytesOf(whole) * 0.6));
    const frame = await frameShown(bench.file('cut.mp4'), 2800);
    expect(frame).toBeGreaterThan(0);
    expect(frame).toBeLessThan(70);
  });
});

describe.skipIf(skipsWithoutFfmpeg)('posters (needs ffmpeg on the PATH)', () => {
  let bench: Workbench;
  beforeAll(() => {
    bench = createWorkbench();
  });
  afterAll(() => bench.remove());

  const poster = async (path: string) => {
    const outPath = bench.file('poster.tmp');
    const probe = await bench.ffmpeg.probeVideo({ path });
    return { outPath, ...(await bench.ffmpeg.makePoster({ path, probe, outPath })) };
  };

  test('are taken after a black opening', async () => {
    const opening = ['-f', 'lavfi', '-i', 'color=black:size=320x180:rate=25:duration=4'];
    const join = ['-filter_complex', '[0][1]concat=n=2', ...H264];
    const path = bench.draw('fade.mp4', ...opening, ...picture({ size: '320x180', rate: '25', seconds: 6 }), ...join);
    const { outPath, width, height } = await poster(path);
    expect(bench.meanLuma(outPath)).toBeGreaterThan(60);
    expect({ width, height }).toEqual({ width: 320, height: 180 });
  });

  test('exist for a video that is black throughout and for one of a single frame', async () => {
    const black = ['-f', 'lavfi', '-i', 'color=black:size=320x180:rate=25:duration=2', ...H264];
    expect((await poster(bench.draw('black.mp4', ...black))).bytes).toBeGreaterThan(100);
    const single = [...picture({ size: '320x180', rate: '25', seconds: 1 }), '-frames:v', '1', ...H264];
    expect((await poster(bench.draw('single.mp4', ...single))).bytes).toBeGreaterThan(1000);
  });

  test('have a long side of 2048 pixels at most', async () => {
    const path = bench.draw('uhd.mp4', ...picture({ size: '3840x2160', rate: '25', seconds: 1 }), ...H264);
    expect(await poster(path)).toMatchObject({ width: 2048, height: 1152 });
  });

  test('of a file without a decodable frame are refused as damaged', async () => {
    const path = bench.draw('noise.mkv', ...picture({ size: '320x180', rate: '25', seconds: 2 }), ...H264);
    const probe = await bench.ffmpeg.probeVideo({ path });
    writeFileSync(path, 'The header is gone.');
    const made = bench.ffmpeg.makePoster({ path, probe, outPath: bench.file('none.jpg') });
    await expect(made).rejects.toMatchObject({ code: 'file_damaged' });
  });
});

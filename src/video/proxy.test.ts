import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, truncateSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  countingPicture,
  createWorkbench,
  H264,
  picture,
  skipsWithoutFfmpeg,
  tone,
  turnClockwise,
  type Workbench,
} from './test-video.ts';

describe.skipIf(skipsWithoutFfmpeg)('proxies (needs ffmpeg on the PATH)', () => {
  let bench: Workbench;
  beforeAll(() => {
    bench = createWorkbench();
  });
  afterAll(() => bench.remove());

  const proxyOf = async (path: string) => {
    const outPath = bench.file('proxy.tmp');
    const probe = await bench.ffmpeg.probeVideo({ path });
    const proxy = await bench.ffmpeg.makeProxy({ path, probe, outPath });
    return { outPath, proxy, source: probe, made: await bench.ffmpeg.probeVideo({ path: outPath }) };
  };
  const show = (path: string, ...args: string[]) =>
    spawnSync('ffprobe', ['-v', 'error', ...args, '-of', 'csv=print_section=0', path], {
      encoding: 'utf8',
    }).stdout.trim();

  test('are 720p H.264 high and AAC in MP4 with the index first and a keyframe every 50 frames', async () => {
    const source = [...picture({ size: '1920x1080', rate: '25', seconds: 5 }), ...tone(5)];
    const path = bench.draw('a.mov', ...source, ...H264, '-c:a', 'pcm_s16le', '-metadata', 'location=+46.05+014.50/');
    const { outPath, proxy, made } = await proxyOf(path);
    expect(proxy).toMatchObject({ width: 1280, height: 720, durationMs: 5000, truncated: false });
    expect(proxy.bytes).toBe(bench.bytesOf(outPath));
    expect(made).toMatchObject({
      containerFormat: 'mp4',
      videoCodec: 'h264',
      audioCodec: 'aac',
      frameRate: { num: 25, den: 1 },
    });
    expect(made.color).toMatchObject({ pixelFormat: 'yuv420p', space: 'bt709', range: 'tv' });
    expect(show(outPath, '-select_streams', 'v', '-show_entries', 'stream=profile')).toBe('High');
    const flags = show(outPath, '-select_streams', 'v', '-show_entries', 'packet=flags').split('\n');
    expect(flags.flatMap((flag, frame) => (flag.startsWith('K') ? [frame] : []))).toEqual([0, 50, 100]);
    expect(bench.indexOfBox(outPath, 'moov')).toBeLessThan(bench.indexOfBox(outPath, 'mdat'));
    expect(show(outPath, '-show_entries', 'format_tags=location')).toBe('');
  });

  test('keep 30000/1001 and show the same frame at the same time as the source', async () => {
    const path = bench.draw('b.mp4', ...countingPicture({ rate: '30000/1001', frames: 120 }), ...H264);
    const { outPath, made } = await proxyOf(path);
    expect(made.frameRate).toEqual({ num: 30000, den: 1001 });
    for (const atMs of [0, 1001, 2503]) {
      const stills = [path, outPath].map(async (video, index) => {
        const still = bench.file(`same-${index}.jpg`);
        await bench.ffmpeg.makeStill({ path: video, atMs, maxLongSidePx: 64, outPath: still });
        return bench.frameNumber(still);
      });
      const [fromSource, fromProxy] = await Promise.all(stills);
      expect(fromProxy).toBe(fromSource);
    }
  });

  test('have 60 frames a second at most', async () => {
    const { made } = await proxyOf(
      bench.draw('fast.mp4', ...picture({ size: '64x64', rate: '120', seconds: 1 }), ...H264),
    );
    expect(made.frameRate).toEqual({ num: 60, den: 1 });
    const half = await proxyOf(bench.draw('half.mp4', ...picture({ size: '64x64', rate: '100', seconds: 1 }), ...H264));
    expect(half.made.frameRate).toEqual({ num: 50, den: 1 });
  });

  test('of a variable frame rate get a constant one and keep their duration', async () => {
    // Every third frame is missing in the second half, as when a phone lowers its rate in the dark.
    const drop = ['-vf', "select='lt(t,2)+mod(n,3)'", '-vsync', 'vfr'];
    const path = bench.draw('vfr.mp4', ...picture({ size: '320x180', rate: '30', seconds: 4 }), ...drop, ...H264);
    const { source, made, proxy, outPath } = await proxyOf(path);
    expect(source.hasVariableFrameRate).toBe(true);
    expect(Math.abs(proxy.durationMs - 4000)).toBeLessThan(60);
    expect(made.hasVariableFrameRate).toBe(false);
    const durations = show(outPath, '-select_streams', 'v', '-show_entries', 'packet=duration').split('\n');
    expect(new Set(durations).size).toBe(1);
  });

  test('stand upright, are never enlarged and have even sides', async () => {
    const source = [...picture({ size: '640x360', rate: '25', seconds: 1 }), '-vf', 'format=yuv444p,crop=427:241'];
    const path = turnClockwise(bench.draw('turned.mp4', ...source, ...H264, '-pix_fmt', 'yuv444p'));
    const { made, source: probe } = await proxyOf(path);
    expect(probe).toMatchObject({ width: 241, height: 427 });
    expect(made).toMatchObject({ width: 240, height: 426, rotation: 0, hasAudio: false });
  });

  test('of a portrait video have a short side of 720 pixels', async () => {
    const { proxy } = await proxyOf(
      bench.draw('p.mp4', ...picture({ size: '1080x1920', rate: '25', seconds: 1 }), ...H264),
    );
    expect(proxy).toMatchObject({ width: 720, height: 1280 });
  });

  test('of interlaced MXF with two mono tracks are progressive, with square pixels and in stereo', async () => {
    const left = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2'];
    const right = ['-f', 'lavfi', '-i', 'anullsrc=channel_layout=mono:sample_rate=48000,atrim=duration=2'];
    const source = [...picture({ size: '720x576', rate: '50', seconds: 2 }), ...left, ...right];
    const fields = [
      '-vf',
      'tinterlace=interleave_top,fieldorder=tff',
      '-flags',
      '+ilme+ildct',
      '-r',
      '25',
      '-aspect',
      '16:9',
    ];
    const codec = ['-map', '0', '-map', '1', '-map', '2', '-c:v', 'mpeg2video', '-q:v', '3', '-c:a', 'pcm_s16le'];
    const path = bench.draw('i.mxf', ...source, ...fields, ...codec, '-ar', '48000');
    const { made, outPath } = await proxyOf(path);
    expect(made).toMatchObject({ width: 1024, height: 576, isInterlaced: false, audioTracks: [{ channels: 2 }] });
    expect(bench.peakDecibels(outPath, 'left')).toBeGreaterThan(-30);
    expect(bench.peakDecibels(outPath, 'right')).toBeLessThan(-60);
  });

  test('of 10 bit HDR are 8 bit BT.709', async () => {
    const tags = ['-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc'];
    const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', ...tags];
    const { made } = await proxyOf(
      bench.draw('h.mov', ...picture({ size: '320x180', rate: '50', seconds: 1 }), ...codec),
    );
    expect(made.color).toEqual({
      pixelFormat: 'yuv420p',
      bitDepth: 8,
      space: 'bt709',
      transfer: 'bt709',
      primaries: 'bt709',
      range: 'tv',
      isHdr: false,
    });
  });

  test('report rising progress that ends at 1', async () => {
    const path = bench.draw('long.mp4', ...picture({ size: '1280x720', rate: '25', seconds: 12 }), ...H264);
    const probe = await bench.ffmpeg.probeVideo({ path });
    const ratios: number[] = [];
    const onProgress = (progress: { readonly ratio: number }) => ratios.push(progress.ratio);
    await bench.ffmpeg.makeProxy({ path, probe, outPath: bench.file('long.tmp'), onProgress });
    expect(ratios.length).toBeGreaterThan(1);
    expect(ratios).toEqual(ratios.toSorted((left, right) => left - right));
    expect(ratios.at(-1)).toBe(1);
  });
});

describe.skipIf(skipsWithoutFfmpeg)('proxies of faulty files (needs ffmpeg on the PATH)', () => {
  let bench: Workbench;
  beforeAll(() => {
    bench = createWorkbench();
  });
  afterAll(() => bench.remove());

  const cutAt = (name: string, ratio: number): string => {
    const source = [...picture({ size: '320x180', rate: '25', seconds: 6 }), ...tone(6)];
    const whole = bench.draw('whole.mp4', ...source, ...H264, '-g', '10', '-movflags', '+faststart');
    copyFileSync(whole, bench.file(name));
    truncateSync(bench.file(name), Math.floor(bench.bytesOf(whole) * ratio));
    return bench.file(name);
  };

  test('are flagged as truncated when the file ends at 60 %', async () => {
    const path = cutAt('cut60.mp4', 0.6);
    const probe = await bench.ffmpeg.probeVideo({ path });
    expect(probe.durationMs).toBe(6000);
    const proxy = await bench.ffmpeg.makeProxy({ path, probe, outPath: bench.file('cut60.tmp') });
    expect(proxy.truncated).toBe(true);
    expect(proxy.durationMs).toBeGreaterThan(3000);
    expect(proxy.durationMs).toBeLessThan(4500);
  });

  test('are refused as damaged when the file ends at 30 %', async () => {
    const path = cutAt('cut30.mp4', 0.3);
    const probe = await bench.ffmpeg.probeVideo({ path });
    const made = bench.ffmpeg.makeProxy({ path, probe, outPath: bench.file('cut30.tmp') });
    await expect(made).rejects.toMatchObject({ code: 'file_damaged' });
  });

  test('end with the reason of the signal and leave no process behind', async () => {
    const path = bench.draw('big.mp4', ...picture({ size: '1920x1080', rate: '50', seconds: 8 }), ...H264);
    const probe = await bench.ffmpeg.probeVideo({ path });
    const controller = new AbortController();
    const reason = new Error('the asset was deleted');
    const outPath = bench.file('aborted.tmp');
    const onProgress = () => controller.abort(reason);
    const made = bench.ffmpeg.makeProxy({ path, probe, outPath, onProgress, signal: controller.signal });
    await expect(made).rejects.toBe(reason);
    expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout).not.toContain(outPath);
  });

  test('are ended when nothing moves for the stall time', async () => {
    // A named pipe that nobody writes to is a disk that never answers.
    const path = bench.draw('ok.mp4', ...picture({ size: '64x64', rate: '25', seconds: 1 }), ...H264);
    const probe = await bench.ffmpeg.probeVideo({ path });
    const pipe = bench.file('pipe.mp4');
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    const hasty = createWorkbench({ stallMs: 1500 });
    const made = hasty.ffmpeg.makeProxy({ path: pipe, probe, outPath: bench.file('stalled.tmp') });
    await expect(made).rejects.toMatchObject({ code: 'unavailable' });
    hasty.remove();
    expect(existsSync(bench.file('stalled.tmp'))).toBe(false);
  });

  test('wait for each other: one transcode runs at once', async () => {
    const path = bench.draw('two.mp4', ...picture({ size: '640x360', rate: '25', seconds: 4 }), ...H264);
    const probe = await bench.ffmpeg.probeVideo({ path });
    const order: string[] = [];
    const make = (name: string) =>
      bench.ffmpeg.makeProxy({ path, probe, outPath: bench.file(name), onProgress: () => order.push(name) });
    await Promise.all([make('first.tmp'), make('second.tmp')]);
    expect(order.lastIndexOf('first.tmp')).toBeLessThan(order.indexOf('second.tmp'));
  });
});

import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createWorkbench,
  H264,
  picture,
  skipsWithoutFfmpeg,
  tone,
  turnClockwise,
  type Workbench,
} from './test-video.ts';

describe.skipIf(skipsWithoutFfmpeg)('probing (needs ffmpeg on the PATH)', () => {
  let bench: Workbench;
  beforeAll(() => {
    bench = createWorkbench();
  });
  afterAll(() => bench.remove());

  const codeOf = (path: string) =>
    bench.ffmpeg.probeVideo({ path }).then(
      () => 'accepted',
      (error) => error.code,
    );

  test('reads size, rate, duration, codecs, time and timecode of a QuickTime file', async () => {
    const meta = ['-timecode', '10:00:00:00', '-metadata', 'creation_time=2024-05-01T18:20:30Z'];
    const source = [...picture({ size: '320x180', rate: '25', seconds: 2 }), ...tone(2)];
    const path = bench.draw('a.mov', ...source, ...H264, '-c:a', 'aac', ...meta);
    expect(await bench.ffmpeg.probeVideo({ path })).toMatchObject({
      durationMs: 2000,
      width: 320,
      height: 180,
      rotation: 0,
      frameRate: { num: 25, den: 1 },
      hasVariableFrameRate: false,
      isInterlaced: false,
      videoCodec: 'h264',
      audioCodec: 'aac',
      hasAudio: true,
      containerFormat: 'mov',
      createdAt: new Date('2024-05-01T18:20:30Z'),
      startTimecode: '10:00:00:00',
      color: { pixelFormat: 'yuv420p', bitDepth: 8, isHdr: false },
    });
  });

  test.each([
    ['30000/1001', { num: 30000, den: 1001 }],
    ['50', { num: 50, den: 1 }],
    ['60000/1001', { num: 60000, den: 1001 }],
  ])('keeps the rate %s rational', async (rate, expected) => {
    const path = bench.draw('rate.mp4', ...picture({ size: '64x64', rate, seconds: 1 }), ...H264);
    const probe = await bench.ffmpeg.probeVideo({ path });
    expect(probe.frameRate).toEqual(expected);
    expect(probe).not.toHaveProperty('audioCodec');
    expect(probe.hasAudio).toBe(false);
  });

  test('reads an MXF file with two mono tracks and its timecode', async () => {
    const source = [...picture({ size: '720x576', rate: '25', seconds: 1 }), ...tone(1), ...tone(1)];
    const codec = ['-map', '0', '-map', '1', '-map', '2', '-c:v', 'mpeg2video', '-aspect', '16:9', '-c:a', 'pcm_s16le'];
    const path = bench.draw('a.mxf', ...source, ...codec, '-ar', '48000', '-timecode', '09:59:30:00');
    expect(await bench.ffmpeg.probeVideo({ path })).toMatchObject({
      width: 1024,
      height: 576,
      containerFormat: 'mxf',
      videoCodec: 'mpeg2video',
      startTimecode: '09:59:30:00',
      audioTracks: [{ channels: 1 }, { channels: 1 }],
    });
  });

  test('reports the size of a phone video as it is seen after rotation', async () => {
    const path = turnClockwise(
      bench.draw('turned.mp4', ...picture({ size: '320x180', rate: '30', seconds: 1 }), ...H264),
    );
    expect(await bench.ffmpeg.probeVideo({ path })).toMatchObject({ width: 180, height: 320, rotation: 90 });
  });

  test.each([
    ['a.mkv', 'matroska'],
    ['a.ts', 'mpegts'],
    ['a.avi', 'avi'],
  ])('opens %s', async (name, containerFormat) => {
    const path = bench.draw(name, ...picture({ size: '64x64', rate: '25', seconds: 1 }), ...H264);
    const probe = await bench.ffmpeg.probeVideo({ path });
    expect(probe.containerFormat).toBe(containerFormat);
    expect(Math.abs(probe.durationMs - 1000)).toBeLessThanOrEqual(40);
  });

  test('finds the duration of a recording that does not state it by reading its packets', async () => {
    const path = bench.draw('live.mkv', ...picture({ size: '64x64', rate: '25', seconds: 2 }), ...H264, '-live', '1');
    expect((await bench.ffmpeg.probeVideo({ path })).durationMs).toBe(2000);
  });

  test('knows interlaced and HDR pictures', async () => {
    const interlace = [
      '-vf',
      'tinterlace=interleave_top,fieldorder=tff',
      '-flags',
      '+ilme+ildct',
      '-c:v',
      'mpeg2video',
    ];
    const fields = bench.draw(
      'i.mxf',
      ...picture({ size: '720x576', rate: '50', seconds: 1 }),
      ...interlace,
      '-r',
      '25',
    );
    expect((await bench.ffmpeg.probeVideo({ path: fields })).isInterlaced).toBe(true);
    const tags = ['-color_primaries', 'bt2020', '-color_trc', 'arib-std-b67', '-colorspace', 'bt2020nc'];
    const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', ...tags];
    const hdr = bench.draw('hdr.mp4', ...picture({ size: '64x64', rate: '25', seconds: 1 }), ...codec);
    expect((await bench.ffmpeg.probeVideo({ path: hdr })).color).toMatchObject({
      bitDepth: 10,
      primaries: 'bt2020',
      transfer: 'arib-std-b67',
      isHdr: true,
    });
  });

  test('refuses a playlist, a concat script and a text named .mp4', async () => {
    const segment = bench.draw('segment.ts', ...picture({ size: '64x64', rate: '25', seconds: 1 }), ...H264);
    const texts = {
      'playlist.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${segment}\n#EXT-X-ENDLIST\n`,
      'concat.mp4': `ffconcat version 1.0\nfile '${segment}'\n`,
      'text.mp4': 'The match was postponed because of rain.\n'.repeat(50),
    };
    for (const [name, text] of Object.entries(texts)) {
      writeFileSync(bench.file(name), text);
      expect(await codeOf(bench.file(name)), name).toBe('unsupported_media_type');
    }
  });

  test('refuses sound without a picture, also when it carries a cover', async () => {
    const sound = bench.draw('sound.m4a', ...tone(1), '-c:a', 'aac');
    expect(await codeOf(sound)).toBe('unsupported_media_type');
    const cover = bench.draw('cover.jpg', ...picture({ size: '64x64', rate: '25', seconds: 1 }), '-frames:v', '1');
    const args = ['-i', sound, '-i', cover, '-map', '0', '-map', '1', '-c', 'copy', '-disposition:v:0', 'attached_pic'];
    expect(await codeOf(bench.draw('covered.m4a', ...args))).toBe('unsupported_media_type');
  });

  test('calls a video without its index damaged, and an empty file empty', async () => {
    const whole = bench.draw('whole.mp4', ...picture({ size: '320x180', rate: '25', seconds: 2 }), ...H264);
    copyFileSync(whole, bench.file('cut.mp4'));
    truncateSync(bench.file('cut.mp4'), Math.floor(readFileSync(whole).length * 0.6));
    expect(await codeOf(bench.file('cut.mp4'))).toBe('file_damaged');
    writeFileSync(bench.file('empty.mp4'), '');
    expect(await codeOf(bench.file('empty.mp4'))).toBe('file_empty');
  });

  test('refuses a file of more than 12 hours', async () => {
    // One frame a minute keeps the file small.
    const path = bench.draw('long.mkv', ...picture({ size: '16x16', rate: '1/60', seconds: 13 * 3600 }), ...H264);
    expect(await codeOf(path)).toBe('file_limits_exceeded');
  });

  test('reads a name with a colon, a space and a leading dash as a file', async () => {
    const path = bench.draw('plain.mp4', ...picture({ size: '64x64', rate: '25', seconds: 1 }), ...H264);
    for (const name of ['concat:a b.mp4', '-i.mp4', '%03d.mp4']) {
      copyFileSync(path, bench.file(name));
      expect((await bench.ffmpeg.probeVideo({ path: bench.file(name) })).durationMs).toBe(1000);
    }
  });

  test('ends with the reason of the signal when it is aborted', async () => {
    const reason = new Error('the upload was deleted');
    const path = bench.file('plain.mp4');
    await expect(bench.ffmpeg.probeVideo({ path, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('is refused as a missing capability when there is no ffprobe', async () => {
    const path = bench.file('plain.mp4');
    for (const ffprobePath of [undefined, '/nonexistent/ffprobe']) {
      const other = createWorkbench({ ffprobePath });
      await expect(other.ffmpeg.probeVideo({ path })).rejects.toMatchObject({ code: 'capability_missing' });
      other.remove();
    }
  });
});

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createWorkbench,
  H264,
  picture,
  skipsWithoutFfmpeg,
  tone,
  turnClockwise,
  type Workbench,
} from '../../src/video/test-video.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { filesBelow, searchMedia, storedObjects } from '../support/library.ts';

type Stream = {
  readonly codec_type: string;
  readonly codec_name: string;
  readonly width?: number;
  readonly height?: number;
};

describe.skipIf(skipsWithoutFfmpeg)('videos (needs ffmpeg)', () => {
  let service: TestApp;
  let bench: Workbench;
  beforeAll(async () => {
    service = await startApp();
    bench = createWorkbench();
  });
  afterAll(async () => {
    bench.remove();
    await service.close();
  });

  const upload = async (path: string, name: string): Promise<Json> => {
    const answer = await service.upload(readFileSync(path), { name, headers: { Prefer: 'wait=60' } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body['media'];
  };
  const load = async (url: string) => {
    const answer = await fetch(url);
    expect([url, answer.status]).toEqual([url, 200]);
    return Buffer.from(await answer.arrayBuffer());
  };
  /** What ffprobe says of a file of the service. */
  async function probe(url: string): Promise<{ streams: Stream[]; durationMs: number; bytes: Buffer }> {
    const bytes = await load(url);
    const path = bench.file('downloaded.mp4');
    writeFileSync(path, bytes);
    const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path];
    const found = JSON.parse(execFileSync('ffprobe', args, { encoding: 'utf8' })) as Json;
    return { streams: found['streams'], durationMs: Number(found['format'].duration) * 1000, bytes };
  }
  const codecs = (streams: readonly Stream[]) => streams.map((stream) => stream.codec_name).toSorted();
  const expectAbout = (actual: number, expected: number, tolerance: number) =>
    expect(Math.abs(actual - expected), `${actual} is about ${expected}`).toBeLessThanOrEqual(tolerance);

  test('an MP4 with sound gets a playable 720p proxy, a poster and a thumbnail', async () => {
    const source = [...picture({ size: '1920x1080', rate: '25', seconds: 2 }), ...tone(2)];
    const path = bench.draw('sound.mp4', ...source, ...H264, '-c:a', 'aac', '-shortest');
    const media = await upload(path, 'goal.mp4');
    expect(media).toMatchObject({
      status: 'ready',
      media_type: 'video',
      mime_type: 'video/mp4',
      width: 1920,
      height: 1080,
      orientation: 'landscape',
      frame_rate: { num: 25, den: 1 },
      video: { codec: 'h264', has_audio: true, audio_codec: 'aac', rotation: 0 },
      warnings: [],
    });
    expectAbout(media['duration_ms'], 2000, 60);
    const { photographer, compressed, thumbnail } = media['qualities'];
    expect((await load(photographer.url)).equals(readFileSync(path))).toBe(true);
    expect(compressed).toMatchObject({ width: 1280, height: 720, mime_type: 'video/mp4' });
    const proxy = await probe(compressed.url);
    expect(codecs(proxy.streams)).toEqual(['aac', 'h264']);
    expect(proxy.streams.find((stream) => stream.codec_type === 'video')).toMatchObject({ width: 1280, height: 720 });
    expectAbout(proxy.durationMs, 2000, 80);
    // Fast start: a player has the index before the pictures.
    expect(proxy.bytes.indexOf('moov')).toBeLessThan(proxy.bytes.indexOf('mdat'));
    expect(thumbnail).toMatchObject({ width: 480, height: 270, mime_type: 'image/jpeg' });
    expect(await sharp(await load(thumbnail.url)).metadata()).toMatchObject({ format: 'jpeg', width: 480 });
    expect(media['files'].map((file: Json) => file['details'])).toEqual([
      'photographer_quality',
      'compressed_quality',
      'thumbnail_quality',
    ]);
    const part = await fetch(compressed.url, { headers: { Range: 'bytes=0-99' } });
    expect([part.status, part.headers.get('content-type')]).toEqual([206, 'video/mp4']);
    const found = await searchMedia(service, { media_type: 'video', duration_ms: { gte: 1900, lte: 2100 } });
    expect(found['total']).toBe(1);
  });

  test('an image URL of a video shows its poster, in the size asked for', async () => {
    const path = bench.draw('poster.mp4', ...picture({ size: '1280x720', rate: '30', seconds: 1 }), ...H264);
    const media = await upload(path, 'poster.mp4');
    for (const [query, width, height] of [
      ['?w=320&fmt=jpeg', 320, 180],
      ['?w=200&h=200&fmt=webp', 200, 200],
      ['?w=1000&fmt=jpeg', 1000, 563],
      ['?fmt=jpeg', 1280, 720],
    ] as const) {
      const shown = await load(media['images'].url + query);
      expect(await sharp(shown).metadata()).toMatchObject({ width, height });
      // A picture and not a black frame.
      expect(Math.max(...(await sharp(shown).stats()).channels.map((channel) => channel.stdev))).toBeGreaterThan(20);
    }
    for (const name of ['square', 'portrait', 'landscape', 'story']) await load(media['images'][name]);
  });

  test.each<[string, string, string[], object]>([
    ['a MOV', 'clip.mov', H264, { mime_type: 'video/quicktime', frame_rate: { num: 25, den: 1 } }],
    [
      'an MXF',
      'clip.mxf',
      ['-c:v', 'mpeg2video', '-b:v', '8M', '-c:a', 'pcm_s16le', '-ar', '48000'],
      { mime_type: 'application/mxf', video: { codec: 'mpeg2video' } },
    ],
  ])('%s gets an MP4 proxy that plays, and keeps its own bytes', async (_what, name, encoder, facts) => {
    const path = bench.draw(name, ...picture({ size: '640x360', rate: '25', seconds: 1 }), ...tone(1), ...encoder);
    const media = await upload(path, name);
    expect(media).toMatchObject({ status: 'ready', media_type: 'video', width: 640, height: 360, ...facts });
    expectAbout(media['duration_ms'], 1000, 60);
    const original = media['qualities'].photographer;
    expect(original.url).toMatch(new RegExp(`photographer\\.${name.split('.')[1]}$`));
    expect((await load(original.url)).equals(readFileSync(path))).toBe(true);
    const proxy = await probe(media['qualities'].compressed.url);
    expect(codecs(proxy.streams)).toEqual(['aac', 'h264']);
    // Never enlarged.
    expect(media['qualities'].compressed).toMatchObject({ width: 640, height: 360 });
  });

  test('a video without sound gets a proxy without sound', async () => {
    const path = bench.draw('silent.mp4', ...picture({ size: '320x240', rate: '25', seconds: 1 }), ...H264);
    const media = await upload(path, 'silent.mp4');
    expect(media).toMatchObject({ status: 'ready', video: { has_audio: false, audio_codec: null } });
    expect(codecs((await probe(media['qualities'].compressed.url)).streams)).toEqual(['h264']);
  });

  test('a video that a phone took upright is upright in every tier', async () => {
    const path = bench.draw('phone.mp4', ...picture({ size: '1280x720', rate: '25', seconds: 1 }), ...H264);
    const media = await upload(turnClockwise(path), 'phone.mp4');
    expect(media).toMatchObject({ width: 720, height: 1280, orientation: 'portrait' });
    expect(media['qualities'].compressed).toMatchObject({ width: 720, height: 1280 });
    expect(media['qualities'].thumbnail).toMatchObject({ width: 270, height: 480 });
    const { streams } = await probe(media['qualities'].compressed.url);
    expect(streams[0]).toMatchObject({ width: 720, height: 1280 });
    expect(await sharp(await load(`${media['images'].url}?w=90&fmt=jpeg`)).metadata()).toMatchObject({
      width: 90,
      height: 160,
    });
  });

  test('a frame rate of 29.97 is kept as the fraction it is', async () => {
    const path = bench.draw('ntsc.mp4', ...picture({ size: '320x240', rate: '30000/1001', seconds: 2 }), ...H264);
    const media = await upload(path, 'ntsc.mp4');
    expect(media['frame_rate']).toEqual({ num: 30000, den: 1001 });
    expectAbout(media['duration_ms'], 2002, 40);
  });

  test('the time a camera wrote into its video is the capture time', async () => {
    const args = ['-metadata', 'creation_time=2026-03-14T19:30:00.000000Z'];
    const path = bench.draw('timed.mp4', ...picture({ size: '320x240', rate: '25', seconds: 1 }), ...H264, ...args);
    expect((await upload(path, 'timed.mp4'))['captured_at']).toBe('2026-03-14T19:30:00.000Z');
  });

  describe('damaged and hostile videos end as failed with a reason, or as far as they can be read', () => {
    const drawn = (seconds = 2) =>
      readFileSync(
        bench.draw(
          'whole.mp4',
          ...picture({ size: '320x240', rate: '25', seconds }),
          ...H264,
          '-movflags',
          '+faststart',
        ),
      );
    const settled = async (bytes: Buffer) => {
      const path = bench.file('hostile.mp4');
      writeFileSync(path, bytes);
      const media = await upload(path, 'hostile.mp4');
      expect(['ready', 'failed']).toContain(media['status']);
      if (media['status'] === 'failed') {
        expect(media['failure'].code).toMatch(/^(file_damaged|file_limits_exceeded|unsupported_media_type)$/);
        expect(media['failure'].reason).toMatch(/\w+ \w+ \w+/);
        expect(media['failure'].reason).not.toMatch(/\/tmp\/|ffmpeg -|0x[0-9a-f]{6}/);
      } else {
        expect(media['warnings'].length).toBeGreaterThan(0);
      }
      const { db } = service.app.installation;
      const referenced = await db.selectFrom('asset_file').select('storage_key').execute();
      expect(await storedObjects(service)).toEqual(referenced.map((row) => row.storage_key).toSorted());
      expect(await filesBelow(`${service.dataDir}/tmp`)).toEqual([]);
      return media['status'];
    };

    test('cut off in its pictures', async () => {
      const whole = drawn(6);
      expect(await settled(whole.subarray(0, Math.floor(whole.length * 0.7)))).toBe('ready');
      expect(await settled(whole.subarray(0, Math.floor(whole.length * 0.3)))).toBe('failed');
    });

    test('without its index', async () => {
      const whole = drawn();
      expect(await settled(whole.subarray(0, 300))).toBe('failed');
    });

    test('of 60,000 x 60,000 pixels, as only its container says', async () => {
      const bytes = Buffer.from(drawn());
      for (const [box, at] of [
        ['avc1', 4 + 24],
        ['tkhd', 4 + 76],
      ] as const) {
        const start = bytes.indexOf(box) + at;
        if (box === 'avc1') bytes.writeUInt16BE(60_000, start);
        if (box === 'avc1') bytes.writeUInt16BE(60_000, start + 2);
        if (box === 'tkhd') bytes.writeUInt32BE(0xea60_0000, start);
        if (box === 'tkhd') bytes.writeUInt32BE(0xea60_0000, start + 4);
      }
      writeFileSync(bench.file('absurd.mp4'), bytes);
      // The pictures themselves say 320 x 240, and they are what is shown.
      const media = await upload(bench.file('absurd.mp4'), 'absurd.mp4');
      expect(media).toMatchObject({ status: 'ready', width: 320, height: 240 });
    });

    test('of random bytes behind a good beginning', async () => {
      const whole = Buffer.from(drawn());
      const at = whole.indexOf('mdat') + 4;
      for (let index = at; index < whole.length; index += 3) whole[index] = (index * 7919) % 256;
      await settled(whole);
    });

    test('that is a beginning and nothing else', async () => {
      expect(
        await settled(Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp41', 'latin1'), Buffer.alloc(5000)])),
      ).toBe('failed');
    });
  });
});

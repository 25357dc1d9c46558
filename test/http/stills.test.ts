import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { numberedPicture } from '../../src/video/test-clip.ts';
import { createWorkbench, H264, skipsWithoutFfmpeg, type Workbench } from '../../src/video/test-video.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { filesBelow, plainPhoto, uploadMedia } from '../support/library.ts';
import { readNumber } from '../support/numbered-still.ts';

/** Frames carry their number in blocks, so that a picture tells which one it is. */
const draw = (
  bench: Workbench,
  options: { readonly rate: string; readonly frames: number; readonly size?: string },
) => {
  const name = `${options.rate.replace('/', '-')}-${options.size ?? ''}.mp4`;
  return readFileSync(bench.draw(name, ...numberedPicture(options), ...H264, '-movflags', '+faststart'));
};

describe.skipIf(skipsWithoutFfmpeg)('stills of videos (needs ffmpeg)', () => {
  let service: TestApp;
  let bench: Workbench;
  let video: Json;
  let ntsc: Json;
  beforeAll(async () => {
    service = await startApp();
    bench = createWorkbench();
    video = await upload(draw(bench, { rate: '25', frames: 250 }));
    ntsc = await upload(draw(bench, { rate: '30000/1001', frames: 300 }));
  });
  afterAll(async () => {
    bench.remove();
    await service.close();
  });

  async function upload(bytes: Buffer): Promise<Json> {
    const answer = await service.upload(bytes, { name: 'numbered.mp4', headers: { Prefer: 'wait=60' } });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ media: { status: 'ready' } });
    return answer.body['media'];
  }
  const get = async (media: Json, query: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${media['images'].url}?${query}`, { headers, redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const frameAt = async (media: Json, t: string, query = 'fmt=png'): Promise<number> => {
    const answer = await get(media, `t=${t}&${query}`);
    expect(answer.status, answer.bytes.toString('utf8', 0, 500)).toBe(200);
    return readNumber(answer.bytes);
  };
  const act = async (media: Json, eventMs: number): Promise<Json> => {
    const body = { type: 'goal', start_ms: eventMs - 200, end_ms: eventMs + 200, event_ms: eventMs };
    const answer = await service.call('POST', `/v1/media/${media['id']}/action`, { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body['actions'][0];
  };

  describe('show the frame that plays', () => {
    test.each([
      ['0', 0],
      ['0.039', 0],
      ['0.04', 1],
      ['1', 25],
      ['3.5', 87],
      ['7.96', 199],
      ['9.96', 249],
      ['10', 249],
      ['86400', 249],
    ])('at %s s of 25 frames a second: frame %i', async (t, frame) => {
      expect(await frameAt(video, t)).toBe(frame);
    });

    test.each([
      ['0', 0],
      ['1', 29],
      ['1.002', 30],
      ['5.004', 149],
      ['5.005', 150],
      ['9.5', 284],
    ])('at %s s of 29.97 frames a second: frame %i', async (t, frame) => {
      expect(await frameAt(ntsc, t)).toBe(frame);
    });

    test('in any size and format, cropped, from one extraction', async () => {
      const small = await get(video, 't=6.2&w=320&fmt=jpeg');
      expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 180 });
      expect(await readNumber(small.bytes, 0.5)).toBe(155);
      const before = await stillFiles();
      const story = await get(video, 't=6.2&w=202&h=360&fmt=webp&f=center');
      expect(await sharp(story.bytes).metadata()).toMatchObject({ format: 'webp', width: 202, height: 360 });
      expect(await readNumber(story.bytes)).toBe(155);
      // Faces were looked for in the poster only.
      const chosen = await get(video, 't=6.2&w=202&h=360&f=faces,player:1,auto');
      expect(chosen.headers.get('x-focus')).toBe('attention');
      // The pictures that were made are kept; the frame that they were made from was there.
      expect(await stillFiles()).toBe(before + 2);
    });
  });

  const stillFiles = async () =>
    (await filesBelow(join(service.dataDir, 'cache', `${service.organizationId}`, `${video['id']}`))).length;

  test('a moment has one cached picture however it is written, and an ETag that ends in 304', async () => {
    const first = await get(video, 't=2.5&w=100&fmt=jpeg');
    expect(first.headers.get('cache-control')).toContain('immutable');
    expect(first.headers.get('x-cache')).toBe('miss');
    for (const t of ['2.500', '2.5000001', '02.5']) {
      const again = await get(video, `fmt=jpeg&w=100&t=${t}`);
      expect([again.headers.get('x-cache'), again.headers.get('etag')]).toEqual(['hit', first.headers.get('etag')]);
    }
    const etag = first.headers.get('etag') ?? '';
    const held = await get(video, 't=2.5&w=100&fmt=jpeg', { 'If-None-Match': etag });
    expect([held.status, held.bytes.length]).toEqual([304, 0]);
    expect((await get(video, 't=2.54&w=100&fmt=jpeg', { 'If-None-Match': etag })).status).toBe(200);
  });

  test('equal requests at once cost one extraction, and leave no temporary file', async () => {
    const sizes = [90, 110, 130, 150, 170, 190];
    const before = await stillFiles();
    const answers = await Promise.all(sizes.map((w) => get(video, `t=8.8&w=${w}&fmt=jpeg`)));
    expect(answers.map((answer) => answer.status)).toEqual(sizes.map(() => 200));
    expect(await stillFiles()).toBe(before + sizes.length + 1);
    expect(await readdir(join(service.dataDir, 'tmp', 'stills'))).toEqual([]);
  });

  test('an action shows its moment, also after it was moved', async () => {
    const action = await act(video, 4480);
    expect(await frameAt(video, `action:${action['id']}`)).toBe(112);
    const answer = await get(video, `t=action:${action['id']}&fmt=png`);
    expect(answer.headers.get('cache-control')).toMatch(/^public, max-age=300\b/);
    const etag = answer.headers.get('etag') ?? '';
    expect((await get(video, 't=4.48&fmt=png')).headers.get('etag')).toBe(etag);
    const held = await get(video, `t=action:${action['id']}&fmt=png`, { 'If-None-Match': etag });
    expect(held.status).toBe(304);

    const shown = await service.call('GET', `/v1/action/${action['id']}`);
    const poster = await fetch(shown.body['action'].poster_url);
    expect(new URL(shown.body['action'].poster_url).searchParams.get('t')).toBe('4.48');
    expect(await readNumber(Buffer.from(await poster.arrayBuffer()))).toBe(112);

    const body = { start_ms: 5000, end_ms: 6000, event_ms: 5520 };
    const moved = await service.call('PATCH', `/v1/action/${action['id']}`, { body });
    expect(moved.status, JSON.stringify(moved.body)).toBe(200);
    expect(await frameAt(video, `action:${action['id']}`)).toBe(138);
    const after = await get(video, `t=action:${action['id']}&fmt=png`, { 'If-None-Match': etag });
    expect(after.status).toBe(200);
  });

  test('an action that is not in this video is 404', async () => {
    const elsewhere = await act(ntsc, 1000);
    const gone = await act(video, 1000);
    await service.call('DELETE', `/v1/action/${gone['id']}`);
    for (const id of [elsewhere['id'], gone['id'], 999_999_999]) {
      const answer = await get(video, `t=action:${id}`);
      expect(answer.status).toBe(404);
      expect(answer.bytes.toString()).toContain(`action:${id}`);
    }
  });

  test.each(['-1', 'abc', '1:30', '86401', '1e2', 'action:', 'action:0', 'action:x', ''])(
    't=%s is refused by name',
    async (t) => {
      const answer = await get(video, `t=${encodeURIComponent(t)}`);
      expect(answer.status).toBe(400);
      const problem = JSON.parse(answer.bytes.toString());
      expect(JSON.stringify(problem)).toContain('"image_parameter_invalid"');
      expect(JSON.stringify(problem)).toContain('for t, received');
    },
  );

  test('photos have no moments', async () => {
    const photo = await uploadMedia(service, await plainPhoto(7));
    const answer = await get(photo, 't=1');
    expect(answer.status).toBe(400);
    expect(answer.bytes.toString()).toContain('expected a video for t');
  });

  test('faces cannot be hidden where nobody looked for them', async () => {
    const answer = await get(video, 't=1&redact=faces');
    expect(answer.status).toBe(409);
  });

  test('a still larger than the proxy comes from the original', async () => {
    const large = await upload(draw(bench, { rate: '25', frames: 30, size: '1920x1080' }));
    const answer = await get(large, 't=0.6&fmt=png');
    expect(await sharp(answer.bytes).metadata()).toMatchObject({ width: 1920, height: 1080 });
    expect(await readNumber(answer.bytes)).toBe(15);
    const small = await get(large, 't=0.6&w=640&fmt=png');
    expect(await sharp(small.bytes).metadata()).toMatchObject({ width: 640, height: 360 });
    expect(await readNumber(small.bytes, 1 / 3)).toBe(15);
  });
});

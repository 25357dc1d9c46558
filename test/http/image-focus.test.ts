import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BLUE, GREEN, quarters, RED, type Rgb } from '../fixtures/photos/painted-photo.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, pointersOf, uploadMedia } from '../support/library.ts';
import { xmpRegions } from '../support/regions.ts';

let service: TestApp;
let ana: number;
let ben: number;
let media: Json;
/** Faces that a person drew: Ana's in the red quarter, Ben's, which is larger, in the green one; nobody's in the blue one. */
const REGIONS = [
  { name: 'Ana', x: 0.1, y: 0.15, w: 0.1, h: 0.15 },
  { name: 'Ben', x: 0.7, y: 0.1, w: 0.2, h: 0.3 },
  { name: 'A guest', x: 0.2, y: 0.7, w: 0.05, h: 0.1 },
];
beforeAll(async () => {
  service = await startApp();
  ana = await createTag(service, { type: 'player', label: 'Ana', full_name: 'Ana' });
  ben = await createTag(service, { type: 'player', label: 'Ben', full_name: 'Ben' });
  const painted = quarters(1200, 800).withXmp(xmpRegions(REGIONS)).jpeg();
  media = await uploadMedia(service, await painted.toBuffer());
});
afterAll(() => service.close());

async function get(query: string, of: Json = media) {
  const answer = await fetch(`${of['images'].url}?fmt=png&${query}`, { redirect: 'manual' });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return {
    status: answer.status,
    focus: answer.headers.get('x-focus'),
    size: answer.headers.get('x-image-size'),
    bytes,
  };
}

async function middleOf(bytes: Buffer): Promise<Rgb> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * 3;
  return [data[at] ?? -1, data[at + 1] ?? -1, data[at + 2] ?? -1];
}
const expectColor = (actual: Rgb, expected: Rgb) => {
  const distance = Math.max(...actual.map((value, channel) => Math.abs(value - (expected[channel] ?? -999))));
  expect(distance, `${actual.join()} against ${expected.join()}`).toBeLessThan(16);
};

describe('f=player', () => {
  test('shows the face that is linked to the player, and says so', async () => {
    for (const [id, color] of [
      [ana, RED],
      [ben, GREEN],
    ] as const) {
      const { focus, size, bytes } = await get(`w=100&h=100&f=player:${id}&z=1`);
      expect([focus, size]).toEqual([`player:${id}`, '100x100']);
      expectColor(await middleOf(bytes), color);
    }
  });

  test('falls through for a player who is not in the picture, and for one that nobody knows', async () => {
    const absent = await createTag(service, { type: 'player', label: 'Cleo' });
    for (const id of [absent, 987_654_321]) {
      expect((await get(`w=100&h=100&f=player:${id},fp:0.1:0.9`)).focus).toBe('fp:0.1:0.9');
      expect(await get(`w=100&h=100&f=player:${id}`)).toMatchObject({ status: 200, focus: 'center' });
    }
  });

  test('follows a link by hand: the URL of before leads to the new one', async () => {
    const guest = media['faces'].findIndex((face: Json) => face['tag_option_id'] === undefined);
    const cleo = await createTag(service, { type: 'player', label: 'Cleo B' });
    const body = { tag_option_id: cleo };
    const linked = await service.call('PATCH', `/v1/media/${media['id']}/face/${guest}`, { body });
    expect(linked.status).toBe(200);
    const query = `w=60&h=60&f=player:${cleo},face&z=1`;
    expect((await get(query)).status).toBe(302);
    media = (await service.call('GET', `/v1/media/${media['id']}`)).body['media'];
    const { focus, bytes } = await get(query);
    expect(focus).toBe(`player:${cleo}`);
    expectColor(await middleOf(bytes), BLUE);
  });

  test('is one of the images that a search answers ready made', async () => {
    const images = [{ name: 'card', w: 60, h: 80, f: `player:${ana},faces`, z: 0.8 }];
    const found = await service.call('POST', '/v1/media/search', { body: { player: ana, images } });
    const answer = await fetch(found.body['media'][0].images.card);
    expect(answer.headers.get('x-focus')).toBe(`player:${ana}`);
    expect(answer.headers.get('x-image-size')).toBe('60x80');
  });
});

test('face=n takes the faces by prominence', async () => {
  for (const [n, color] of [
    [1, GREEN],
    [2, RED],
    [3, BLUE],
    [4, GREEN],
  ] as const) {
    const { focus, bytes } = await get(`w=60&h=60&f=face&z=1&face=${n}`);
    expect(focus).toBe('face');
    expectColor(await middleOf(bytes), color);
  }
});

test('a zoomed crop has the pixels that it shows, and those asked for with up=1', async () => {
  // Ana's face is 120 pixels high and wide: 3 widths with a pad of 1.
  expect((await get(`w=1000&h=1000&f=player:${ana}&z=1`)).size).toBe('360x360');
  expect((await get(`w=1000&h=1000&f=player:${ana}&z=1&pad=0.5`)).size).toBe('252x252');
  expect((await get(`w=1000&h=1000&f=player:${ana}&z=1&up=1`)).size).toBe('1000x1000');
});

test('rect shows a part; one that is outside of the picture is refused by name', async () => {
  const part = await get('rect=600,0,600,400');
  expect(part).toMatchObject({ status: 200, size: '600x400', focus: 'none' });
  expectColor(await middleOf(part.bytes), GREEN);
  const face = await get('rect=0,0,0.5,1&w=50&h=50&f=face&z=1');
  expectColor(await middleOf(face.bytes), RED);
  const { pathname } = new URL(media['images'].url);
  const refused = await service.call('GET', `${pathname}?rect=1200,0,10,10`, { key: null });
  expect([refused.status, refused.body['code'], pointersOf(refused)]).toEqual([
    400,
    'image_parameter_invalid',
    ['rect'],
  ]);
});

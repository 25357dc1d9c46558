import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSampleLibrary, toBulkItems } from '../../src/cli/sample-library.ts';
import { beeps, numberedPicture, readNumbers } from '../../src/video/test-clip.ts';
import { createWorkbench, H264, skipsWithoutFfmpeg, type Workbench } from '../../src/video/test-video.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { searchMedia, uploadMedia } from '../support/library.ts';

/** Recordings begin at these times of day; 21:02:10 is 82:10 of the match. */
const MAIN_STARTED = '2026-03-14T21:02:00.000Z';
const SECOND_STARTED = '2026-03-14T21:02:03.000Z';

type FeedEvent = { readonly id: number; readonly type: number; readonly time: string; readonly rest: string };

/** The feed of the match, drawn: a goal by number 7 with its assist, a save, a booking. */
function feed(events: readonly FeedEvent[]): string {
  const lines = events.map(
    ({ id, type, time, rest }) =>
      `<Event id="${id}" event_id="${id - 5000}" type_id="${type}" period_id="2" min="82" timestamp_utc="2026-03-14T${time}" outcome="1" x="90" y="44" ${rest}</Event>`,
  );
  return `<Games><Game id="321412" home_team_id="264278" away_team_id="345967">${lines.join('')}</Game></Games>`;
}
const AVERLEY = 'team_id="264278"';
const goal = (sec: number, time: string, version: number, player = '929961'): FeedEvent => ({
  id: 5003,
  type: 16,
  time,
  rest: `sec="${sec}" player_id="${player}" ${AVERLEY} version="${version}"><Q id="1" qualifier_id="29" /><Q id="2" qualifier_id="55" value="2" />`,
});
const EVENTS: readonly FeedEvent[] = [
  { id: 5001, type: 10, time: '21:02:05.000Z', rest: `sec="5" player_id="374772" ${AVERLEY} version="1">` },
  { id: 5002, type: 1, time: '21:02:08.000Z', rest: `sec="8" player_id="443307" ${AVERLEY} version="1">` },
  goal(10, '21:02:10.000Z', 1),
  {
    id: 5004,
    type: 17,
    time: '21:02:14.000Z',
    rest: `sec="14" player_id="217735" ${AVERLEY} version="1"><Q id="3" qualifier_id="31" value="" />`,
  },
];

describe.skipIf(skipsWithoutFfmpeg)('a match, from the roster to the clip (needs ffmpeg)', () => {
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

  const call = async (method: string, path: string, body?: unknown, status = 200): Promise<Json> => {
    const answer = await service.call(method, path, body === undefined ? {} : { body });
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(status);
    return answer.body;
  };
  const send = async (path: string, type: string, body: string): Promise<string> => {
    const headers = { 'X-Api-Key': service.key, 'Content-Type': type };
    const response = await fetch(service.url + path, { method: 'POST', headers, body });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  };
  /** Labels resolve to IDs first, as an integrator does it. */
  const idOf = async (type: string, query: string): Promise<number> => {
    const found = await call('GET', `/v1/tag/search?type=${type}&query=${encodeURIComponent(query)}`);
    return found['tag_options'][0]['id'];
  };
  const frames = async (url: string): Promise<number[]> => {
    const path = bench.file('downloaded.mp4');
    writeFileSync(path, Buffer.from(await (await fetch(url)).arrayBuffer()));
    return readNumbers(path);
  };
  const makeClip = async (path: string, body: object): Promise<Json> => {
    const answer = await service.call('POST', path, { body, headers: { Prefer: 'wait=30' } });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ clip: { state: 'ready' } });
    return answer.body['clip'];
  };
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

  test('roster, video, events, VAR, search and clip', { timeout: 180_000 }, async () => {
    // The roster and the fixtures of the club, as every night.
    const library = readSampleLibrary(readFileSync('sample/library.json', 'utf8'));
    const lines = toBulkItems(library, 'sample').map((item) => JSON.stringify(item));
    const sync = async () => {
      const answer = await send('/v1/tag/bulk', 'application/x-ndjson', lines.join('\n'));
      return JSON.parse(answer.trim().split('\n').at(-1) ?? '') as Json;
    };
    expect(await sync()).toMatchObject({ done: true, created: lines.length, failed: 0 });
    expect(await sync()).toMatchObject({ done: true, created: 0, updated: 0, unchanged: lines.length, failed: 0 });
    const match = await idOf('match', 'Port Averley FC 2-1 Brackmoor Athletic');
    const scorer = await idOf('player', 'Nunera');
    const assist = await idOf('player', 'Joao Valdremo');
    const averley = await idOf('club', 'Averley');

    // Two cameras; every frame carries its number.
    const camera = async (name: string, rate: string, metadata: object): Promise<number> => {
      const seconds = 20;
      const [num = 0, den = 1] = rate.split('/').map(Number);
      const source = [...numberedPicture({ rate, frames: Math.round((seconds * num) / den) }), ...beeps(seconds)];
      const path = bench.draw(name, ...source, ...H264, '-c:a', 'aac');
      const media = await uploadMedia(service, readFileSync(path), {
        name,
        metadata: { tag_options: [match], ...metadata },
        headers: { Prefer: 'wait=60' },
      });
      expect(media).toMatchObject({ status: 'ready', media_type: 'video' });
      return media['id'];
    };
    const main = await camera('main.mp4', '30000/1001', {});
    const second = await camera('second.mp4', '25/1', {});
    await call('PATCH', `/v1/media/${main}`, { timeline: { angle: 'main', started_at_wallclock: MAIN_STARTED } });
    await call('PATCH', `/v1/media/${second}`, { timeline: { angle: 'second', started_at_wallclock: SECOND_STARTED } });

    // Its events: looked at first, then taken.
    const importFeed = async (events: readonly FeedEvent[], query = ''): Promise<Json> =>
      JSON.parse(await send(`/v1/media/${main}/action/import${query}`, 'application/xml', feed(events)));
    expect(await importFeed(EVENTS, '?preview=true')).toMatchObject({ counts: { created: 4 }, unknown: [] });
    expect(await importFeed(EVENTS)).toMatchObject({ format: 'opta_f24', counts: { created: 4, failed: 0 } });
    expect(await importFeed(EVENTS)).toMatchObject({ counts: { unchanged: 4 } });

    // "Goal by 7 in the match after minute 80, second camera."
    const question = { type: 'goal', player: scorer, role: 'scorer', match, minute: { gte: 80, lte: 90 } };
    const goals = async (more: object = {}): Promise<Json> =>
      call('POST', '/v1/action/search', { ...question, ...more, facets: ['type', 'player'] });
    const found = await goals({ angle: 'second' });
    expect(found).toMatchObject({
      total: 1,
      actions: [
        { media_id: second, event_ms: 7000, start_tc: '00:00:07:00', minute: 83, period: 2, status: 'confirmed' },
      ],
      facets: { type: [{ label: 'Goal', count: 1 }] },
    });
    expect(found['facets']['player'].map((one: Json) => one['id']).toSorted((a: number, b: number) => a - b)).toEqual(
      [assist, scorer].toSorted((a, b) => a - b),
    );
    expect((await goals())['actions']).toMatchObject([{ media_id: main, event_ms: 10_000 }]);
    expect((await goals({ role: 'assist' }))['total']).toBe(0);
    const action = found['actions'][0]['id'];
    const inMedia = await searchMedia(service, { club: averley, action: question, sort: 'action.start_ms' });
    expect(inMedia['total']).toBe(2);
    expect(inMedia['media'].map((one: Json) => [one['id'], one['matched_actions'][0]['start_ms']])).toEqual([
      [second, 7000],
      [main, 10_000],
    ]);

    // VAR looks at it, and takes it back.
    await call('PATCH', `/v1/action/${action}`, { status: 'disputed' });
    await call('PATCH', `/v1/action/${action}`, { status: 'retracted', label: 'Offside in the build-up' });
    expect((await goals())['total']).toBe(0);
    expect(await goals({ status: 'retracted' })).toMatchObject({ total: 1 });
    expect((await searchMedia(service, { action: question }))['total']).toBe(0);
    const history = await call('GET', `/v1/action/${action}/history`);
    expect(history['history'].map((one: Json) => one['change'])).toEqual(['created', 'updated', 'retracted']);
    // The feed says the same again, which is no news, and then that the goal stands, half a second later.
    expect(await importFeed(EVENTS)).toMatchObject({ counts: { unchanged: 4 } });
    expect((await goals())['total']).toBe(0);
    const stands = await importFeed([...EVENTS.slice(0, 2), goal(10, '21:02:10.500Z', 2), ...EVENTS.slice(3)]);
    expect(stands['counts']).toMatchObject({ updated: 1, unchanged: 3 });
    expect((await goals())['actions']).toMatchObject([{ id: action, event_ms: 10_500, status: 'confirmed' }]);

    // The clip of it, to the frame: at 30000/1001 a second has not 30 frames.
    const clip = await makeClip(`/v1/action/${action}/clip`, { lead_ms: 2000, lag_ms: 1500 });
    expect(clip['segments']).toMatchObject([{ media_id: main, in_ms: 8500, out_ms: 12_000, event_ms: 10_500 }]);
    const frameAt = (ms: number) => Math.floor((ms * 30) / 1001);
    expect(await frames(clip['url'])).toEqual(range(frameAt(8500), Math.ceil((12_000 * 30) / 1001)));
    const other = await makeClip(`/v1/action/${action}/clip`, { media_id: second, lead_ms: 1000, lag_ms: 1000 });
    expect(await frames(other['url'])).toEqual(range(Math.floor(6.5 * 25), Math.ceil(8.5 * 25)));
    const poster = await sharp(Buffer.from(await (await fetch(clip['poster_url'])).arrayBuffer())).metadata();
    expect(poster).toMatchObject({ format: 'jpeg', width: 640, height: 360 });

    // A reel of everything that happened, upright for phones.
    const all = await call('POST', '/v1/action/search', { match, sort: 'start_ms' });
    const order = all['actions'].map((one: Json) => one['type_key']);
    expect(order).toEqual(['save', 'pass', 'goal', 'card_yellow']);
    const ids = all['actions'].map((one: Json) => one['id']);
    const reel = await makeClip('/v1/clip', { actions: ids, lead_ms: 500, lag_ms: 500, aspect: '9:16', name: 'Reel' });
    expect(reel).toMatchObject({ kind: 'reel', file: { height: 360 } });
    expect(reel['file']['width']).toBeLessThan(reel['file']['height']);
    expect(reel['segments']).toHaveLength(4);

    // All of it is in the feed of changes, in order.
    const events: Json[] = [];
    for (let after = 0; ; ) {
      const page = await call('GET', `/v1/event?after=${after}&limit=200`);
      events.push(...page['events']);
      if (page['events'].length === 0) break;
      after = page['events'].at(-1)['id'];
    }
    expect(events.map((one) => one['id'])).toEqual(range(1, events.length + 1));
    const types = events.filter((one) => one['object']['id'] === action && one['type'].startsWith('action.'));
    expect(types.map((one) => one['type'])).toEqual([
      'action.created',
      'action.updated',
      'action.retracted',
      'action.updated',
    ]);
    expect(events.filter((one) => one['type'] === 'clip.ready')).toHaveLength(3);
  });

  test('a photograph brings its IPTC, is described, edited in bulk and delivered with all of it', {
    timeout: 60_000,
  }, async () => {
    const field = { key: 'shot_by', label: 'Shot by', type: 'choice', choices: ['staff', 'agency'] };
    await call('POST', '/v1/detail-field', field, 201);
    const scorer = await idOf('player', 'Nunera');
    const photo = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#284' } })
      .jpeg()
      .withXmp(
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><dc:description><rdf:Alt><rdf:li xml:lang="x-default">Núñera turns away</rdf:li></rdf:Alt></dc:description><Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Núñera</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage></rdf:Description></rdf:RDF></x:xmpmeta>',
      )
      .toBuffer();
    const media = await uploadMedia(service, photo, { name: 'turn.jpg', metadata: { details: { shot_by: 'staff' } } });
    expect(media['details']).toMatchObject({ caption: 'Núñera turns away', shot_by: 'staff' });
    expect(media['tag_options']).toMatchObject([{ id: scorer, source: 'metadata' }]);
    const refused = await service.call('PATCH', `/v1/media/${media['id']}`, {
      body: { details: { shot_by: 'robot' } },
    });
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/details/shot_by' }] });

    const filter = { player: scorer, details: { shot_by: 'staff' } };
    const edited = await call('POST', '/v1/media/bulk', {
      filter,
      set: { details: { credit: 'Averley Media' }, rating: 4 },
    });
    expect(edited['results']).toEqual([{ id: media['id'], status: 'updated' }]);
    expect(await searchMedia(service, { text: 'averley media', rating: { gte: 4 } })).toMatchObject({ total: 1 });
    const download = await fetch(`${service.url}/v1/media/${media['id']}/download?metadata=embed`, {
      headers: { 'X-Api-Key': service.key },
    });
    expect(download.status).toBe(200);
    const delivered = Buffer.from(await download.arrayBuffer());
    expect(createHash('sha256').update(delivered).digest('hex')).not.toBe(media['sha256']);
    const { xmp } = await sharp(delivered).metadata();
    expect(xmp?.toString('utf8')).toMatch(/Averley Media/);
  });
});

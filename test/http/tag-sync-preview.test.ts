import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const NDJSON = 'application/x-ndjson';

async function sync(lines: readonly (object | string)[], query = ''): Promise<{ results: Json[]; summary: Json }> {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const headers = { 'X-Api-Key': service.key, 'Content-Type': NDJSON };
  const response = await fetch(`${service.url}/v1/tag/bulk${query}`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  const parsed = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  return { results: parsed.slice(0, -1), summary: parsed.at(-1) ?? {} };
}

/** What became of each line, without IDs that only a write gives. */
const outcomesOf = (results: readonly Json[]) =>
  results
    .map(({ index, line, status, error }) => ({
      index,
      line,
      status,
      code: error?.code,
      pointers: error?.errors.map((one: Json) => one['pointer']),
    }))
    .toSorted((a, b) => a.index - b.index);
const countTags = async (): Promise<number> =>
  (await service.call('GET', '/v1/tag/search?limit=0')).body['total'] as number;

const ref = (id: string) => ({ source: 'league', id });
const club = (id: string, more: object = {}) => ({
  type: 'club',
  label: `Club ${id}`,
  external_ids: { league: id },
  ...more,
});
const player = (n: number, more: object = {}) => ({
  type: 'player',
  label: `Player ${n}`,
  external_ids: { league: `p${n}` },
  relations: { clubs: [{ club: ref('c1'), shirt_number: n % 99 }] },
  ...more,
});

/** Three batches of 1,000: what they refer to lies before, behind, and in the library. */
const lines = (): (object | string)[] => [
  ...Array.from({ length: 1100 }, (_, n) => player(n)),
  club('c1', { relations: { parent: ref('c2') } }),
  club('c2'),
  // Of a line in another batch: changed again, as it is, of another type, and one option by two of its IDs.
  player(3, { label: 'Renamed' }),
  player(4),
  { type: 'club', label: 'No club', external_ids: { league: 'p5' } },
  player(9001, { external_ids: { league: 'p9001', opta: 'taken' } }),
  player(9002, { external_ids: { league: 'p9002', opta: 'taken' } }),
  ...Array.from({ length: 1000 }, (_, n) => player(2000 + n)),
  player(9003, { external_ids: { league: 'p9003', opta: 'taken' } }),
  // Above itself, over a line two batches before.
  club('c2', { relations: { parent: ref('c1') } }),
  player(9004, { relations: { clubs: [{ club: ref('nowhere') }] } }),
  // Waits for the line before it, which fails.
  player(9005, { relations: { sponsors: [{ sponsor: ref('lost') }] } }),
  { type: 'sponsor', external_ids: { league: 'lost' } },
  '{"type":',
  // An ID that one gives away, and another takes.
  { external_ids: { league: 'old', opta: null } },
  player(9006, { external_ids: { league: 'p9006', opta: 'given-away' } }),
  { external_ids: { league: 'old' }, label: 'Old' },
];

test('a preview says of each line what the sync then does, and writes nothing', async () => {
  await sync([
    { type: 'player', label: 'Old', external_ids: { league: 'old', opta: 'given-away' } },
    { type: 'player', label: 'Gone', external_ids: { league: 'gone' } },
  ]);
  const before = await countTags();
  const version = (await service.call('GET', '/v1/event?after=0&limit=1')).body['after'];
  const preview = await sync(lines(), '?preview=true');
  expect(await countTags()).toBe(before);
  expect((await service.call('GET', '/v1/event?after=0&limit=1')).body['after']).toBe(version);
  expect(preview.results.some(({ id }) => id !== undefined && id < 0)).toBe(false);

  const real = await sync(lines());
  expect(outcomesOf(preview.results)).toEqual(outcomesOf(real.results));
  const { version: _before, ...expected } = real.summary;
  expect(preview.summary).toMatchObject(expected);
  expect(expected).toMatchObject({ failed: 6, unchanged: 2 });

  const again = await sync(lines(), '?preview=true');
  expect(again.summary).toMatchObject({ created: 0, failed: 6, version: real.summary['version'] });
});

test('a preview counts what would be deactivated', async () => {
  const set = 'deactivate_missing=club:cup';
  await sync(['a', 'b', 'c'].map((id) => ({ type: 'club', label: id, external_ids: { cup: id } })));
  const kept = [{ type: 'club', label: 'a', external_ids: { cup: 'a' } }];
  expect((await sync(kept, `?preview=true&${set}`)).summary).toMatchObject({ unchanged: 1, deactivated: 2 });
  expect((await sync(kept, `?preview=true&${set}`)).summary).toMatchObject({ unchanged: 1, deactivated: 2 });
  expect((await sync(kept, `?${set}`)).summary).toMatchObject({ unchanged: 1, deactivated: 2 });
});

test('a preview asks for a stream of lines', async () => {
  const body = { tag_options: [{ type: 'club', label: 'A', external_ids: { cup: 'z' } }] };
  const answer = await service.call('POST', '/v1/tag/bulk?preview=true', { body });
  expect([answer.status, answer.body['errors'][0].pointer]).toEqual([400, 'preview']);
});

import { request as httpRequest } from 'node:http';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createTag, plainPhoto, pointersOf, uploadMedia } from '../support/library.ts';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const NDJSON = 'application/x-ndjson';
type Synced = { readonly status: number; readonly results: readonly Json[]; readonly summary: Json };

/** Sends lines, objects or texts, and reads the answer to its end. */
async function sync(lines: readonly (object | string)[], query = '', key = service.key): Promise<Synced> {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const headers = { 'X-Api-Key': key, 'Content-Type': NDJSON };
  const response = await fetch(`${service.url}/v1/tag/bulk${query}`, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200) return { status: response.status, results: [], summary: JSON.parse(text) };
  expect(response.headers.get('content-type')).toContain(NDJSON);
  const parsed = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);
  return { status: 200, results: parsed.slice(0, -1), summary: parsed.at(-1) ?? {} };
}

const read = async (id: number): Promise<Json> => (await service.call('GET', `/v1/tag/${id}`)).body['tag_option'];
const byExternal = async (source: string, id: string): Promise<Json | undefined> =>
  (await service.call('GET', `/v1/tag?external_id=${source}:${id}`)).body['tag_options'][0];
const countOf = async (source: string): Promise<number> => {
  const { db } = service.app.installation;
  const rows = await db.selectFrom('tag_external_id').select('tag_option_id').where('source', '=', source).execute();
  return rows.length;
};

/** 2,500 players before the 40 clubs and 3 stadiums they need. */
function roster(source: string): object[] {
  const ref = (id: string) => ({ source, id });
  const players = Array.from({ length: 2500 }, (_, n) => ({
    type: 'player',
    label: `Player ${n}`,
    aliases: [`P${n}`],
    external_ids: { [source]: `p${n}` },
    relations: { clubs: [{ club: ref(`c${n % 40}`), shirt_number: n % 99, from: '2025-07-01' }] },
  }));
  const clubs = Array.from({ length: 40 }, (_, n) => ({
    type: 'club',
    label: `Club ${n}`,
    external_ids: { [source]: `c${n}` },
    relations: { stadiums: [{ stadium: ref(`s${n % 3}`) }], parent: n === 0 ? null : ref('c0') },
  }));
  const stadiums = ['s0', 's1', 's2'].map((id) => ({
    type: 'stadium',
    label: `Ground ${id}`,
    external_ids: { [source]: id },
  }));
  return [...players, ...clubs, ...stadiums];
}

describe('a stream of tag options', () => {
  test('may refer to lines that come much later, and writes nothing the second time', async () => {
    const lines = roster('late');
    const first = await sync(lines);
    expect(first.summary).toMatchObject({
      done: true,
      created: 2543,
      updated: 0,
      unchanged: 0,
      failed: 0,
      deactivated: 0,
    });
    expect(first.results.map((one) => one['index']).toSorted((a, b) => a - b)).toEqual(lines.map((_, at) => at));
    const player = (await byExternal('late', 'p77')) ?? {};
    const club = (await byExternal('late', 'c37')) ?? {};
    expect(player['relations'].clubs).toMatchObject([{ club: club['id'], shirt_number: 77, from: '2025-07-01' }]);
    expect(club['relations'].parent).toBe((await byExternal('late', 'c0'))?.['id']);
    const found = await service.call('GET', '/v1/tag/search?query=club 37 77');
    expect(found.body['players'].map((one: Json) => one['id'])).toContain(player['id']);

    const second = await sync(lines);
    expect(second.summary).toEqual({
      done: true,
      created: 0,
      updated: 0,
      unchanged: 2543,
      failed: 0,
      deactivated: 0,
      version: first.summary['version'],
    });
    expect(await byExternal('late', 'p77')).toEqual(player);
  });

  test('writes only what differs, with one change for each option', async () => {
    const lines = roster('some').slice(-43);
    const before = await sync(lines);
    const after = await sync(lines.map((line, at) => (at === 5 ? { ...line, label: 'Renamed Club' } : line)));
    expect(after.summary).toMatchObject({ updated: 1, unchanged: 42, version: before.summary['version'] + 1 });
    expect(after.results[5]).toMatchObject({ index: 5, status: 'updated' });
    const moved = lines.map((line, at) =>
      at === 6 ? { ...line, relations: { stadiums: [{ stadium: { source: 'some', id: 's2' } }] } } : line,
    );
    const third = await sync(moved);
    // The label of line 5 goes back, and line 6 moves; its parent stays as it is.
    expect(third.summary).toMatchObject({ updated: 2, unchanged: 41, version: before.summary['version'] + 3 });
    expect((await byExternal('some', 'c6'))?.['relations']).toMatchObject({
      stadiums: [{ stadium: (await byExternal('some', 's2'))?.['id'] }],
      parent: (await byExternal('some', 'c0'))?.['id'],
    });
  });

  test('says of each line that cannot be taken what is wrong with it, and takes the others', async () => {
    const { results, summary } = await sync([
      '﻿{"type":"club","label":"First","external_ids":{"odd":"1"}}\r',
      '',
      '{"type":"club"',
      'null',
      '"text"',
      { type: 'club', label: 'Unknown field', external_ids: { odd: '2' }, colour: 'red' },
      {
        type: 'player',
        label: 'No club',
        external_ids: { odd: '3' },
        relations: { clubs: [{ club: { source: 'odd', id: 'nobody' } }] },
      },
      {
        type: 'player',
        label: 'After it ended',
        external_ids: { odd: '4' },
        relations: { clubs: [{ club: { source: 'odd', id: '1' }, from: '2026-01-01', to: '2025-01-01' }] },
      },
      { type: 'club', label: 'x'.repeat(256 * 1024), external_ids: { odd: '5' } },
      { type: 'stadium', label: 'Not a club', external_ids: { odd: '1' } },
      { label: 'No external id', type: 'club' },
      { type: 'club', label: 'Last', external_ids: { odd: '6' } },
    ]);
    const faults = results
      .filter((one) => one['status'] === 'failed')
      .toSorted((a, b) => a['index'] - b['index'])
      .map((one) => [one['line'], one['error'].code, one['error'].errors[0]?.pointer]);
    expect(faults).toEqual([
      [3, 'malformed_json', undefined],
      [4, 'validation_failed', ''],
      [5, 'validation_failed', ''],
      [6, 'validation_failed', '/colour'],
      [7, 'validation_failed', '/relations/clubs/0'],
      [8, 'validation_failed', '/relations/clubs/0/to'],
      [9, 'payload_too_large', undefined],
      [10, 'validation_failed', '/type'],
      [11, 'validation_failed', '/external_ids'],
    ]);
    expect(summary).toMatchObject({ done: true, created: 2, failed: 9 });
    expect(await countOf('odd')).toBe(2);
  });

  test('takes the same option twice in order, and an external id that moves from one to another', async () => {
    const { results, summary } = await sync([
      { type: 'club', label: 'One', external_ids: { twice: 'a' } },
      { label: 'One again', external_ids: { twice: 'a', other: 'b' } },
      { label: 'One again', external_ids: { other: 'b' } },
      { external_ids: { twice: 'a', other: null } },
      { type: 'club', label: 'Two', external_ids: { other: 'b' } },
      { external_ids: { twice: 'a', other: 'b' } },
    ]);
    expect(results.map((one) => one['status'])).toEqual([
      'created',
      'updated',
      'unchanged',
      'updated',
      'created',
      'failed',
    ]);
    expect(results[5]?.['error'].code).toBe('external_id_taken');
    expect(summary).toMatchObject({ created: 2, updated: 2, unchanged: 1, failed: 1 });
    expect(await byExternal('twice', 'a')).toMatchObject({ label: 'One again', external_ids: { twice: 'a' } });
    expect(await byExternal('other', 'b')).toMatchObject({ label: 'Two' });
  });

  test('leaves nothing of an item that waits for one that fails', async () => {
    const { results, summary } = await sync([
      {
        type: 'player',
        label: 'Waiting',
        external_ids: { wait: 'p' },
        relations: { clubs: [{ club: { source: 'wait', id: 'c' } }] },
      },
      { type: 'club', external_ids: { wait: 'c' } },
    ]);
    expect(results.map((one) => [one['index'], one['status'], one['error'].errors[0].pointer])).toEqual([
      [1, 'failed', '/label'],
      [0, 'failed', '/relations/clubs/0'],
    ]);
    expect(summary).toMatchObject({ created: 0, failed: 2 });
    expect(await countOf('wait')).toBe(0);
  });

  test('is refused before anything is written when it is empty, too long, or without a scope', async () => {
    expect((await sync(['', ' '])).status).toBe(400);
    const many = await sync(Array.from({ length: 50_001 }, (_, n) => `{"external_ids":{"many":"${n}"}}`));
    expect([many.status, many.summary['code']]).toEqual([413, 'payload_too_large']);
    const reader = await service.createKey({ scopes: ['media.read'] });
    expect((await sync([{}], '', reader)).status).toBe(403);
    for (const query of ['?deactivate_missing=player', '?deactivate_missing=referee:opta', '?unknown=1']) {
      expect((await sync([{ type: 'club', label: 'A', external_ids: { none: '1' } }], query)).status, query).toBe(400);
    }
    expect(await countOf('none')).toBe(0);
    const json = await service.call('POST', '/v1/tag/bulk?deactivate_missing=player:opta', {
      body: { tag_options: [{ type: 'club', label: 'A', external_ids: { none: '1' } }] },
    });
    expect([json.status, pointersOf(json)]).toEqual([400, ['deactivate_missing']]);
    const text = await service.call('POST', '/v1/tag/bulk', { body: 'a,b', headers: { 'Content-Type': 'text/csv' } });
    expect(text.status).toBe(415);
  });

  test('lets other writes in between its batches', async () => {
    const running = sync(roster('busy'));
    const between = await service.call('POST', '/v1/tag', { body: { type: 'tag', label: 'In between' } });
    const { summary } = await running;
    expect(summary['created']).toBe(2543);
    expect(Number(between.headers.get('x-library-version'))).toBeLessThan(summary['version']);
  });

  test('whose client goes away leaves whole batches behind, and the next one does the rest', async () => {
    const lines = Array.from({ length: 12_000 }, (_, n) =>
      JSON.stringify({ type: 'player', label: `Gone ${n}`, external_ids: { gone: `g${n}` } }),
    );
    const answered = await new Promise<number>((resolve, reject) => {
      const url = new URL(`${service.url}/v1/tag/bulk`);
      const call = httpRequest(url, { method: 'POST', headers: { 'X-Api-Key': service.key, 'Content-Type': NDJSON } });
      call.on('error', reject);
      call.on('response', (response) => {
        response.once('data', (chunk: Buffer) => {
          resolve(chunk.toString().split('\n').length - 1);
          call.destroy();
        });
        response.on('error', () => {});
      });
      call.end(lines.join('\n'));
    });
    expect(answered).toBeGreaterThan(0);
    // The batch that runs meanwhile is finished, and no other begins: the same count twice with a write of ours in between.
    let before = -1;
    let now = await countOf('gone');
    while (now !== before) {
      await createTag(service, { type: 'tag', label: 'Behind it' });
      before = now;
      now = await countOf('gone');
    }
    expect(now % 1000).toBe(0);
    expect(now).toBeGreaterThanOrEqual(1000);
    expect(now).toBeLessThan(12_000);
    const again = await sync(lines);
    // A busy machine may have begun one more batch after the last look.
    const { created, unchanged } = again.summary;
    expect(again.summary['failed']).toBe(0);
    expect(Number(created) + Number(unchanged)).toBe(12_000);
    expect(Number(unchanged) % 1000).toBe(0);
    expect(Number(unchanged)).toBeGreaterThanOrEqual(now);
    expect(Number(unchanged)).toBeLessThan(12_000);
  });
});

describe('deactivate_missing', () => {
  const players = (ids: readonly number[], members: object = {}) =>
    ids.map((n) => ({ type: 'player', label: `Squad ${n}`, external_ids: { squad: `p${n}` }, ...members }));
  const states = async (): Promise<string[]> =>
    Promise.all([1, 2, 3].map(async (n) => (await byExternal('squad', `p${n}`))?.['status']));
  const missing = '?deactivate_missing=player:squad';

  test('deactivates what is no longer in the list, and what returns becomes active when its item says so', async () => {
    const club = await createTag(service, { type: 'club', label: 'Squad Club', external_ids: { squad: 'c1' } });
    const other = await createTag(service, {
      type: 'player',
      label: 'Of another feed',
      external_ids: { elsewhere: 'x' },
    });
    expect((await sync(players([1, 2, 3]), missing)).summary).toMatchObject({ created: 3, deactivated: 0 });
    const media = await uploadMedia(service, await plainPhoto(1), {
      metadata: { tag_options: [(await byExternal('squad', 'p2'))?.['id']] },
    });
    const left = await sync(players([1, 3]), missing);
    expect(left.summary).toMatchObject({ unchanged: 2, deactivated: 1 });
    expect(await states()).toEqual(['active', 'deactivated', 'active']);
    expect((await read(club))['status']).toBe('active');
    expect((await read(other))['status']).toBe('active');
    const kept = await service.call('GET', `/v1/media/${media['id']}`);
    expect(kept.body['media'].tag_options).toHaveLength(1);
    const again = await sync(players([1, 3]), missing);
    expect(again.summary).toMatchObject({ unchanged: 2, deactivated: 0, version: left.summary['version'] });
    await sync(players([2]), '');
    expect(await states()).toEqual(['active', 'deactivated', 'active']);
    expect((await sync(players([1, 2, 3], { status: 'active' }), missing)).summary).toMatchObject({ updated: 1 });
    expect(await states()).toEqual(['active', 'active', 'active']);
  });

  test('deactivates nothing after a stream with a fault, or without an option of that kind', async () => {
    await sync(players([1, 2, 3], { status: 'active' }));
    const faulty = await sync([...players([1]), 'not json'], missing);
    expect(faulty.summary).toMatchObject({ failed: 1, deactivated: 0, not_deactivated: '1 items failed' });
    const others = await sync([{ type: 'club', label: 'Only clubs', external_ids: { squad: 'c9' } }], missing);
    expect(others.summary['not_deactivated']).toContain('no item was a player');
    expect(await states()).toEqual(['active', 'active', 'active']);
  });
});

test('any sequence of syncs leads to the state of the last ones, and each is unchanged when it is sent again', async () => {
  const clubIds = fc.uniqueArray(fc.nat(3), { minLength: 1 });
  const item = fc.oneof(
    fc.record({
      kind: fc.constant('club' as const),
      n: fc.nat(3),
      label: fc.constantFrom('A', 'B'),
      parent: fc.option(fc.nat(3)),
    }),
    fc.record({
      kind: fc.constant('player' as const),
      n: fc.nat(4),
      label: fc.constantFrom('C', 'D'),
      clubs: clubIds,
      alias: fc.option(fc.constantFrom('x', 'y')),
    }),
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(item, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 3 }),
      async (syncs) => {
        const source = `run${(run += 1)}`;
        const ref = (n: number) => ({ source, id: `club${n}` });
        const bases = [0, 1, 2, 3].map((n) => ({
          type: 'club',
          label: 'base',
          external_ids: { [source]: `club${n}` },
        }));
        const lineOf = (one: (typeof syncs)[number][number]): object => ({
          type: one.kind,
          label: one.label,
          external_ids: { [source]: `${one.kind}${one.n}` },
          ...(one.kind === 'club'
            ? { relations: { parent: one.parent === null || one.parent <= one.n ? null : ref(one.parent) } }
            : {
                aliases: one.alias === null ? [] : [one.alias],
                relations: { clubs: one.clubs.map((n) => ({ club: ref(n) })) },
              }),
        });
        await sync(bases);
        const last = new Map<string, (typeof syncs)[number][number]>();
        for (const items of syncs) {
          // The last of several items about one option counts.
          for (const one of items) last.set(`${one.kind}${one.n}`, one);
          const distinct = [...new Map(items.map((one) => [`${one.kind}${one.n}`, one])).values()];
          const lines = distinct.map(lineOf);
          expect((await sync(items.map(lineOf))).summary['failed']).toBe(0);
          const again = await sync(lines);
          expect(again.summary).toMatchObject({ created: 0, updated: 0, unchanged: lines.length });
        }
        const idOf = async (n: number) => (await byExternal(source, `club${n}`))?.['id'];
        for (const [id, one] of last) {
          const now = (await byExternal(source, id)) ?? {};
          expect(now['label']).toBe(one.label);
          if (one.kind === 'club') {
            const parent = one.parent === null || one.parent <= one.n ? null : await idOf(one.parent);
            expect(now['relations'].parent).toBe(parent);
          } else {
            const clubs = now['relations'].clubs.map((relation: Json) => relation['club']);
            expect(new Set(clubs)).toEqual(new Set(await Promise.all(one.clubs.map(idOf))));
            expect(now['aliases']).toEqual(one.alias === null ? [] : [one.alias]);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

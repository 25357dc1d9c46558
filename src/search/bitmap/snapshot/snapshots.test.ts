import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { indexRows, manyRows } from '../../../../test/support/index-rows.ts';
import { createLogger } from '../../../base/index.ts';
import type { IndexRow } from '../../../library/index.ts';
import type { SegmentData } from '../segment/sections.ts';
import { createSegmentBuilder } from '../segment/segment-builder.ts';
import { readSegmentFile, writeSegmentFile } from './segment-file.ts';
import { createSnapshots } from './snapshots.ts';

const ORGANIZATION = 7;
const logger = createLogger({ level: 'error', destination: { write: () => {} } });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-snapshots-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function dataOf(rows: Iterable<IndexRow>): SegmentData {
  const builder = createSegmentBuilder();
  for (const row of rows) builder.add(row);
  return builder.finish();
}
const some = (seed: number) => dataOf(manyRows(50, { seed, actionsOf: (at) => at % 5 }));
const current = async () => true;

describe('a segment file', () => {
  test('gives back the segment that was written', async () => {
    let files = 0;
    await fc.assert(
      fc.asyncProperty(indexRows({ maxLength: 30 }), async (rows) => {
        files += 1;
        const path = join(folder, `${files}.segment`);
        const data = dataOf(rows);
        await writeSegmentFile(path, data);
        expect(await readSegmentFile(path)).toEqual(data);
      }),
      { numRuns: 20 },
    );
  });

  test('that is damaged anywhere or cut short is told from a whole one', async () => {
    const path = join(folder, 'damaged.segment');
    const data = some(1);
    await writeSegmentFile(path, data);
    const whole = await readFile(path);
    const place = fc.oneof(fc.nat(2000), fc.nat(whole.length - 1)).filter((at) => at < whole.length);
    let noticed = 0;
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), fc.boolean(), async (at, change, cut) => {
        const bytes = cut ? whole.subarray(0, at) : Buffer.from(whole);
        if (!cut) bytes[at] = (bytes[at] ?? 0) ^ change;
        await writeFile(path, bytes);
        const read = await readSegmentFile(path).catch((error: unknown) => error);
        noticed += read instanceof RangeError ? 1 : 0;
        // Nothing is read of the bytes that fill up to a multiple of 8.
        if (!(read instanceof RangeError)) expect(read).toEqual(data);
      }),
      { numRuns: 300, endOnFailure: true },
    );
    expect(noticed).toBeGreaterThan(250);
  });
});

describe('snapshots of an index', () => {
  const open = (name: string) => createSnapshots({ folder: join(folder, name), logger });
  const filesOf = async (name: string) => (await readdir(join(folder, name, String(ORGANIZATION)))).sort();

  test('are read as they were written, those of each organization by themselves', async () => {
    const [one, two] = [some(1), some(2)];
    const first = {
      version: 12,
      fingerprint: 'a',
      fields: [],
      segments: [
        { data: one, stale: [3, 5] },
        { data: two, stale: [] },
      ],
    };
    const other = { version: 4, fingerprint: 'b', fields: [], segments: [{ data: two, stale: [1] }] };
    await open('plain').write(ORGANIZATION, first);
    await open('plain').write(8, other);
    expect(await open('plain').read(ORGANIZATION, current)).toEqual(first);
    expect(await open('plain').read(8, current)).toEqual(other);
    expect(await open('plain').read(9, current)).toBeUndefined();
  });

  test('are not read when the library says they are of another one', async () => {
    await open('other').write(ORGANIZATION, {
      version: 12,
      fingerprint: 'a',
      fields: [],
      segments: [{ data: some(1), stale: [] }],
    });
    const asked: unknown[] = [];
    const found = await open('other').read(ORGANIZATION, async (snapshot) => {
      asked.push([snapshot.version, snapshot.fingerprint]);
      return false;
    });
    expect([found, asked]).toEqual([undefined, [[12, 'a']]]);
  });

  test('write a segment once, and remove what the newest no longer names', async () => {
    const snapshots = open('again');
    const [one, two, three] = [some(1), some(2), some(3)];
    await snapshots.write(ORGANIZATION, {
      version: 1,
      fingerprint: 'a',
      fields: [],
      segments: [one, two].map((data) => ({ data, stale: [] })),
    });
    const before = await filesOf('again');
    // What a write that broke off leaves behind.
    await writeFile(join(folder, 'again', String(ORGANIZATION), 'x.segment.tmp'), 'half');
    await snapshots.write(ORGANIZATION, {
      version: 2,
      fingerprint: 'b',
      fields: [],
      segments: [
        { data: one, stale: [9] },
        { data: three, stale: [] },
      ],
    });
    const after = await filesOf('again');
    expect([before.length, after.length, after.filter((name) => before.includes(name)).length]).toEqual([3, 3, 2]);
    const reader = open('again');
    const read = await reader.read(ORGANIZATION, current);
    expect(read?.segments.map(({ data, stale }) => [data, stale])).toEqual([
      [one, [9]],
      [three, []],
    ]);
    // One that was read needs no second file either.
    if (read) await reader.write(ORGANIZATION, { ...read, version: 3 });
    expect(await filesOf('again')).toEqual(after);
  });

  test('whose writing breaks off before the end leave the one before', async () => {
    const snapshots = open('broken');
    const first = { version: 1, fingerprint: 'a', fields: [], segments: [{ data: some(1), stale: [] }] };
    await snapshots.write(ORGANIZATION, first);
    const path = join(folder, 'broken', String(ORGANIZATION));
    const kept = await readFile(join(path, 'snapshot.json'));
    // A section that cannot be written ends the second one in the middle of its segments.
    const broken = {
      ...some(2),
      sections: { ...some(2).sections, ids: new Float32Array(3) as unknown as Float64Array },
    };
    const second = {
      version: 2,
      fingerprint: 'b',
      fields: [],
      segments: [
        { data: some(3), stale: [] },
        { data: broken, stale: [] },
      ],
    };
    await expect(snapshots.write(ORGANIZATION, second)).rejects.toThrow(TypeError);
    expect(await readFile(join(path, 'snapshot.json'))).toEqual(kept);
    expect(await open('broken').read(ORGANIZATION, current)).toEqual(first);
  });

  test('with a damaged, missing or foreign part are not used', async () => {
    const snapshots = open('damaged');
    const given = {
      version: 5,
      fingerprint: 'a',
      fields: [],
      segments: [
        { data: some(1), stale: [2, 33] },
        { data: some(2), stale: [] },
      ],
    };
    await snapshots.write(ORGANIZATION, given);
    const path = join(folder, 'damaged', String(ORGANIZATION));
    const manifest = join(path, 'snapshot.json');
    const text = await readFile(manifest, 'utf8');
    const [one = '', two = ''] = (await filesOf('damaged')).filter((name) => name.endsWith('.segment'));
    for (const changed of [
      text.replace('33', '34'),
      text.replace('"version":5', '"version":6'),
      text.replace(/"format":\d+/, '"format":1'),
      '{',
      'null',
      '',
    ]) {
      expect(changed).not.toBe(text);
      await writeFile(manifest, changed);
      expect(await open('damaged').read(ORGANIZATION, current)).toBeUndefined();
    }
    await writeFile(manifest, text);
    expect(await open('damaged').read(ORGANIZATION, current)).toEqual(given);
    const bytes = await readFile(join(path, one));
    const flipped = Buffer.from(bytes);
    flipped[Math.floor(bytes.length / 2)] = (flipped[Math.floor(bytes.length / 2)] ?? 0) ^ 16;
    await writeFile(join(path, one), flipped);
    expect(await open('damaged').read(ORGANIZATION, current)).toBeUndefined();
    await writeFile(join(path, one), bytes);
    await copyFile(join(path, two), join(path, 'aside'));
    await rm(join(path, two));
    expect(await open('damaged').read(ORGANIZATION, current)).toBeUndefined();
    await copyFile(join(path, 'aside'), join(path, two));
    expect(await open('damaged').read(ORGANIZATION, current)).toEqual(given);
  });
});

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { createImageCache } from './cache.ts';

const META = { format: 'webp', width: 60, height: 80 } as const;
const picture = (fill: number, length = 1000) => Buffer.alloc(length, fill);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'image-cache-'));
});
afterEach(() => rm(directory, { recursive: true }));

async function open(maxBytes = 1_000_000) {
  const cache = createImageCache({ directory, maxBytes });
  await cache.ready();
  return cache;
}

const files = async () =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

describe('the image cache', () => {
  test('answers what was put, with its size and format', async () => {
    const cache = await open();
    expect(await cache.get('1/20/aa')).toBeUndefined();
    await cache.put('1/20/aa', picture(7), META);
    expect(await cache.get('1/20/aa')).toEqual({ ...META, bytes: picture(7) });
    expect([cache.count, cache.sizeBytes]).toEqual([1, 1000]);
  });

  test('survives a restart, also for those who ask before everything is indexed', async () => {
    const before = await open();
    for (let media = 0; media < 20; media += 1) await before.put(`1/${media}/aa`, picture(media), META);
    const after = createImageCache({ directory, maxBytes: 1_000_000 });
    expect((await after.get('1/19/aa'))?.bytes).toEqual(picture(19));
    await after.ready();
    expect([after.count, after.sizeBytes]).toEqual([20, 20_000]);
    expect((await after.get('1/3/aa'))?.bytes).toEqual(picture(3));
  });

  test('lets the least recently used go first', async () => {
    const cache = await open(3000);
    for (const name of ['a', 'b', 'c']) await cache.put(`1/20/${name}`, picture(1), META);
    await cache.get('1/20/a');
    await cache.put('1/20/d', picture(1), META);
    expect(await cache.get('1/20/b')).toBeUndefined();
    for (const name of ['a', 'c', 'd']) expect(await cache.get(`1/20/${name}`), name).toBeDefined();
    expect(await files()).toHaveLength(3);
  });

  test('never holds more than its limit, and nothing larger than it', async () => {
    const cache = await open(5000);
    for (let index = 0; index < 40; index += 1) {
      await cache.put(`1/${index % 7}/h${index}`, picture(1, 100 + index * 37), META);
      expect(cache.sizeBytes).toBeLessThanOrEqual(5000);
    }
    await cache.put('1/1/huge', picture(1, 5001), META);
    expect(await cache.get('1/1/huge')).toBeUndefined();
    const onDisk = await Promise.all((await files()).map(async (file) => (await readFile(file)).length));
    expect(onDisk.reduce((sum, length) => sum + length, 0)).toBe(cache.sizeBytes);
    expect(onDisk.length).toBe(cache.count);
  });

  test('keeps the order of use across a restart', async () => {
    const before = await open();
    for (const name of ['a', 'b', 'c']) await before.put(`1/20/${name}`, picture(1), META);
    const [a = '', b = '', c = ''] = await files();
    for (const [file, seconds] of [
      [a, 3000],
      [b, 1000],
      [c, 2000],
    ] as const) {
      await utimes(file, seconds, seconds);
    }
    const after = await open(2000);
    expect(await after.get('1/20/b')).toBeUndefined();
    expect(await after.get('1/20/a')).toBeDefined();
    expect(await after.get('1/20/c')).toBeDefined();
  });

  test('a use is noted on the file so that the next run knows of it', async () => {
    const now = { ms: Date.now() };
    const clock = { now: () => new Date(now.ms) };
    const before = createImageCache({ directory, maxBytes: 10_000, clock });
    for (const name of ['a', 'b']) await before.put(`1/20/${name}`, picture(1), META);
    now.ms += 60 * 60_000;
    await before.get('1/20/a');
    await expect
      .poll(async () => {
        const after = await open(1000);
        return [(await after.get('1/20/a')) !== undefined, (await after.get('1/20/b')) !== undefined];
      })
      .toEqual([true, false]);
  });

  test('putting a picture again replaces it and its bytes count once', async () => {
    const cache = await open();
    await cache.put('1/20/aa', picture(1, 500), META);
    await cache.put('1/20/aa', picture(2, 700), { ...META, width: 61 });
    expect((await cache.get('1/20/aa'))?.bytes).toEqual(picture(2, 700));
    expect([cache.count, cache.sizeBytes, (await files()).length]).toEqual([1, 700, 1]);
  });

  test('purges an asset or an organization and leaves the others', async () => {
    const before = await open();
    for (const key of ['1/2/aa', '1/2/bb', '1/20/aa', '2/2/aa']) await before.put(key, picture(1), META);
    await before.purge('1/2/');
    expect(await before.get('1/2/aa')).toBeUndefined();
    expect(await before.get('1/20/aa')).toBeDefined();
    const restarted = createImageCache({ directory, maxBytes: 1_000_000 });
    await restarted.purge('1/');
    await restarted.ready();
    expect(await restarted.get('1/20/aa')).toBeUndefined();
    expect(await restarted.get('2/2/aa')).toBeDefined();
    expect(await files()).toHaveLength(1);
  });

  test('purges an asset but for the pictures of one revision, and knows what it holds', async () => {
    const cache = await open();
    for (const key of ['1/20/1-a', '1/20/12-a', '1/20/2-a', '1/20/2-b', '1/21/1-a'])
      await cache.put(key, picture(1), META);
    expect([cache.holds('1/20'), cache.holds('1/22')]).toEqual([true, false]);
    await cache.purge('1/20/', { keep: '2-' });
    const left = ['1/20/1-a', '1/20/12-a', '1/20/2-a', '1/20/2-b', '1/21/1-a'].map(
      async (key) => (await cache.get(key)) !== undefined,
    );
    expect(await Promise.all(left)).toEqual([false, false, true, true, true]);
    expect([cache.count, cache.sizeBytes, (await files()).length]).toEqual([3, 3000, 3]);
    await cache.purge('1/20/');
    expect(cache.holds('1/20')).toBe(false);
  });

  test('keys and prefixes cannot leave the directory', async () => {
    const cache = await open();
    for (const key of ['../../etc/passwd', '1/../aa', '1/2', '1/2/a/b', '1/2/a_b', '.tmp/2/aa', '1//aa']) {
      await expect(cache.put(key, picture(1), META), key).rejects.toThrow(TypeError);
      await expect(cache.get(key), key).rejects.toThrow(TypeError);
    }
    for (const prefix of ['', '/', '1', '../', '1/../', '1/2/3/']) {
      await expect(cache.purge(prefix), prefix).rejects.toThrow(TypeError);
    }
  });
});

describe('after a crash', () => {
  test('half-written files of an earlier run are removed and never answered', async () => {
    const before = await open();
    await before.put('1/20/aa', picture(1), META);
    await writeFile(join(directory, '.tmp', 'left-over'), picture(1, 10));
    const after = await open();
    expect(await readdir(join(directory, '.tmp'))).toEqual([]);
    expect(after.count).toBe(1);
  });

  test('a process that is killed while it writes leaves whole pictures only', async () => {
    const lengths = [300_000, 500_000, 700_000];
    const script = `
      const { createImageCache } = await import(${JSON.stringify(join(import.meta.dirname, 'cache.ts'))});
      const cache = createImageCache({ directory: process.argv[1], maxBytes: 1e8 });
      await cache.ready();
      for (let n = 0; ; n += 1) {
        const lengths = ${JSON.stringify(lengths)};
        await Promise.all(lengths.map((length, at) =>
          cache.put('1/' + n % 7 + '/p' + at, Buffer.alloc(length, at + 1), { format: 'webp', width: n % 9 + 1, height: 1 })));
        console.log(n);
      }`;
    for (let round = 0; round < 3; round += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, directory], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = 0;
      for await (const chunk of child.stdout) {
        // In the midst of the writes that follow.
        said += String(chunk).split('\n').length - 1;
        if (said > 10 + round) child.kill('SIGKILL');
      }
      const cache = await open(100_000_000);
      expect(await readdir(join(directory, '.tmp'))).toEqual([]);
      let found = 0;
      for (let media = 0; media < 7; media += 1) {
        for (const [at, length] of lengths.entries()) {
          const kept = await cache.get(`1/${media}/p${at}`);
          if (!kept) continue;
          found += 1;
          expect(kept.bytes.equals(picture(at + 1, length)), `1/${media}/p${at}`).toBe(true);
        }
      }
      expect(found).toBeGreaterThan(15);
    }
  });

  test('a file that lost its end is removed at the next start', async () => {
    const before = await open();
    await before.put('1/20/aa', picture(1), META);
    const [file = ''] = await files();
    await truncate(file, 400);
    const after = await open();
    expect([after.count, after.sizeBytes, (await files()).length]).toEqual([0, 0, 0]);
    expect(await after.get('1/20/aa')).toBeUndefined();
  });

  test('a file that is cut or deleted while the service runs is a miss and can be put again', async () => {
    const cache = await open();
    await cache.put('1/20/aa', picture(1), META);
    const [file = ''] = await files();
    await truncate(file, 400);
    expect(await cache.get('1/20/aa')).toBeUndefined();
    expect(cache.count).toBe(0);
    await cache.put('1/20/aa', picture(2), META);
    await rm(file);
    expect(await cache.get('1/20/aa')).toBeUndefined();
    await cache.put('1/20/aa', picture(3), META);
    expect((await cache.get('1/20/aa'))?.bytes).toEqual(picture(3));
  });

  test('foreign files among the pictures are removed', async () => {
    await mkdir(join(directory, '1', '20'), { recursive: true });
    await writeFile(join(directory, '1', '20', 'notes.txt'), 'hello');
    const cache = await open();
    expect([cache.count, (await files()).length]).toEqual([0, 0]);
  });

  test('a directory that cannot be used is reported by ready', async () => {
    await writeFile(join(directory, 'file'), '');
    const cache = createImageCache({ directory: join(directory, 'file'), maxBytes: 1 });
    await expect(cache.ready()).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});

test('many writers and readers of few keys see whole pictures only', async () => {
  const cache = await open(6000);
  await Promise.all(
    Array.from({ length: 60 }, async (_, index) => {
      const key = `1/${index % 3}/h${index % 5}`;
      await cache.put(key, picture(index % 5, 1000), META);
      const found = await cache.get(key);
      if (found) expect(found.bytes).toEqual(picture(index % 5, 1000));
    }),
  );
  expect(cache.sizeBytes).toBeLessThanOrEqual(6000);
  const onDisk = await files();
  expect(onDisk.length).toBeLessThanOrEqual(6);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../base/index.ts';
import { createWorkerProcess } from './worker-process.ts';

/** A child that does what it is told: answers its process id, fails with a code, ends, or says nothing. */
const CHILD = `
process.on('disconnect', () => process.exit());
process.on('message', ({ id, payload }) => {
  if (payload === 'crash') { process.stderr.write('segfault in libfoo'); process.exit(7); }
  if (payload === 'pid') process.send({ id, result: process.pid });
  if (payload === 'damaged') process.send({ id, error: { code: 'file_damaged', message: 'half a file' } });
  if (payload === 'odd') process.send({ id, error: { code: 'no such code', message: 'what' } });
});`;

let folder: string;
let module: URL;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worker-'));
  module = pathToFileURL(join(folder, 'child.mjs'));
  await writeFile(module, CHILD);
});
afterAll(() => rm(folder, { recursive: true }));

function worker(options: { readonly timeoutMs?: number; readonly idleMs?: number } = {}) {
  const logger = createLogger({ level: 'silent' });
  return createWorkerProcess<string, number>({
    name: 'test child',
    module,
    logger,
    timeoutMs: 10_000,
    idleMs: 10_000,
    ...options,
  });
}

describe('a worker process', () => {
  test('is one child for many requests, in their order', async () => {
    const child = worker();
    const [first, second] = await Promise.all([child.request('pid'), child.request('pid')]);
    expect(first).toBe(second);
    expect(first).not.toBe(process.pid);
    await child.close();
  });

  test('passes the error of the child on and lives', async () => {
    const child = worker();
    const pid = await child.request('pid');
    await expect(child.request('damaged')).rejects.toMatchObject({ code: 'file_damaged', message: 'half a file' });
    await expect(child.request('odd')).rejects.toMatchObject({ code: 'internal' });
    expect(await child.request('pid')).toBe(pid);
    await child.close();
  });

  test('that crashes fails the call and is replaced, more slowly from the second time on', async () => {
    const child = worker();
    const crash = () =>
      expect(child.request('crash')).rejects.toMatchObject({ code: 'unavailable', details: { reason: 'exit' } });
    await crash();
    await crash();
    const startedMs = performance.now();
    expect(await child.request('pid')).toBeGreaterThan(0);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(250);
    await child.close();
  });

  test('that hangs is killed', async () => {
    const child = worker({ timeoutMs: 500 });
    const pid = await child.request('pid');
    await expect(child.request('silence')).rejects.toMatchObject({
      code: 'unavailable',
      details: { reason: 'timeout' },
    });
    expect(await child.request('pid')).not.toBe(pid);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await child.close();
  });

  test('leaves nothing behind when closed', async () => {
    const child = worker();
    const pid = await child.request('pid');
    await child.close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(child.request('pid')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIB } from '../../../base/index.ts';
import { createReadBack } from './folder-read-back.ts';

const readBack = createReadBack();
const { signal } = new AbortController();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-read-back-'));
});
afterAll(() => rm(folder, { recursive: true }));

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Whether a file of these bytes is taken for what was said. */
async function ask(bytes: Buffer, said: Buffer, aborted = signal): Promise<boolean> {
  const path = join(folder, randomBytes(8).toString('hex'));
  await writeFile(path, bytes);
  const handle = await open(path, 'r');
  try {
    return await readBack(handle, { bytes: said.length, sha256: sha256Of(said), signal: aborted });
  } finally {
    await handle.close();
  }
}

test.each([0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB, 3 * MIB + 7])(
  'a file of %d bytes is right, and no other',
  async (bytes) => {
    const said = randomBytes(bytes);
    expect(await ask(said, said)).toBe(true);
    expect(await ask(Buffer.concat([said, Buffer.from('x')]), said)).toBe(false);
    if (bytes === 0) return;
    expect(await ask(said.subarray(0, -1), said)).toBe(false);
    const other = Buffer.from(said);
    other.writeUInt8(other.readUInt8(bytes - 1) ^ 1, bytes - 1);
    expect(await ask(other, said)).toBe(false);
  },
);

test('many at once do not read into the buffers of each other', async () => {
  const files = Array.from({ length: 40 }, (_, at) => randomBytes(at % 2 === 0 ? 300_000 : 2 * MIB + at));
  expect(await Promise.all(files.map((file) => ask(file, file)))).toEqual(files.map(() => true));
});

test('one that is cancelled says why, and the next one is read', async () => {
  const file = randomBytes(3 * MIB);
  await expect(ask(file, file, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  expect(await ask(file, file)).toBe(true);
});

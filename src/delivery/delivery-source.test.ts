import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MIB } from '../base/index.ts';
import type { SourceMemory } from './channel.ts';
import { readFileFrom } from './delivery-source.ts';

const { signal } = new AbortController();

async function fileOf(bytes: number): Promise<{ readonly path: string; readonly content: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-source-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'match.mp4');
  const content = randomBytes(bytes);
  await writeFile(path, content);
  return { path, content };
}

describe.each<SourceMemory>(['own', 'lent'])('a file that is read in %s memory', (memory) => {
  test.each([
    [0, 0],
    [500_000, 0],
    [3 * MIB + 5, 0],
    [3 * MIB + 5, 2 * MIB + 1],
  ])('of %d bytes, from %d on, is whole', async (bytes, offset) => {
    const { path, content } = await fileOf(bytes);
    const copies: Buffer[] = [];
    for await (const chunk of readFileFrom({ path, bytes })(offset, signal, memory)) copies.push(Buffer.from(chunk));
    expect(Buffer.concat(copies).equals(content.subarray(offset))).toBe(true);
  });

  test('has all its chunks in one memory only where that is lent', async () => {
    const { path } = await fileOf(3 * MIB);
    const chunks: Uint8Array[] = [];
    for await (const chunk of readFileFrom({ path, bytes: 3 * MIB })(0, signal, memory)) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(2);
    expect(new Set(chunks.map(({ buffer }) => buffer)).size).toBe(memory === 'lent' ? 1 : chunks.length);
  });
});

test('two readers at once have memory of their own, a later one that of an earlier one', async () => {
  const { path, content } = await fileOf(2 * MIB);
  const read = () => readFileFrom({ path, bytes: content.length })(0, signal, 'lent')[Symbol.asyncIterator]();
  const [first, second] = [read(), read()];
  const chunks = [await first.next(), await second.next()].map(({ value }) => value as Uint8Array);
  expect(chunks[0]?.buffer).not.toBe(chunks[1]?.buffer);
  await first.return?.();
  const third = read();
  const { value } = (await third.next()) as { readonly value: Uint8Array };
  expect(value.buffer).toBe(chunks[0]?.buffer);
  await Promise.all([second.return?.(), third.return?.()]);
});

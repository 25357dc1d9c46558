import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashMetadata, type JournalEntry, journalPath, openJournal } from './journal.ts';

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchline-journal-'));
  path = join(folder, 'imports', 'journal.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const entry = (name: string, mediaId = 1): JournalEntry => ({
  path: name,
  bytes: 10,
  mtime_ms: 1000,
  media_id: mediaId,
  sha256: 'aa',
  metadata_sha256: hashMetadata({}),
  library_version: 5,
});

async function write(...entries: readonly JournalEntry[]): Promise<void> {
  const journal = await openJournal(path, { restart: false });
  for (const one of entries) await journal.append(one);
  await journal.close();
}
async function read(restart = false): Promise<readonly JournalEntry[]> {
  const journal = await openJournal(path, { restart });
  await journal.close();
  return [...journal.entries.values()];
}

describe('openJournal', () => {
  test('remembers what earlier runs wrote, the latest of each path', async () => {
    await write(entry('a.jpg', 1), entry('Šeško/b.jpg', 2));
    await write(entry('a.jpg', 3));
    expect(await read()).toEqual([entry('a.jpg', 3), entry('Šeško/b.jpg', 2)]);
  });

  test('loses one line, and only that, when a kill cut it off', async () => {
    await write(entry('a.jpg', 1), entry('b.jpg', 2));
    await appendFile(path, JSON.stringify(entry('c.jpg', 3)).slice(0, 20));
    await write(entry('d.jpg', 4));
    expect((await read()).map((one) => one.path)).toEqual(['a.jpg', 'b.jpg', 'd.jpg']);
  });

  test('takes no line that lacks a field', async () => {
    await write(entry('a.jpg'));
    await writeFile(path, `{"path":"b.jpg","bytes":1}\nnull\n[]\n`, { flag: 'a' });
    expect((await read()).map((one) => one.path)).toEqual(['a.jpg']);
  });

  test('forgets everything on a restart', async () => {
    await write(entry('a.jpg'));
    expect(await read(true)).toEqual([]);
    expect(await read()).toEqual([]);
  });
});

describe('journalPath', () => {
  test('differs by folder, service and organization', async () => {
    const base = { dataDir: '/data', folder, baseUrl: 'http://localhost:8080', organizationId: 1 };
    const paths = await Promise.all(
      [base, { ...base, folder: tmpdir() }, { ...base, baseUrl: 'http://other' }, { ...base, organizationId: 2 }].map(
        journalPath,
      ),
    );
    expect(new Set(paths).size).toBe(4);
    expect(await journalPath({ ...base, folder: `${folder}/.` })).toBe(paths[0]);
  });
});

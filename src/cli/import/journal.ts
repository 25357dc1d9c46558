import { createHash } from 'node:crypto';
import { mkdir, open, readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** One file that is in the library. */
export type JournalEntry = {
  readonly path: string;
  readonly bytes: number;
  readonly mtime_ms: number;
  readonly media_id: number;
  readonly sha256: string;
  /** Of the metadata that was sent along (see `hashMetadata`). */
  readonly metadata_sha256: string;
  /** Version of the library after the upload: a library at a lower one is not the library it was. */
  readonly library_version: number;
};

export type Journal = {
  /** By path, the latest one of each. */
  readonly entries: ReadonlyMap<string, JournalEntry>;
  /** Written at once: what is in the journal survives the end of this process at any moment. */
  append(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
};

/** Where the imports of one folder into one library are remembered. */
export async function journalPath(options: {
  readonly dataDir: string;
  readonly folder: string;
  readonly baseUrl: string;
  readonly organizationId: number;
}): Promise<string> {
  const subject = [await realpath(options.folder), options.baseUrl, options.organizationId].join('\n');
  return join(options.dataDir, 'imports', `${createHash('sha256').update(subject).digest('hex')}.jsonl`);
}

export function hashMetadata(metadata: unknown): string {
  return createHash('sha256').update(JSON.stringify(metadata)).digest('hex');
}

function isEntry(value: unknown): value is JournalEntry {
  if (typeof value !== 'object' || value === null) return false;
  const has = (name: string, type: string) => typeof Reflect.get(value, name) === type;
  return (
    ['path', 'sha256', 'metadata_sha256'].every((name) => has(name, 'string')) &&
    ['bytes', 'mtime_ms', 'media_id', 'library_version'].every((name) => has(name, 'number'))
  );
}

function readEntries(text: string): Map<string, JournalEntry> {
  const entries = new Map<string, JournalEntry>();
  for (const line of text.split('\n')) {
    try {
      const entry: unknown = JSON.parse(line);
      if (isEntry(entry)) entries.set(entry.path, entry);
    } catch {
      // A line that a kill cut off: its file is sent again and found to be there already.
    }
  }
  return entries;
}

/** Opens the journal at `path`; with `restart` what it remembers is forgotten. */
export async function openJournal(path: string, options: { readonly restart: boolean }): Promise<Journal> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const before = options.restart ? '' : await readFile(path, 'utf8').catch(() => '');
  const file = await open(path, options.restart ? 'w' : 'a', 0o600);
  // Without this the next line would become part of the one that was cut off.
  if (before !== '' && !before.endsWith('\n')) await file.write('\n');
  return {
    entries: readEntries(before),
    async append(entry) {
      await file.write(`${JSON.stringify(entry)}\n`);
    },
    close: () => file.close(),
  };
}

import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CsvError, decodeText, messageOf, parseCsv } from '../../base/index.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { createCollections } from './collections.ts';
import { type ImportOptions, ImportSetupError } from './import-types.ts';
import type { UploadMetadata } from './media-upload.ts';
import type { MediaFile } from './media-walk.ts';
import { readSidecar, type SidecarIssue, type SidecarRow } from './sidecar.ts';
import { type FileRows, matchRows } from './sidecar-files.ts';
import { createTagResolver, type TagResolver } from './tag-resolver.ts';

/** What every file is uploaded with, and what of the table is not applied. */
export type ImportPlan = {
  metadataOf(file: MediaFile): UploadMetadata;
  readonly issues: readonly SidecarIssue[];
  readonly unmatched: readonly SidecarRow[];
  readonly notes: readonly string[];
};

type Table = {
  readonly rows: readonly SidecarRow[];
  readonly issues: readonly SidecarIssue[];
  readonly notes: readonly string[];
  /** Way from the table's folder to the imported one, with a slash at the end. */
  readonly folderFromTable: string;
  readonly path: string | undefined;
};

const TABLE_NAMES = ['touchline.csv', 'photos.csv'];
const NO_TABLE: Table = { rows: [], issues: [], notes: [], folderFromTable: '', path: undefined };
/** Names are looked up a few at a time: more would only meet the rate limit of the key. */
const LOOKUPS_AT_A_TIME = 8;

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

async function readTable(path: string, folder: string): Promise<Table | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ImportSetupError(`${path} cannot be read: ${messageOf(error)}`);
  }
  const { text, encoding } = decodeText(bytes);
  try {
    const { rows, issues } = readSidecar(parseCsv(text));
    const way = relative(dirname(resolve(path)), resolve(folder))
      .split(sep)
      .join('/');
    const notes = [`table: ${path}, ${rows.length} rows`];
    if (encoding === 'windows-1252') notes.push(`${basename(path)} is not UTF-8: it was read as Windows-1252`);
    return { rows, issues, notes, folderFromTable: way === '' ? '' : `${way}/`, path };
  } catch (error) {
    if (error instanceof CsvError) throw new ImportSetupError(`${path}: ${error.message}`);
    throw error;
  }
}

/** @throws ImportSetupError when the table that was asked for is not there, or is no CSV */
export async function loadTable(options: ImportOptions): Promise<Table> {
  const { folder, sidecar } = options;
  if (sidecar?.kind === 'rows') return { ...NO_TABLE, rows: sidecar.rows };
  if (sidecar) {
    const table = await readTable(sidecar.path, folder);
    if (!table) throw new ImportSetupError(`expected a file at ${sidecar.path}, received none`);
    return table;
  }
  for (const place of [resolve(folder), dirname(resolve(folder))]) {
    for (const name of TABLE_NAMES) {
      const table = await readTable(join(place, name), folder);
      if (table) return table;
    }
  }
  return NO_TABLE;
}

/** Runs `work` on all items, a few at a time, in their order. */
async function forEach<T>(items: readonly T[], atATime: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker));
}

/** Every distinct reference of the rows, with its tag option or why there is none. */
async function resolveAll(
  resolver: TagResolver,
  rows: Iterable<FileRows>,
): Promise<(type: string | undefined, value: string) => { readonly id: number } | { readonly problem: string }> {
  const keyOf = (type: string | undefined, value: string) => `${type ?? ''}\n${value}`;
  const wanted = new Map<string, { readonly type: string | undefined; readonly value: string }>();
  for (const row of rows) for (const tag of row.tags) wanted.set(keyOf(tag.type, tag.value), tag);
  const found = new Map<string, { readonly id: number } | { readonly problem: string }>();
  await forEach([...wanted], LOOKUPS_AT_A_TIME, async ([key, { type, value }]) => {
    found.set(key, await resolver.resolve(value, type));
  });
  return (type, value) => found.get(keyOf(type, value)) ?? { problem: 'it was not looked up' };
}

/** Tag options that every file gets. @throws ImportSetupError for one that is not there */
async function resolveCommonTags(client: ApiClient, resolver: TagResolver, options: ImportOptions): Promise<number[]> {
  const ids: number[] = [];
  for (const value of options.tags ?? []) {
    if (/^\d+$/.test(value)) {
      try {
        await client.call({ method: 'GET', path: `/v1/tag/${value}`, signal: options.signal });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        throw new ImportSetupError(`--tag ${value}: ${error.message}`);
      }
      ids.push(Number(value));
      continue;
    }
    const found = await resolver.resolve(value, undefined);
    if ('problem' in found) throw new ImportSetupError(`--tag ${value}: ${found.problem}`);
    ids.push(found.id);
  }
  return ids;
}

/** A table above the folder may be about its neighbours too. */
function isElsewhere(file: string, folderFromTable: string): boolean {
  const path = file.replaceAll('\\', '/');
  return folderFromTable !== '' && path.includes('/') && !path.startsWith(folderFromTable);
}

/** Resolves everything the files are tagged with. Creates missing collections, unless it is a dry or a strict run. */
export async function planImport(
  table: Table,
  files: readonly MediaFile[],
  options: ImportOptions,
): Promise<ImportPlan> {
  const { client, signal } = options;
  const matched = matchRows(
    table.rows,
    files.map((file) => file.path),
    table.folderFromTable,
  );
  const resolver = createTagResolver(client, signal);
  const commonTags = await resolveCommonTags(client, resolver, options);
  const find = await resolveAll(resolver, matched.byPath.values());
  const issues: SidecarIssue[] = [...table.issues, ...matched.issues];
  const notes = [...table.notes];

  const tagsByPath = new Map<string, number[]>();
  for (const [path, rows] of matched.byPath) {
    const ids: number[] = [];
    for (const { column, type, value } of rows.tags) {
      const found = find(type, value);
      if ('id' in found) ids.push(found.id);
      else issues.push({ line: rows.lines[0] ?? 0, file: path, detail: `${column}: "${value}": ${found.problem}` });
    }
    tagsByPath.set(path, ids);
  }
  const unmatched = matched.unmatched.filter((row) => !isElsewhere(row.file, table.folderFromTable));
  const elsewhere = matched.unmatched.length - unmatched.length;
  if (elsewhere > 0) notes.push(`${elsewhere} rows of the table are about files outside the folder`);
  const stopsEarly = options.dryRun === true || (options.strict === true && issues.length + unmatched.length > 0);
  const common = options.collection === undefined ? [] : [options.collection];
  const names = new Set([...common, ...[...matched.byPath.values()].flatMap((rows) => rows.collections)]);
  const collections = createCollections(client, signal);
  const collectionIds = new Map<string, number>();
  for (const name of names) {
    const id = await collections.idOf(name, { create: !stopsEarly });
    if (id !== undefined) collectionIds.set(name, id);
    else notes.push(`collection "${name}" does not exist yet`);
  }

  return {
    issues,
    unmatched,
    notes,
    metadataOf(file) {
      const rows = matched.byPath.get(file.path);
      const unique = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b);
      const tagIds = unique([...commonTags, ...(tagsByPath.get(file.path) ?? [])]);
      const joined = unique([...common, ...(rows?.collections ?? [])].flatMap((name) => collectionIds.get(name) ?? []));
      const { title, caption, ...fields } = rows?.fields ?? {};
      const details = { ...(title !== undefined && { title }), ...(caption !== undefined && { caption }) };
      return {
        name: basename(file.path).normalize('NFC'),
        tag_source: 'import',
        ...(tagIds.length > 0 && { tag_options: tagIds }),
        ...(joined.length > 0 && { collections: joined }),
        ...fields,
        ...(Object.keys(details).length > 0 && { details }),
      };
    },
  };
}

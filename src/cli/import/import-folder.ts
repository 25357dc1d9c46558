import { stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { type ApiClient, ApiError } from './api-client.ts';
import { type ImportPlan, loadTable, planImport } from './import-plan.ts';
import { type ImportOptions, type ImportProgress, ImportSetupError, type ImportSummary } from './import-types.ts';
import { hashMetadata, type Journal, journalPath, openJournal } from './journal.ts';
import { findMedia, type MediaFile, type MediaWalk } from './media-walk.ts';
import { waitForProcessing } from './processing-wait.ts';
import { runUploads, type UploadRun, type UploadTask } from './upload-run.ts';

type Me = { readonly organization: { readonly id: number; readonly slug: string; readonly library_version: number } };

const DEFAULT_CONCURRENCY = 4;

const NOTHING_SENT: Omit<UploadRun, 'ended'> = {
  uploaded: 0,
  uploadedBytes: 0,
  duplicates: 0,
  updated: 0,
  failures: [],
  mediaIds: new Map(),
};

async function checkFolder(folder: string): Promise<void> {
  const info = await stat(folder).catch(() => undefined);
  if (!info) throw new ImportSetupError(`expected a folder at ${folder}, received none`);
  if (!info.isDirectory()) throw new ImportSetupError(`expected a folder at ${folder}, received a file`);
}

/** Keeps the figures of a run and tells them on. */
function createFigures(onProgress: ImportOptions['onProgress']) {
  let now: ImportProgress = { phase: 'looking', filesDone: 0, filesTotal: 0, bytesDone: 0, bytesTotal: 0, failures: 0 };
  const set = (change: Partial<ImportProgress>) => {
    now = { ...now, ...change };
    onProgress?.(now);
  };
  return {
    set,
    addBytes: (bytes: number) => set({ bytesDone: now.bytesDone + bytes }),
    addFile: (failed: boolean) => set({ filesDone: now.filesDone + 1, failures: now.failures + (failed ? 1 : 0) }),
  };
}

/**
 * A journal says what is in a library; it says nothing about another library at the same address. A library whose version is
 * below one that was seen, or whose asset has other bytes, is another one (set up anew, or restored from a backup).
 */
async function isJournalOf(journal: Journal, me: Me, options: ImportOptions): Promise<boolean> {
  const entries = [...journal.entries.values()];
  const seen = entries.reduce((highest, entry) => Math.max(highest, entry.library_version), 0);
  if (me.organization.library_version < seen) return false;
  const last = entries.at(-1);
  if (!last) return true;
  try {
    const path = `/v1/media/${last.media_id}`;
    const { client, signal } = options;
    const { body } = await client.call<{ readonly media: { readonly sha256: string } }>({
      method: 'GET',
      path,
      signal,
    });
    return body.media.sha256 === last.sha256;
  } catch (error) {
    // Deleted by somebody: it stays deleted.
    if (error instanceof ApiError && error.status === 404) return true;
    throw error;
  }
}

type Sorted = { readonly tasks: readonly UploadTask[]; readonly before: ReadonlyMap<string, number> };

/** Parts the files into those to send and those an earlier run has sent. */
function sortTasks(files: readonly MediaFile[], plan: ImportPlan, entries: Journal['entries']): Sorted {
  const tasks: UploadTask[] = [];
  const before = new Map<string, number>();
  for (const file of files) {
    const entry = entries.get(file.path);
    if (!entry || entry.bytes !== file.bytes || entry.mtime_ms !== file.mtimeMs) {
      tasks.push({ file, before: undefined });
      continue;
    }
    before.set(file.path, entry.media_id);
    const metadata = plan.metadataOf(file);
    const { name: _name, tag_source: _source, ...given } = metadata;
    const isNew = entry.metadata_sha256 !== hashMetadata(metadata) && Object.keys(given).length > 0;
    if (isNew) tasks.push({ file, before: entry });
  }
  return { tasks, before };
}

async function openJournalOf(me: Me, options: ImportOptions, notes: string[]): Promise<Journal | undefined> {
  const { journal: wanted, folder, client } = options;
  if (!wanted || options.dryRun) return undefined;
  const path = await journalPath({
    dataDir: wanted.dataDir,
    folder,
    baseUrl: client.baseUrl,
    organizationId: me.organization.id,
  });
  const journal = await openJournal(path, { restart: wanted.restart });
  if (await isJournalOf(journal, me, options)) return journal;
  await journal.close();
  notes.push('the library is not the one of the earlier imports: everything is sent again');
  return openJournal(path, { restart: true });
}

/** Leaves out the table itself, which lies beside the pictures. */
function withoutTable(walk: MediaWalk, folder: string, tablePath: string | undefined): readonly string[] {
  if (tablePath === undefined) return walk.skipped;
  const own = relative(resolve(folder), resolve(tablePath));
  return walk.skipped.filter((path) => path !== own);
}

/**
 * Uploads the photos and videos of a folder through the HTTP API, tagged by a table. What fails is in the summary, file by
 * file; an abort ends the run and is told in `ended`.
 * @throws ImportSetupError for a folder, table or tag that is not there; ApiError, UnreachableError when the service cannot
 * be asked before the first upload
 */
export async function importFolder(options: ImportOptions): Promise<ImportSummary> {
  const { client, folder, signal } = options;
  const startedMs = performance.now();
  const figures = createFigures(options.onProgress);
  await checkFolder(folder);
  // A mistyped address should be told soon; afterwards an outage is waited out.
  const { body: me } = await client.call<Me>({ method: 'GET', path: '/v1/me', maxFailures: 2, signal });
  figures.set({ phase: 'looking' });
  const walk = await findMedia(folder, { recursive: options.recursive ?? true, signal });
  const table = await loadTable(options);
  figures.set({ phase: 'resolving' });
  const plan = await planImport(table, walk.files, options);
  const notes = [...plan.notes];

  const summarize = (
    run: Omit<UploadRun, 'ended'>,
    rest: Pick<ImportSummary, 'ended' | 'importedBefore' | 'untried' | 'processed'>,
  ): ImportSummary => ({
    organization: me.organization.slug,
    files: walk.files.length,
    bytes: walk.files.reduce((sum, file) => sum + file.bytes, 0),
    ...run,
    failures: [...walk.failures, ...run.failures].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    skipped: withoutTable(walk, folder, table.path),
    issues: plan.issues,
    unmatched: plan.unmatched,
    notes,
    seconds: (performance.now() - startedMs) / 1000,
    ...rest,
  });
  const untouched = { importedBefore: 0, untried: walk.files.length, processed: undefined };
  if (options.strict && plan.issues.length + plan.unmatched.length > 0) {
    return summarize(NOTHING_SENT, { ...untouched, ended: 'strict' });
  }
  if (options.dryRun) return summarize(NOTHING_SENT, { ...untouched, ended: 'dry_run' });

  const journal = await openJournalOf(me, options, notes);
  try {
    const { tasks, before } = sortTasks(walk.files, plan, journal?.entries ?? new Map());
    figures.set({
      phase: 'uploading',
      filesTotal: tasks.length,
      bytesTotal: tasks.reduce((sum, task) => sum + task.file.bytes, 0),
      failures: walk.failures.length,
    });
    const run = await runUploads({
      client,
      tasks,
      plan,
      journal,
      concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
      progress: { onBytes: figures.addBytes, onFile: figures.addFile },
      signal,
    });
    const mediaIds = new Map([...before, ...run.mediaIds]);
    const handled = run.uploaded + run.duplicates + run.updated + run.failures.length;
    const sentAgain = tasks.filter(({ file, before: entry }) => {
      const id = run.mediaIds.get(file.path);
      return entry !== undefined && id !== undefined && id !== entry.media_id;
    });
    const rest = { importedBefore: before.size - sentAgain.length, untried: tasks.length - handled, ended: run.ended };
    const waits = options.wait === true && run.ended === 'complete';
    const processed = waits ? await wait(client, { mediaIds, figures, signal }) : undefined;
    const ended = signal.aborted ? 'aborted' : run.ended;
    return summarize({ ...run, mediaIds }, { ...rest, ended, processed });
  } finally {
    await journal?.close();
  }
}

async function wait(
  client: ApiClient,
  options: {
    readonly mediaIds: ReadonlyMap<string, number>;
    readonly figures: ReturnType<typeof createFigures>;
    readonly signal: AbortSignal;
  },
): Promise<ImportSummary['processed']> {
  const { mediaIds, figures, signal } = options;
  // Copies of one picture are one asset.
  const paths = new Map([...mediaIds].map(([path, mediaId]) => [mediaId, path]));
  const assets = [...paths].map(([mediaId, path]) => ({ mediaId, path }));
  figures.set({ phase: 'processing', filesDone: 0, filesTotal: assets.length, bytesDone: 0, bytesTotal: 0 });
  try {
    return await waitForProcessing({ client, assets, signal, onDone: () => figures.addFile(false) });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

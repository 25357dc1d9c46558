import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ApiClient,
  createApiClient,
  createCollections,
  createProgressReporter,
  type ImportOptions,
  importFolder,
  type ImportSummary,
  type SidecarRow,
  type TagReference,
} from './import/index.ts';
import { readSampleLibrary, type SampleLibrary, toActionItems, toBulkItems } from './sample-library.ts';

export type LoadedSample = {
  readonly tagOptions: number;
  readonly collections: number;
  readonly photos: number;
  readonly videos: number;
  readonly actions: number;
};

const SOURCE = 'sample';
/** Half of what the API takes at once. */
const BULK_ITEMS = 500;

type BulkAnswer = {
  readonly results: readonly { readonly status: string; readonly error?: { readonly detail: string } }[];
};

async function upsertTags(client: ApiClient, library: SampleLibrary, signal: AbortSignal): Promise<void> {
  const items = toBulkItems(library, SOURCE);
  const send = async (tagOptions: readonly object[]) => {
    for (let at = 0; at < tagOptions.length; at += BULK_ITEMS) {
      const json = { tag_options: tagOptions.slice(at, at + BULK_ITEMS) };
      const { body } = await client.call<BulkAnswer>({ method: 'POST', path: '/v1/tag/bulk', json, signal });
      const failed = body.results.find((result) => result.status === 'failed');
      if (failed)
        throw new Error(`a tag option of the sample was refused: ${failed.error?.detail ?? 'without a reason'}`);
    }
  };
  // Within one request the items may refer to each other; beyond that, what is referred to has to be there first.
  if (items.length > BULK_ITEMS) await send(items.map(({ relations: _relations, ...item }) => item));
  await send(items);
}

type FoundMedia = { readonly media: readonly { readonly id: number; readonly name: string }[] };
type ActionsAnswer = {
  readonly actions: readonly object[];
  readonly errors: readonly { readonly detail: string }[];
};

/** Records what happens in the videos that are there. Known by its reference, an action is recorded once. */
async function recordActions(client: ApiClient, library: SampleLibrary, signal: AbortSignal): Promise<number> {
  const json = { media_type: 'video', limit: 200 };
  const { body: found } = await client.call<FoundMedia>({ method: 'POST', path: '/v1/media/search', json, signal });
  const mediaIds = new Map(found.media.map(({ id, name }) => [name, id]));
  const actions = toActionItems(library, SOURCE, mediaIds);
  if (actions.length === 0) return 0;
  const bulk = { method: 'POST', path: '/v1/action/bulk', json: { actions }, signal } as const;
  const { body } = await client.call<ActionsAnswer>(bulk);
  const [failed] = body.errors;
  if (failed) throw new Error(`an action of the sample was refused: ${failed.detail}`);
  return body.actions.length;
}

/** A clip is tagged with the match, clubs and players of its actions. */
function videoRows(library: SampleLibrary): SidecarRow[] {
  const byFile = new Map<string, TagReference[]>();
  for (const action of library.actions) {
    const tags: TagReference[] = [
      { column: 'match', type: 'match', value: `${SOURCE}:${action.match}` },
      ...action.clubs.map(({ id }) => ({ column: 'clubs', type: 'club', value: `${SOURCE}:${id}` })),
      ...action.players.map(({ id }) => ({ column: 'players', type: 'player', value: `${SOURCE}:${id}` })),
    ];
    byFile.set(action.file, [...(byFile.get(action.file) ?? []), ...tags]);
  }
  return [...byFile].map(([file, tags]) => ({ line: 0, file, tags, collections: [], fields: {} }));
}

/** @throws Error when a file of the sample is missing or was refused: the next start tries again */
function checkComplete(what: string, summary: ImportSummary): void {
  const faults = [
    ...summary.failures.map(({ path, reason }) => `${path}: ${reason}`),
    ...(summary.processed?.failures.map(({ path, reason }) => `${path}: ${reason}`) ?? []),
    ...summary.issues.map(({ line, detail }) => `line ${line}: ${detail}`),
  ];
  const [first] = faults;
  if (first !== undefined) throw new Error(`${faults.length} faults in the ${what} of the sample, the first: ${first}`);
  if (summary.ended !== 'complete') throw new Error(`the ${what} of the sample are not complete`);
}

/**
 * Loads the sample library through the HTTP API: tag options, collections, photos (ready when it returns), videos (which
 * are processed further) and what happens in them. Run again after an interruption it adds what is missing: tag options are known by their external
 * ids, collections by name, files by their bytes, actions by their references.
 */
export async function loadSample(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sampleFolder: string;
  /** Where the progress is shown. */
  readonly stdout: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}): Promise<LoadedSample> {
  const { baseUrl, apiKey, sampleFolder, stdout, signal } = options;
  const client = createApiClient({ baseUrl, apiKey });
  const library = readSampleLibrary(await readFile(join(sampleFolder, 'library.json'), 'utf8'));
  await upsertTags(client, library, signal);
  const collections = createCollections(client, signal);
  for (const { name } of library.collections) await collections.idOf(name, { create: true });

  const load = async (what: string, importing: Pick<ImportOptions, 'sidecar' | 'wait'>) => {
    const reporter = createProgressReporter(stdout);
    try {
      const folder = join(sampleFolder, what);
      const summary = await importFolder({ client, folder, signal, onProgress: reporter.update, ...importing });
      signal.throwIfAborted();
      checkComplete(what, summary);
      return summary.files;
    } finally {
      reporter.end();
    }
  };
  const photos = await load('photos', {
    sidecar: { kind: 'file', path: join(sampleFolder, 'photos.csv') },
    wait: true,
  });
  const videos = await load('videos', { sidecar: { kind: 'rows', rows: videoRows(library) } });
  const actions = await recordActions(client, library, signal);
  const { tag_options: tagOptions, collections: named } = library;
  return { tagOptions: tagOptions.length, collections: named.length, photos, videos, actions };
}

import type { LibraryScope } from '../auth/index.ts';
import { HOUR_MS, type Logger } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { type ChangeRow, readVersion } from '../library/index.ts';
import { type BatchedReads, createBatchedReads } from './batched-reads.ts';
import { type CachedDocument, createDocumentEntries, type DocumentEntries } from './document-entries.ts';
import { createFollowers, type FollowerStats } from './follower.ts';
import type { Freshness } from './freshness.ts';
import type { FreshnessOptions } from './tag-lookup-follower.ts';
import { withinTime } from './within-time.ts';

/**
 * Assets as they are answered. It follows the change feed: an answer shows every write that this node acknowledged before
 * the call, and those of other nodes after at most a second, or at once with their version.
 */
export type DocumentCache<Document> = {
  /** The documents of these IDs, in their order; assets that are gone are left out. */
  find(scope: LibraryScope, ids: readonly number[], options?: FreshnessOptions): Promise<readonly Document[]>;
  stats(): readonly FollowerStats[];
  close(): Promise<void>;
};

const IDLE_MS = HOUR_MS;

/** IDs whose documents are being read, and what was touched meanwhile: those may be of the past already. */
type Reading = { readonly touched: Set<number>; all: boolean };

type Entries<Document> = {
  readonly documents: DocumentEntries<Document>;
  readonly readings: Set<Reading>;
  readonly missing: BatchedReads<Document>;
};

/** Changes that are in no document, by kind and by type. Those of assets name them; after any other one all are made anew. */
const UNSEEN_KINDS: ReadonlySet<string> = new Set([
  'detail_field',
  'saved_search',
  'clip',
  'delivery',
  'destination',
  'rule',
  'webhook',
  'api_key',
  'image_key',
  // Not image_settings: the mode decides which URLs are signed.
  'image_preset',
  'watermark',
]);
const UNSEEN: ReadonlySet<string> = new Set<ChangeRow['type']>([
  'tag_option.created',
  'collection.created',
  'collection.updated',
]);
const isUnseen = (type: string): boolean => UNSEEN.has(type) || UNSEEN_KINDS.has(type.slice(0, type.indexOf('.')));

/** The assets in whose documents a change is seen; undefined when it may be in all of them. */
function assetsOf({ type, objectId, data }: ChangeRow): readonly number[] | undefined {
  if (type.startsWith('media.')) return [objectId];
  // Actions are counted in the assets that they lie in. Every write of one names them, as a list of IDs.
  if (type.startsWith('action.')) return data['media_ids'] as number[];
  return undefined;
}

function applyChanges<Document>(
  { documents, readings }: Pick<Entries<Document>, 'documents' | 'readings'>,
  changes: readonly ChangeRow[],
): void {
  for (const change of changes) {
    if (isUnseen(change.type)) continue;
    const assets = assetsOf(change);
    for (const reading of readings) {
      if (assets) for (const id of assets) reading.touched.add(id);
      else reading.all = true;
    }
    if (assets) for (const id of assets) documents.drop(id);
    else documents.clear();
  }
}

export function createDocumentCache<Document extends CachedDocument>(options: {
  readonly db: Database;
  readonly logger: Logger;
  readonly freshness: Freshness;
  /** Reads and presents assets as they are now. */
  readonly read: (scope: LibraryScope, ids: readonly number[]) => Promise<readonly Document[]>;
  readonly nowMs: () => number;
  /** For all organizations together; one of them may have half of it. */
  readonly maxBytes: number;
}): DocumentCache<Document> {
  const { db, read, nowMs, maxBytes } = options;

  const open = (scope: LibraryScope): Entries<Document> => {
    const documents = createDocumentEntries<Document>(maxBytes / 2);
    const readings = new Set<Reading>();
    const missing = createBatchedReads(async (ids) => {
      const reading: Reading = { touched: new Set(), all: false };
      readings.add(reading);
      try {
        const found = await read(scope, ids);
        for (const document of found) {
          if (!reading.all && !reading.touched.has(document.id)) documents.keep(document);
        }
        return found;
      } finally {
        readings.delete(reading);
      }
    });
    return { documents, readings, missing };
  };

  const followers = createFollowers<Entries<Document>>({
    db,
    logger: options.logger,
    name: 'documents',
    load: async (scope) => ({
      version: await readVersion(db, scope),
      index: open(scope),
    }),
    apply: async (_scope, entries, { changes }) => applyChanges(entries, changes),
    sizeOf: ({ documents: { size, bytes } }) => ({ size, bytes }),
    freshness: options.freshness,
    maxBytes,
    idleMs: IDLE_MS,
  });

  return {
    async find(scope, ids, wanted = {}) {
      if (ids.length === 0) return [];
      const { documents, missing } = await followers.current(scope, { ...wanted, wait: true });
      const now = nowMs();
      const found = ids.map((id) => documents.find(id, now));
      const unknown = ids.filter((_, at) => found[at] === undefined);
      // A client that goes away leaves the read to the others.
      const others =
        unknown.length === 0 ? undefined : await withinTime(missing.read(unknown), { signal: wanted.signal });
      return ids.flatMap((id, at) => found[at] ?? others?.get(id) ?? []);
    },
    stats: () => followers.stats(),
    close: () => followers.close(),
  };
}

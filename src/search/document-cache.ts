import type { LibraryScope } from '../auth/index.ts';
import { HOUR_MS, type Logger, MIB } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { type ChangeRow, readVersion } from '../library/index.ts';
import { createFollowers, type FollowerStats } from './follower.ts';
import type { Freshness } from './freshness.ts';
import type { FreshnessOptions } from './tag-lookup-follower.ts';

/** What is kept of an asset. */
export type CachedDocument = {
  readonly id: number;
  readonly bytes: number;
  /** From then on it has to be made anew, whatever changes. */
  readonly goodUntilMs: number;
};

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

/** About 15,000 assets of 4 KiB: what people look at in an organization during an hour. */
const MAX_BYTES_EACH = 64 * MIB;
const MAX_BYTES = 256 * MIB;
/** The maps and the object around a document. */
const ENTRY_BYTES = 300;
const IDLE_MS = HOUR_MS;

/** IDs whose documents are being read, and what was touched meanwhile: those may be of the past already. */
type Reading = { readonly touched: Set<number>; all: boolean };

type Entries<Document> = {
  /** In order of use: the first one was used longest ago. */
  readonly byId: Map<number, Document>;
  readonly readings: Set<Reading>;
  bytes: number;
};

/** Changes that are in no document. Those of assets name them; after any other one all are made anew. */
const UNSEEN: ReadonlySet<string> = new Set<ChangeRow['type']>([
  'tag_option.created',
  'collection.created',
  'collection.updated',
  'saved_search.created',
  'saved_search.updated',
  'saved_search.deleted',
  'api_key.created',
  'api_key.revoked',
]);

function drop<Document extends CachedDocument>(entries: Entries<Document>, id: number): void {
  const present = entries.byId.get(id);
  if (!present) return;
  entries.byId.delete(id);
  entries.bytes -= present.bytes + ENTRY_BYTES;
}

function keep<Document extends CachedDocument>(entries: Entries<Document>, document: Document): void {
  drop(entries, document.id);
  entries.byId.set(document.id, document);
  entries.bytes += document.bytes + ENTRY_BYTES;
  for (const id of entries.byId.keys()) {
    if (entries.bytes <= MAX_BYTES_EACH) return;
    drop(entries, id);
  }
}

function applyChanges<Document extends CachedDocument>(
  entries: Entries<Document>,
  changes: readonly ChangeRow[],
): void {
  for (const { type, objectId } of changes) {
    if (UNSEEN.has(type)) continue;
    const isAsset = type.startsWith('media.');
    for (const reading of entries.readings) {
      if (isAsset) reading.touched.add(objectId);
      else reading.all = true;
    }
    if (isAsset) drop(entries, objectId);
    else {
      entries.byId.clear();
      entries.bytes = 0;
    }
  }
}

export function createDocumentCache<Document extends CachedDocument>(options: {
  readonly db: Database;
  readonly logger: Logger;
  readonly freshness: Freshness;
  /** Reads and presents assets as they are now. */
  readonly read: (scope: LibraryScope, ids: readonly number[]) => Promise<readonly Document[]>;
  readonly nowMs: () => number;
}): DocumentCache<Document> {
  const { db, read, nowMs } = options;
  const followers = createFollowers<Entries<Document>>({
    db,
    logger: options.logger,
    name: 'documents',
    load: async (scope) => ({
      version: await readVersion(db, scope),
      index: { byId: new Map(), readings: new Set(), bytes: 0 },
    }),
    apply: async (_scope, entries, { changes }) => applyChanges(entries, changes),
    sizeOf: ({ byId, bytes }) => ({ size: byId.size, bytes }),
    freshness: options.freshness,
    maxBytes: MAX_BYTES,
    idleMs: IDLE_MS,
  });

  const readMissing = async (
    scope: LibraryScope,
    entries: Entries<Document>,
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, Document>> => {
    const reading: Reading = { touched: new Set(), all: false };
    entries.readings.add(reading);
    try {
      const documents = await read(scope, ids);
      for (const document of documents) {
        if (!reading.all && !reading.touched.has(document.id)) keep(entries, document);
      }
      return new Map(documents.map((document) => [document.id, document]));
    } finally {
      entries.readings.delete(reading);
    }
  };

  return {
    async find(scope, ids, wanted = {}) {
      if (ids.length === 0) return [];
      const entries = await followers.current(scope, { ...wanted, wait: true });
      const now = nowMs();
      const found = new Map<number, Document>();
      const missing: number[] = [];
      for (const id of ids) {
        const present = entries.byId.get(id);
        if (!present || present.goodUntilMs <= now) missing.push(id);
        else {
          entries.byId.delete(id);
          entries.byId.set(id, present);
          found.set(id, present);
        }
      }
      const others = missing.length === 0 ? found : await readMissing(scope, entries, missing);
      return ids.flatMap((id) => found.get(id) ?? others.get(id) ?? []);
    },
    stats: () => followers.stats(),
    close: () => followers.close(),
  };
}

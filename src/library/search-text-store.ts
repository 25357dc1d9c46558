import { sql } from 'kysely';
import { type LibraryScope, scopeOf } from '../auth/index.ts';
import type { Logger } from '../base/index.ts';
import { type Database, PREPARED } from '../db/index.ts';
import { type LibraryWrite, writeLibrary } from './changes-store.ts';
import { searchVector } from './search-text.ts';

/** What the words of an asset are made of. */
export type SearchedTexts = {
  readonly id: number;
  readonly name: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Remembers words as ones that a mistyped word may have meant. */
export async function insertSearchWords(
  { tx, scope }: Pick<LibraryWrite, 'tx' | 'scope'>,
  words: Iterable<string>,
): Promise<void> {
  const list = [...new Set(words)];
  if (list.length === 0) return;
  await sql`INSERT INTO search_word (organization_id, word)
    SELECT ${scope.organizationId}, word FROM unnest(${list}::text[]) AS word ON CONFLICT DO NOTHING
    ${PREPARED}`.execute(tx);
}

/** Computes the words of these assets anew: part of every transaction that writes a name or details. */
export async function writeSearchText(
  write: Pick<LibraryWrite, 'tx' | 'scope'>,
  assets: readonly SearchedTexts[],
): Promise<void> {
  if (assets.length === 0) return;
  const computed = assets.map((asset) => searchVector(asset.name, asset.details));
  await sql`UPDATE asset SET search_text = given.vector::tsvector
    FROM unnest(${assets.map((asset) => asset.id)}::bigint[], ${computed.map((one) => one.vector)}::text[])
      AS given (id, vector)
    WHERE asset.id = given.id AND asset.organization_id = ${write.scope.organizationId}`.execute(write.tx);
  await insertSearchWords(
    write,
    computed.flatMap((one) => one.words),
  );
}

const FILL_BATCH = 1000;

/** The first organization after `afterId` with assets whose words were never computed; an index holds only those. */
async function findUnfilled(db: Database, afterId: number): Promise<number | undefined> {
  const found = await sql<{ organization_id: number }>`SELECT organization_id FROM asset
    WHERE search_text IS NULL AND organization_id > ${afterId} ORDER BY organization_id LIMIT 1`.execute(db);
  return found.rows[0]?.organization_id;
}

/** Fills one batch of assets after `afterId`; answers their IDs in order, none when nothing is left. */
async function fillBatch(db: Database, scope: LibraryScope, afterId: number): Promise<readonly number[]> {
  // As a write of the organization, although it changes nothing that a client sees: others wait instead of deadlocking.
  const { result } = await writeLibrary(db, scope, async ({ tx }) => {
    const found = await sql<SearchedTexts>`SELECT id, name, details FROM asset
      WHERE organization_id = ${scope.organizationId} AND search_text IS NULL AND id > ${afterId}
      ORDER BY id LIMIT ${FILL_BATCH}`.execute(tx);
    await writeSearchText({ tx, scope }, found.rows);
    return found.rows.map((row) => row.id);
  });
  return result;
}

/**
 * Computes the words of assets that were stored before words were kept (one read of an empty index when there are none).
 * Several processes may do it at the same time. Answers how many assets it filled; ends with the signal's reason.
 */
export async function fillSearchText(
  db: Database,
  options: { readonly logger: Logger; readonly signal?: AbortSignal | undefined },
): Promise<number> {
  const startedAtMs = Date.now();
  let filled = 0;
  let organizationId = await findUnfilled(db, 0);
  if (organizationId === undefined) return 0;
  options.logger.info({ event: 'search_text.filling' }, 'reading the words of all assets, once');
  while (organizationId !== undefined) {
    const scope = scopeOf(organizationId);
    // By ID and not "the first that is missing": an index keeps what was just filled until it is cleaned.
    for (let afterId: number | undefined = 0; afterId !== undefined; ) {
      options.signal?.throwIfAborted();
      const ids = await fillBatch(db, scope, afterId);
      filled += ids.length;
      afterId = ids.at(-1);
    }
    organizationId = await findUnfilled(db, organizationId);
  }
  options.logger.info(
    { event: 'search_text.filled', assets: filled, ms: Date.now() - startedAtMs },
    'words of all assets read',
  );
  return filled;
}

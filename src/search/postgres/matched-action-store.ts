import { sql } from 'kysely';
import type { LibraryScope } from '../../auth/index.ts';
import type { Database } from '../../db/index.ts';
import type { ActionFilter } from '../filter/filter-tree.ts';
import type { TagWords } from '../text/tag-words.ts';
import { matchingAction } from './action-condition-store.ts';
import { resolveTexts } from './resolved-text-store.ts';
import { inSnapshot } from './snapshot-store.ts';
import { textsOfActions } from './text-store.ts';

export type MatchedPlaces = {
  /** Where the actions lie in the asset (`action_media.id`), in order of start: the first of them. */
  readonly placeIds: readonly number[];
  readonly total: number;
};

/** The actions in each of these assets that meet one of the filters; assets without any are missing. */
export async function findMatchedPlaces(
  db: Database,
  scope: LibraryScope,
  asked: {
    readonly filters: readonly ActionFilter[];
    readonly mediaIds: readonly number[];
    /** Most places an asset. */
    readonly most: number;
    readonly tagWords: TagWords;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReadonlyMap<number, MatchedPlaces>> {
  const { filters, mediaIds, most, tagWords, signal } = asked;
  if (filters.length === 0 || mediaIds.length === 0) return new Map();
  const ofActions = filters.flatMap(textsOfActions);
  const rows = await inSnapshot(db, { signal, severalStatements: ofActions.length > 0 }, async (run) => {
    const texts = await resolveTexts(run, scope, { ofAssets: [], ofActions, tagWords });
    const some = filters.map((filter) => sql`(${matchingAction(scope, filter, texts)})`);
    return run(sql<{ media_id: number; id: number; total: number }>`
      SELECT a.id AS media_id, found.id, found.total FROM asset a CROSS JOIN LATERAL (
        SELECT m.id, m.start_ms, count(*) OVER () AS total FROM action_media m JOIN action c ON c.id = m.action_id
        WHERE m.asset_id = a.id AND (${sql.join(some, sql` OR `)}) ORDER BY m.start_ms, m.id LIMIT ${most}
      ) AS found
      WHERE a.organization_id = ${scope.organizationId} AND a.id = ANY(${[...mediaIds]}::bigint[])
      ORDER BY found.start_ms, found.id`);
  });
  const byAsset = new Map<number, { placeIds: number[]; total: number }>();
  for (const { media_id: mediaId, id, total } of rows) {
    const known = byAsset.get(mediaId) ?? { placeIds: [], total };
    known.placeIds.push(id);
    byAsset.set(mediaId, known);
  }
  return byAsset;
}

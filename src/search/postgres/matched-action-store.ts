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

/** Of these actions those that meet a filter in their own video, with that video. */
export async function findMeetingActions(
  db: Database,
  scope: LibraryScope,
  asked: {
    readonly filter: ActionFilter;
    readonly actionIds: readonly number[];
    readonly tagWords: TagWords;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<readonly { readonly id: number; readonly mediaId: number }[]> {
  const { filter, actionIds, tagWords, signal } = asked;
  if (actionIds.length === 0) return [];
  const ofActions = textsOfActions(filter);
  return inSnapshot(db, { signal, severalStatements: ofActions.length > 0 }, async (run) => {
    const texts = await resolveTexts(run, scope, { ofAssets: [], ofActions, tagWords });
    return run(sql<{ id: number; mediaId: number }>`
      SELECT c.id, c.asset_id AS "mediaId" FROM action c
      JOIN action_media m ON m.action_id = c.id AND m.asset_id = c.asset_id JOIN asset a ON a.id = c.asset_id
      WHERE c.id = ANY (${[...actionIds]}::bigint[]) AND ${matchingAction(scope, filter, texts)} ORDER BY c.id`);
  });
}

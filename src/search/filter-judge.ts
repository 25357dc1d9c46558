import type { LibraryScope } from '../auth/index.ts';
import type { Database } from '../db/index.ts';
import { parseActionFilters } from './filter/filter-parser.ts';
import type { FilterInput } from './filter/filter-schema.ts';
import { isActionText, someActionLeaf } from './filter/filter-tree.ts';
import { ANY_ACTION } from './matched-actions.ts';
import type { MediaSearch } from './media-search.ts';
import type { SearchNames } from './names.ts';
import { findMeetingActions } from './postgres/matched-action-store.ts';
import { idResolverOf, NO_TAG_WORDS } from './search-request.ts';

export type JudgeOptions = {
  /** Sees the library at this version or a later one. */
  readonly version?: number | undefined;
  /** Ends the search with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Where the filter stands, for faults in it. */
  readonly pointer: string;
};

/** Says of given assets and actions which a filter finds, many at once, as a search of it would. */
export type FilterJudge = {
  /** Of these assets those that the filter finds. @throws AppError as a search does */
  assets(
    scope: LibraryScope,
    asked: { readonly filter: FilterInput; readonly mediaIds: readonly number[] },
    options: JudgeOptions,
  ): Promise<ReadonlySet<number>>;
  /**
   * Of these actions those whose own video the filter finds, where its member `action` is asked of this action alone. Below
   * `all`, `any` and `none` it is asked of all actions of the video, as always. @throws AppError as a search does
   */
  actions(
    scope: LibraryScope,
    asked: { readonly filter: FilterInput; readonly actionIds: readonly number[] },
    options: JudgeOptions,
  ): Promise<ReadonlySet<number>>;
};

export function createFilterJudge(deps: {
  readonly db: Database;
  readonly mediaSearch: MediaSearch;
  readonly names: SearchNames;
}): FilterJudge {
  const { db, mediaSearch, names } = deps;
  const assets: FilterJudge['assets'] = async (scope, { filter, mediaIds }, options) => {
    const among = [...new Set(mediaIds)];
    return new Set(await mediaSearch.findIds(scope, filter, { ...options, among, limit: among.length }));
  };
  return {
    assets,
    async actions(scope, { filter: input, actionIds }, { pointer, ...fresh }) {
      const { action, ...rest } = input;
      const ids = idResolverOf(names, scope, fresh);
      const filter = action ? (await parseActionFilters({ action, media: {} }, ids)).filter : ANY_ACTION;
      const tagWords = someActionLeaf(filter, isActionText) ? await names.tagWords(scope, fresh) : NO_TAG_WORDS;
      const meeting = await findMeetingActions(db, scope, { filter, actionIds, tagWords, signal: fresh.signal });
      const mediaIds = meeting.map((one) => one.mediaId);
      const found = await assets(scope, { filter: rest, mediaIds }, { ...fresh, pointer });
      return new Set(meeting.filter((one) => found.has(one.mediaId)).map((one) => one.id));
    },
  };
}

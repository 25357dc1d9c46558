import type { LibraryScope } from '../../auth/index.ts';
import { findActionPlaces } from '../../library/index.ts';
import { type ActionFilter, ANY_ACTION } from '../../search/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { ActionOut } from '../wire/actions.ts';
import type { MatchedAction } from '../wire/search.ts';
import { presentActions, readActionContext } from './actions.ts';

type Fresh = { readonly version: number | undefined; readonly signal: AbortSignal };
type Deps = Pick<ApiDeps, 'db' | 'matchedActions' | 'organizations' | 'urls' | 'settings'>;

function presentMatched(action: ActionOut): MatchedAction {
  const { id, type, type_key, label, start_ms, end_ms, event_ms, in_ms, out_ms, start_tc, end_tc } = action;
  const { minute, stoppage, period, players, clubs, outcome, status, play_url } = action;
  return {
    id,
    type,
    type_key,
    label,
    start_ms,
    end_ms,
    event_ms,
    in_ms,
    out_ms,
    start_tc,
    end_tc,
    minute,
    stoppage,
    period,
    players,
    clubs,
    outcome,
    status,
    play_url,
  };
}

type Shown = { readonly actions: readonly MatchedAction[]; readonly total: number };

/** Actions of each asset that meet one of the filters, as they are answered; four queries, however many they are. */
async function readShown(
  deps: Deps,
  scope: LibraryScope,
  asked: { readonly filters: readonly ActionFilter[]; readonly mediaIds: readonly number[]; readonly fresh: Fresh },
): Promise<ReadonlyMap<number, Shown>> {
  const matched = await deps.matchedActions.find(scope, asked, asked.fresh);
  const placed = await findActionPlaces(
    deps.db,
    scope,
    [...matched.values()].flatMap((one) => one.placeIds),
  );
  const context = await readActionContext(
    deps,
    scope,
    placed.map(({ action }) => action),
  );
  const shown = presentActions(placed, context).map(presentMatched);
  const byPlace = new Map(placed.flatMap(({ place }, at) => (shown[at] ? [[place.id, shown[at]] as const] : [])));
  return new Map(
    [...matched].map(([mediaId, { placeIds, total }]) => [
      mediaId,
      { actions: placeIds.flatMap((id) => byPlace.get(id) ?? []), total },
    ]),
  );
}

/**
 * What hits show of their actions, by asset, as the members of a JSON object behind others: `,"matched_actions":[...]`. Empty
 * when the search asked for neither.
 */
export async function readActionMembers(
  deps: Deps,
  scope: LibraryScope,
  asked: {
    readonly mediaIds: readonly number[];
    /** What the search asks of actions. */
    readonly filters: readonly ActionFilter[];
    readonly includesAll: boolean;
    readonly fresh: Fresh;
  },
): Promise<ReadonlyMap<number, string>> {
  const { mediaIds, filters, includesAll, fresh } = asked;
  if (mediaIds.length === 0 || (filters.length === 0 && !includesAll)) return new Map();
  const [matched, all] = await Promise.all([
    filters.length === 0 ? undefined : readShown(deps, scope, { filters, mediaIds, fresh }),
    includesAll ? readShown(deps, scope, { filters: [ANY_ACTION], mediaIds, fresh }) : undefined,
  ]);
  const none: Shown = { actions: [], total: 0 };
  return new Map(
    mediaIds.map((id) => {
      const { actions, total } = matched?.get(id) ?? none;
      const members = {
        ...(matched && { matched_actions: actions, matched_actions_total: total }),
        ...(all && { actions: (all.get(id) ?? none).actions }),
      };
      return [id, `,${JSON.stringify(members).slice(1, -1)}`];
    }),
  );
}

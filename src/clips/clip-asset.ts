import type { LibraryScope } from '../auth/index.ts';
import type { Database } from '../db/index.ts';
import { type Asset, type Clip, findActions, findTagSummaries, type Usage } from '../library/index.ts';

/** What a clip says of itself as an asset. */
export type ClipAssetFields = {
  readonly name: string;
  readonly tagOptionIds: readonly number[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly capturedAt: Date | null;
  readonly usage: Usage;
  readonly usageAt: Date | null;
};

/** Which of several usages holds for what is made of all of them. */
const STRICTEST_FIRST: readonly Usage[] = ['embargoed', 'expired', 'limited', 'raw', 'approved'];

/**
 * The tag options of its actions (type, match, clubs, players and others), the time of its first frame, and the usage of its
 * sources: a clip of an embargoed video is embargoed.
 */
export async function describeAsset(
  db: Database,
  scope: LibraryScope,
  options: { readonly clip: Clip; readonly assets: readonly Asset[] },
): Promise<ClipAssetFields> {
  const { clip, assets } = options;
  const { segments } = clip.request;
  const actionIds = [...new Set(segments.flatMap((segment) => segment.actionId ?? []))];
  const actions = await findActions(db, scope, actionIds);
  const tagIds = actions.flatMap((action) => [
    action.typeId,
    ...(action.matchId === null ? [] : [action.matchId]),
    ...action.clubs.map((club) => club.id),
    ...action.players.map((player) => player.id),
    ...action.extraTagIds,
  ]);
  const summaries = await findTagSummaries(db, scope, [...new Set(tagIds)]);
  const strictest = assets.toSorted(
    (left, right) => STRICTEST_FIRST.indexOf(left.usage) - STRICTEST_FIRST.indexOf(right.usage),
  )[0];
  const [first] = segments;
  const capturedAt = assets.find((asset) => asset.id === first?.mediaId)?.capturedAt ?? null;
  return {
    name: `${clip.name}.mp4`,
    // A tag option that takes no new tagging any more would have the whole clip refused.
    tagOptionIds: [...new Set(tagIds)].filter((id) => {
      const status = summaries.get(id)?.status;
      return status !== undefined && status !== 'deactivated';
    }),
    details: {
      clip_of: oneOrAll(assets.map((asset) => asset.id)),
      ...(actionIds.length > 0 && { action_id: oneOrAll(actionIds) }),
    },
    capturedAt: capturedAt && first ? new Date(capturedAt.getTime() + first.inMs) : null,
    usage: strictest?.usage ?? 'approved',
    usageAt: strictest?.usageAt ?? null,
  };
}

function oneOrAll(ids: readonly number[]): number | readonly number[] {
  const [only] = ids;
  return only !== undefined && ids.length === 1 ? only : ids;
}

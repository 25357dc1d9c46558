import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { ChangeRow } from '../library/index.ts';
import { findActionMedia, findClipMedia, findUnfinished } from './trigger-store.ts';
import { RULE_EVENTS, type RuleEvent, type RuleTrigger } from './rule-types.ts';
import { causeOf } from './step-attempt.ts';

const isRuleEvent = (type: string): type is RuleEvent => (RULE_EVENTS as readonly string[]).includes(type);

/**
 * The changes that rules look at, in order. Left out are changes of actions and clips that are gone, and all but the creation of an
 * asset that is still being processed: `media.ready` follows.
 */
export async function readTriggers(
  db: Queryable,
  scope: LibraryScope,
  changes: readonly ChangeRow[],
): Promise<readonly RuleTrigger[]> {
  const idsOf = (kind: string) => [
    ...new Set(changes.filter(({ type }) => type.startsWith(kind)).map(({ objectId }) => objectId)),
  ];
  const videos = await findActionMedia(db, scope, idsOf('action.'));
  const cut = await findClipMedia(db, scope, idsOf('clip.'));
  const triggers = changes.flatMap(({ version, type, objectId, data }): RuleTrigger[] => {
    if (!isRuleEvent(type)) return [];
    const actionId = type.startsWith('action.') ? objectId : null;
    const clipId = type.startsWith('clip.') ? objectId : null;
    const mediaId = actionId !== null ? videos.get(actionId) : clipId !== null ? cut.get(clipId) : objectId;
    if (mediaId === undefined) return [];
    const cause = causeOf(data);
    const by = { depth: cause?.depth ?? 0, causedBy: cause?.rule_id ?? null };
    return [{ version, type, objectId, mediaId, actionId, clipId, ...by }];
  });
  const asked = triggers.filter(({ type }) => type !== 'media.created').map(({ mediaId }) => mediaId);
  const unfinished = await findUnfinished(db, scope, [...new Set(asked)]);
  return triggers.filter(({ type, mediaId }) => type === 'media.created' || !unfinished.has(mediaId));
}

import type { LibraryScope } from '../auth/index.ts';
import type { RuleJudge } from './rule-ports.ts';
import type { Rule, RuleTrigger } from './rule-types.ts';

/** Whether a rule looks at a change at all: of its types, after it began, and not its own doing. */
export const concerns = (rule: Pick<Rule, 'id' | 'onTypes' | 'sinceVersion'>, trigger: RuleTrigger): boolean =>
  trigger.version > rule.sinceVersion && trigger.causedBy !== rule.id && rule.onTypes.includes(trigger.type);

/** Of these changes those whose asset the filter finds as it is now, at `version` or later. @throws AppError as a search does */
export async function findMatches(
  judge: RuleJudge,
  scope: LibraryScope,
  asked: {
    readonly filter: Rule['filter'];
    readonly triggers: readonly RuleTrigger[];
    readonly version: number;
    readonly signal: AbortSignal;
  },
): Promise<ReadonlySet<RuleTrigger>> {
  const { filter, triggers, version, signal } = asked;
  const options = { version, signal, pointer: '/filter' };
  const mediaIds = triggers.filter(({ actionId }) => actionId === null).map(({ mediaId }) => mediaId);
  const actionIds = triggers.flatMap(({ actionId }) => actionId ?? []);
  const assets = mediaIds.length === 0 ? new Set<number>() : await judge.assets(scope, { filter, mediaIds }, options);
  const actions =
    actionIds.length === 0 ? new Set<number>() : await judge.actions(scope, { filter, actionIds }, options);
  return new Set(
    triggers.filter(({ actionId, mediaId }) => (actionId === null ? assets.has(mediaId) : actions.has(actionId))),
  );
}

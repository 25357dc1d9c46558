import type { LibraryScope } from '../auth/index.ts';
import { AppError, invalidField } from '../base/index.ts';
import type { Queryable } from '../db/index.ts';
import { findTagSummaries } from '../library/index.ts';
import type { RuleTools } from './rule-ports.ts';
import type { RuleFields, RuleStep } from './rule-types.ts';

/** Each is asked about every change. */
export const MAX_RULES = 100;

async function checkTags(
  db: Queryable,
  scope: LibraryScope,
  asked: { readonly ids: readonly number[]; readonly pointer: string; readonly adding: boolean },
): Promise<void> {
  const { ids, pointer, adding } = asked;
  const found = await findTagSummaries(db, scope, ids);
  const unknown = ids.filter((id) => !found.has(id));
  if (unknown.length > 0) {
    const detail = `expected IDs of tag options, received unknown ${unknown.join(', ')}`;
    const errors = [{ pointer, code: 'unknown_tag_option', detail }];
    throw new AppError('unknown_tag_option', `${pointer}: ${detail}`, { errors, details: { unknown } });
  }
  const closed = adding ? ids.filter((id) => found.get(id)?.status === 'deactivated') : [];
  if (closed.length === 0) return;
  const detail = `expected active tag options, received deactivated ${closed.join(', ')}`;
  const errors = [{ pointer, code: 'tag_option_deactivated', detail }];
  throw new AppError('tag_option_deactivated', `${pointer}: ${detail}`, { errors });
}

function checkUsage({ usage, usage_at: at }: Extract<RuleStep, { do: 'set_usage' }>, pointer: string): void {
  if ((usage === 'embargoed' || usage === 'expired') && (at ?? null) === null) {
    const until = usage === 'embargoed' ? 'embargoed until' : 'expired after';
    throw invalidField(`${pointer}/usage_at`, `expected the time the asset is ${until}, received none`);
  }
}

/**
 * Whether everything that the steps of a rule name is there, in the state of `db`.
 * @throws AppError that names the member, such as `/then/0/destination_id`
 */
export async function checkSteps(
  tools: Pick<RuleTools, 'deliveries' | 'webhooks'>,
  from: { readonly db: Queryable; readonly scope: LibraryScope },
  rule: Pick<RuleFields, 'steps' | 'onTypes'>,
): Promise<void> {
  const { db, scope } = from;
  for (const [index, step] of rule.steps.entries()) {
    const pointer = `/then/${index}`;
    if (step.do === 'deliver') await tools.deliveries.check(db, scope, { step, pointer });
    if (step.do === 'webhook') {
      await tools.webhooks.check(db, scope, { webhookId: step.webhook_id, pointer: `${pointer}/webhook_id` });
    }
    if (step.do === 'add_tags' || step.do === 'remove_tags') {
      const asked = { ids: step.tag_option_ids, pointer: `${pointer}/tag_option_ids`, adding: step.do === 'add_tags' };
      await checkTags(db, scope, asked);
    }
    if (step.do === 'set_usage') checkUsage(step, pointer);
    if (step.do !== 'clip') continue;
    if (step.destination_id !== undefined) {
      const delivered = { do: 'deliver', destination_id: step.destination_id } as const;
      await tools.deliveries.check(db, scope, { step: delivered, pointer });
    }
    const other = rule.onTypes.find((type) => !type.startsWith('action.'));
    if (other !== undefined) {
      throw invalidField('/on', `expected only events of actions for a step that cuts a clip, received ${other}`);
    }
  }
}

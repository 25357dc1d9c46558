import { AppError } from '../base/index.ts';
import {
  applyBulkEdit,
  type BulkEdit,
  type Change,
  checkBulkEdit,
  findAssets,
  type LibraryWrite,
} from '../library/index.ts';
import type { RuleTools } from './rule-ports.ts';
import type { Rule, RuleFailure, RuleStep, RuleTrigger, RunState, StepDelivery, StepResult } from './rule-types.ts';
import { attemptStep } from './step-attempt.ts';

/** What was done about one change so far. */
export type Doing = { readonly trigger: RuleTrigger; readonly results: StepResult[]; ended: boolean };

type Step<Do extends RuleStep['do']> = Extract<RuleStep, { do: Do }>;
type Group = {
  readonly tools: RuleTools;
  readonly rule: Pick<Rule, 'id' | 'name' | 'steps'>;
  readonly triggers: readonly RuleTrigger[];
  readonly index: number;
};
/** By trigger. */
type Results = ReadonlyMap<RuleTrigger, StepResult>;

/** Who did it, where the name of an API key stands otherwise. */
export const actorOf = (rule: Pick<Rule, 'id' | 'name'>): string => `rule ${rule.id}: ${rule.name}`.slice(0, 200);

const mediaOf = (triggers: readonly RuleTrigger[]): readonly number[] => [
  ...new Set(triggers.map(({ mediaId }) => mediaId)),
];
const resultsOf = (triggers: readonly RuleTrigger[], result: (trigger: RuleTrigger) => StepResult): Results =>
  new Map(triggers.map((trigger) => [trigger, result(trigger)]));

async function deliver(write: LibraryWrite, step: Step<'deliver'>, group: Group): Promise<Results> {
  const { rule, triggers, index, tools } = group;
  const asked = { step, ruleId: rule.id, createdBy: actorOf(rule) };
  const runOf = (version: number) => `${rule.id}:${version}:${index}`;
  const results = new Map<RuleTrigger, StepResult>();
  const [first, ...others] = triggers.filter(({ clipId }) => clipId === null);
  if (first) {
    const mediaIds = mediaOf([first, ...others]);
    const queued = await tools.deliveries.queue(write, { ...asked, mediaIds, run: runOf(first.version) });
    for (const trigger of [first, ...others]) {
      results.set(trigger, deliveryResult(step.do, queued.get(trigger.mediaId) ?? []));
    }
  }
  for (const trigger of triggers) {
    const { clipId, mediaId, version } = trigger;
    if (clipId === null) continue;
    const clip = { mediaIds: [mediaId], clipIds: [clipId], run: runOf(version) };
    const queued = await tools.deliveries.queue(write, { ...asked, ...clip });
    results.set(trigger, deliveryResult(step.do, [...queued.values()].flat()));
  }
  return results;
}

/** What has been delivered before is there: the steps behind may rely on it. */
export function deliveryResult(name: RuleStep['do'], deliveries: readonly StepDelivery[]): StepResult {
  const isThere = (one: StepDelivery) => one.state === 'queued' || one.failure?.code === 'duplicate';
  const missing = deliveries.find((one) => !isThere(one));
  const failure = missing?.failure ?? { code: 'not_found', reason: 'the asset has no file to deliver' };
  if (missing || deliveries.length === 0) return { do: name, status: 'skipped', failure, deliveries };
  return { do: name, status: deliveries.some((one) => one.state === 'queued') ? 'done' : 'unchanged', deliveries };
}

const NO_PROCESSING = { enqueueProcessing: async () => undefined };

async function edit(
  write: LibraryWrite,
  edited: BulkEdit,
  { rule, ids }: { readonly rule: Group['rule']; readonly ids: readonly number[] },
): Promise<ReadonlyMap<number, Pick<StepResult, 'status' | 'failure'>>> {
  if (ids.length === 0) return new Map();
  const options = { edit: edited, dryRun: false, actor: actorOf(rule), hooks: NO_PROCESSING };
  const results = await applyBulkEdit(write, ids, options);
  const outcomes = new Map<number, Pick<StepResult, 'status' | 'failure'>>();
  for (const { id, status, error } of results) {
    if (error) outcomes.set(id, { status: 'skipped', failure: { code: error.code, reason: error.detail } });
    else outcomes.set(id, { status: status === 'updated' ? 'done' : 'unchanged' });
  }
  return outcomes;
}

/** Which of these tag options the changes say were added to an asset, or removed. */
function changedTags(
  changes: readonly Change[],
  asked: { readonly mediaId: number; readonly which: 'added' | 'removed'; readonly ids: readonly number[] },
): readonly number[] {
  const found = changes
    .filter((change) => change.type === 'media.tags_changed' && change.objectId === asked.mediaId)
    .flatMap((change) => change.data?.[asked.which] ?? []);
  return asked.ids.filter((id) => found.includes(id));
}

async function changeTags(write: LibraryWrite, step: Step<'add_tags' | 'remove_tags'>, group: Group): Promise<Results> {
  const { triggers, rule } = group;
  const adds = step.do === 'add_tags';
  const asked = step.tag_option_ids;
  const checked = await checkBulkEdit(write, { tags: adds ? { add: asked, remove: [] } : { add: [], remove: asked } });
  const ids = (adds ? checked.tags?.add : checked.tags?.remove) ?? [];
  const assets = await findAssets(write.tx, write.scope, mediaOf(triggers));
  // One that carries them, whoever put them there, is left as it is: nothing follows from it.
  const lacking = assets.filter((asset) => !adds || ids.some((id) => !asset.tags.some((tag) => tag.id === id)));
  const changes: Change[] = [];
  const record = (change: Change) => {
    changes.push(change);
    write.record(change);
  };
  const done = await edit({ ...write, record }, checked, { rule, ids: lacking.map((asset) => asset.id) });
  const which = adds ? 'added' : 'removed';
  return resultsOf(triggers, ({ mediaId }) => {
    const { status, failure } = done.get(mediaId) ?? { status: 'unchanged' };
    return { do: step.do, status, failure, tag_option_ids: changedTags(changes, { mediaId, which, ids }) };
  });
}

async function setUsage(write: LibraryWrite, step: Step<'set_usage'>, { triggers, rule }: Group): Promise<Results> {
  const { usage, usage_at: usageAt } = step;
  const done = await edit(write, { set: { usage, usageAt } }, { rule, ids: mediaOf(triggers) });
  return resultsOf(triggers, ({ mediaId }) => {
    const { status, failure } = done.get(mediaId) ?? { status: 'unchanged' };
    return { do: step.do, status, failure, usage };
  });
}

/** The event is the message: it goes to this webhook alone, whatever types that asks for. */
async function tell(write: LibraryWrite, step: Step<'webhook'>, group: Group): Promise<Results> {
  const { rule, triggers } = group;
  const { webhook_id: webhookId } = step;
  await group.tools.webhooks.check(write.tx, write.scope, { webhookId, pointer: '' });
  for (const { version, type, mediaId, actionId, clipId } of triggers) {
    const of = { ...(actionId !== null && { action_id: actionId }), ...(clipId !== null && { clip_id: clipId }) };
    const about = { media_id: mediaId, ...of };
    const data = { webhook_id: webhookId, rule_name: rule.name, event: { id: version, type }, ...about };
    write.record({ type: 'rule.matched', objectId: rule.id, data });
  }
  return resultsOf(triggers, () => ({ do: step.do, status: 'done' }));
}

async function cut(write: LibraryWrite, step: Step<'clip'>, group: Group): Promise<Results> {
  const results = new Map<RuleTrigger, StepResult>();
  for (const trigger of group.triggers) results.set(trigger, await cutOne(write, step, { ...group, trigger }));
  return results;
}

async function cutOne(
  write: LibraryWrite,
  step: Step<'clip'>,
  group: Group & { readonly trigger: RuleTrigger },
): Promise<StepResult> {
  const { rule, trigger, tools, index } = group;
  if (trigger.actionId === null) throw new RangeError('expected a change of an action for a clip');
  const createdBy = actorOf(rule);
  let clipId: number;
  try {
    clipId = await tools.clips.make(write, { step, actionId: trigger.actionId, createdBy });
  } catch (error) {
    const failure = refusalOf(error);
    if (!failure) throw error;
    return { do: step.do, status: 'skipped', failure };
  }
  if (step.destination_id === undefined) return { do: step.do, status: 'done', clip_id: clipId };
  const queued = await tools.deliveries.queue(write, {
    step: { do: 'deliver', destination_id: step.destination_id },
    mediaIds: [trigger.mediaId],
    clipIds: [clipId],
    ruleId: rule.id,
    run: `${rule.id}:${trigger.version}:${index}`,
    createdBy,
  });
  return { ...deliveryResult(step.do, [...queued.values()].flat()), clip_id: clipId };
}

/** What was refused for a reason of the caller's; undefined for what may go better next time. */
export function refusalOf(error: unknown): RuleFailure | undefined {
  if (!(error instanceof AppError)) return undefined;
  // A kind of destination that this installation does not know will not be known at the next try either.
  if (error.status >= 500 && error.code !== 'capability_missing') return undefined;
  return { code: error.code, reason: error.message };
}

function doStep(write: LibraryWrite, step: RuleStep, group: Group): Promise<Results> {
  switch (step.do) {
    case 'deliver':
      return deliver(write, step, group);
    case 'add_tags':
    case 'remove_tags':
      return changeTags(write, step, group);
    case 'set_usage':
      return setUsage(write, step, group);
    case 'webhook':
      return tell(write, step, group);
    case 'clip':
      return cut(write, step, group);
  }
}

/**
 * Does the steps of a rule about several changes, step by step for all of them together, which each is of another asset or
 * the rule changes none. The answer's failure is one of the rule itself: a step that is possible for no asset.
 */
export async function doSteps(
  tools: RuleTools,
  write: LibraryWrite,
  of: { readonly rule: Pick<Rule, 'id' | 'name' | 'steps'>; readonly triggers: readonly RuleTrigger[] },
): Promise<{ readonly doings: readonly Doing[]; readonly failure: RuleFailure | undefined }> {
  const { rule } = of;
  const doings = of.triggers.map((trigger): Doing => ({ trigger, results: [], ended: false }));
  for (const [index, step] of rule.steps.entries()) {
    const open = doings.filter((doing) => !doing.ended);
    const triggers = open.map((doing) => doing.trigger);
    if (triggers.length === 0) break;
    try {
      const { result } = await attemptStep(write, { rule, triggers }, (within) =>
        doStep(within, step, { tools, rule, triggers, index }),
      );
      for (const doing of open) {
        const one = result.get(doing.trigger);
        if (!one) continue;
        doing.results.push(one);
        doing.ended = one.status === 'skipped';
      }
    } catch (error) {
      const failure = refusalOf(error);
      if (!failure) throw error;
      for (const doing of open) doing.results.push({ do: step.do, status: 'failed', failure });
      return { doings, failure: { code: failure.code, reason: `/then/${index}: ${failure.reason}` } };
    }
  }
  return { doings, failure: undefined };
}

/** What came of a run, from what came of its steps. */
export function runStateOf(results: readonly StepResult[]): RunState {
  if (results.some((result) => result.status === 'failed')) return 'failed';
  return results.some((result) => result.status === 'skipped') ? 'stopped' : 'succeeded';
}

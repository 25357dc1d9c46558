import type { DryRun, Rule, RuleRun, StepResult } from '../../rules/index.ts';
import type { RuleOut, RuleRunOut } from '../wire/rules.ts';

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

export function presentRule(rule: Rule): RuleOut {
  const { stateCode: code, stateReason: reason, lastErrorCode: errorCode, lastErrorReason: errorReason } = rule;
  return {
    id: rule.id,
    name: rule.name,
    enabled: rule.enabled,
    status: rule.enabled ? rule.state : 'disabled',
    failure: code === null ? null : { code, reason: reason ?? '', at: time(rule.stateAt) },
    on: [...rule.onTypes],
    filter: { ...rule.filter },
    then: rule.steps.map((step) => ({ ...step })),
    matched: rule.matchedCount,
    failed: rule.failedCount,
    last_run_at: time(rule.lastRunAt),
    last_error: errorCode === null ? null : { code: errorCode, reason: errorReason ?? '', at: time(rule.lastErrorAt) },
    created_by: rule.createdBy,
    created_at: rule.createdAt.toISOString(),
    updated_at: rule.updatedAt.toISOString(),
    version: rule.version,
  };
}

const KINDS = ['media', 'action', 'clip'] as const;
const objectOf = (type: string, id: number) => ({
  kind: KINDS.find((kind) => type.startsWith(`${kind}.`)) ?? 'media',
  id,
});

function presentStep(step: StepResult) {
  const { failure, deliveries, tag_option_ids: tagIds, usage, clip_id: clipId } = step;
  return {
    do: step.do,
    status: step.status,
    ...(failure && { failure: { ...failure } }),
    ...(deliveries && {
      deliveries: deliveries.map((one) => ({ ...one, failure: one.failure && { ...one.failure } })),
    }),
    ...(tagIds && { tag_option_ids: [...tagIds] }),
    ...(usage !== undefined && { usage }),
    ...(clipId !== undefined && { clip_id: clipId }),
  };
}

export function presentRun(run: RuleRun): RuleRunOut {
  return {
    id: run.id,
    rule_id: run.ruleId,
    rule_version: run.ruleVersion,
    event: { id: run.eventVersion, type: run.eventType },
    depth: run.depth,
    object: objectOf(run.eventType, run.objectId),
    media_id: run.mediaId,
    state: run.state,
    failure: run.failure && { ...run.failure },
    steps: run.steps.map(presentStep),
    duration_ms: run.durationMs,
    created_at: run.createdAt.toISOString(),
  };
}

export function presentDryRun(run: DryRun) {
  const { trigger, eventAt } = run;
  return {
    event: eventAt ? { id: trigger.version, type: trigger.type, created_at: eventAt.toISOString() } : null,
    object: objectOf(trigger.type, trigger.objectId),
    media_id: trigger.mediaId,
    state: run.state,
    failure: run.failure && { ...run.failure },
    steps: run.steps.map(presentStep),
  };
}

export type { RuleClips, RuleDeliveries, RuleJudge, RuleTools, RuleWebhooks } from './rule-ports.ts';
export type { DryRun, DryRunPage } from './rule-dry-run.ts';
export { deleteOldRuns, listRuns } from './rule-run-store.ts';
export { findRule, listRules } from './rule-store.ts';
export { createRules, type DryRunRequest, type RulePatch, type Rules } from './rules.ts';
export {
  type Rule,
  RULE_EVENTS,
  type RuleEvent,
  type RuleFields,
  type RuleRun,
  type RuleStep,
  RUN_STATES,
  STEP_STATUSES,
  type StepDelivery,
  type StepResult,
} from './rule-types.ts';

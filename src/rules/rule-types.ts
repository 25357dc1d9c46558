import type { ChangeType, ClipAspect, Usage } from '../library/index.ts';

/** Changes that a rule can wait for. Of those of actions and clips, the asset that is judged is the (first) video that they are of. */
export const RULE_EVENTS = [
  'media.created',
  'media.ready',
  'media.updated',
  'media.tags_changed',
  'media.restored',
  'action.created',
  'action.updated',
  'clip.ready',
] as const satisfies readonly ChangeType[];
export type RuleEvent = (typeof RULE_EVENTS)[number];

/** One step, in the words of the API. */
export type RuleStep =
  | {
      readonly do: 'deliver';
      readonly destination_id: number;
      /** Default those of the destination. */
      readonly qualities?: readonly ('photographer' | 'compressed' | 'thumbnail')[] | undefined;
      /** In place of qualities. */
      readonly rendition?: { readonly kind: 'image'; readonly params: string } | undefined;
    }
  | { readonly do: 'add_tags'; readonly tag_option_ids: readonly number[] }
  | { readonly do: 'remove_tags'; readonly tag_option_ids: readonly number[] }
  | { readonly do: 'set_usage'; readonly usage: Usage; readonly usage_at?: string | null | undefined }
  | { readonly do: 'webhook'; readonly webhook_id: number }
  | {
      readonly do: 'clip';
      readonly lead_ms?: number | undefined;
      readonly lag_ms?: number | undefined;
      readonly aspect?: ClipAspect | undefined;
      readonly height?: number | undefined;
      readonly destination_id?: number | undefined;
    };

/** `paused`: by the guard against loops; `broken`: something that it needs is gone. Neither runs. */
export const RULE_STATES = ['active', 'paused', 'broken'] as const;
export type RuleState = (typeof RULE_STATES)[number];

export type RuleFields = {
  readonly name: string;
  readonly enabled: boolean;
  readonly onTypes: readonly RuleEvent[];
  /** The body of a media search, without options. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly steps: readonly RuleStep[];
};

export type Rule = RuleFields & {
  readonly id: number;
  readonly state: RuleState;
  readonly stateCode: string | null;
  readonly stateReason: string | null;
  readonly stateAt: Date | null;
  /** Changes after this version of the library are its own. */
  readonly sinceVersion: number;
  readonly matchedCount: number;
  readonly failedCount: number;
  readonly lastRunAt: Date | null;
  readonly lastErrorAt: Date | null;
  readonly lastErrorCode: string | null;
  readonly lastErrorReason: string | null;
  readonly createdBy: string;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Why something was not done: a code of the table of errors, and a sentence. */
export type RuleFailure = { readonly code: string; readonly reason: string };

export const STEP_STATUSES = ['done', 'unchanged', 'skipped', 'failed'] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** One file of a step that delivers. */
export type StepDelivery = {
  /** null in a dry run. */
  readonly id: number | null;
  readonly quality: string | null;
  readonly state: 'queued' | 'skipped' | 'failed';
  readonly path: string;
  readonly failure: RuleFailure | null;
};

/**
 * What came of a step, in the words of the API. `unchanged`: all was so already; `skipped`: not possible for this asset,
 * which ends the run; `failed`: not possible for any, which breaks the rule.
 */
export type StepResult = {
  readonly do: RuleStep['do'];
  readonly status: StepStatus;
  readonly failure?: RuleFailure | undefined;
  readonly deliveries?: readonly StepDelivery[] | undefined;
  /** Those that were really put on or taken off. */
  readonly tag_option_ids?: readonly number[] | undefined;
  readonly usage?: string | undefined;
  readonly clip_id?: number | undefined;
};

export const RUN_STATES = ['succeeded', 'stopped', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** What a rule did about one change. `stopped`: a step was not possible for this asset, and those behind it were not done. */
export type RuleRun = {
  readonly id: number;
  readonly ruleId: number;
  readonly ruleVersion: number;
  readonly eventVersion: number;
  readonly eventType: RuleEvent;
  readonly objectId: number;
  readonly mediaId: number;
  readonly depth: number;
  readonly state: RunState;
  /** Why it was not done, or not all of it. */
  readonly failure: RuleFailure | null;
  readonly steps: readonly StepResult[];
  readonly durationMs: number;
  readonly createdAt: Date;
};

/** A change that a rule looks at. */
export type RuleTrigger = {
  readonly version: number;
  readonly type: RuleEvent;
  readonly objectId: number;
  readonly mediaId: number;
  /** The action of `action.*`. */
  readonly actionId: number | null;
  /** The clip of `clip.ready`: what a step that delivers then brings. */
  readonly clipId: number | null;
  /** Rules that led to it, one after the other; 0 when somebody made it. */
  readonly depth: number;
  /** The last one of those. */
  readonly causedBy: number | null;
};

/** Whether a step changes the asset, so that later changes of it have to be judged anew. */
export const changesAsset = (step: RuleStep): boolean =>
  step.do === 'add_tags' || step.do === 'remove_tags' || step.do === 'set_usage';

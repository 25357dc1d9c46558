import type { LibraryScope } from '../auth/index.ts';
import { type LibraryEvent, readEvents, tryOut, writeLibrary } from '../library/index.ts';
import { concerns, findMatches } from './matching.ts';
import { listActionsOf } from './trigger-store.ts';
import type { RunnerDeps } from './rule-runner.ts';
import { type Doing, doSteps, runStateOf } from './rule-steps.ts';
import {
  changesAsset,
  type Rule,
  type RuleFailure,
  type RuleTrigger,
  type RunState,
  type StepResult,
} from './rule-types.ts';
import { readTriggers } from './triggers.ts';

/** Changes that are read at a time, and for one page at most. */
const READ = 500;
const MAX_READ = 10_000;

export type DryRun = {
  /** Undefined where assets were given in place of changes. */
  readonly eventAt: Date | undefined;
  readonly trigger: RuleTrigger;
  readonly state: RunState;
  readonly failure: RuleFailure | null;
  readonly steps: readonly StepResult[];
};
/** What is tried: a rule, or one that is not stored, whose ID is 0. */
export type TriedRule = Pick<Rule, 'id' | 'name' | 'onTypes' | 'filter' | 'steps'>;

export type DryRunPage = {
  readonly runs: readonly DryRun[];
  /** Changes of the rule's types that were looked at. */
  readonly looked: number;
  /** Go on after this version; null at the end of the changes. */
  readonly nextAfter: number | null;
};

/**
 * What a rule would have done about past changes, each asset judged as it is now. Nothing is written: the steps are done and taken
 * back.
 * @throws AppError as a search of the filter, or a step, does
 */
export async function dryRunOver(
  deps: RunnerDeps,
  scope: LibraryScope,
  asked: { readonly rule: TriedRule; readonly after: number; readonly limit: number; readonly signal: AbortSignal },
): Promise<DryRunPage> {
  const { rule, limit, signal } = asked;
  const matched: { readonly trigger: RuleTrigger; readonly eventAt: Date }[] = [];
  let after = asked.after;
  let isOver = false;
  let looked = 0;
  while (matched.length < limit && looked < MAX_READ && !isOver) {
    const page = await readEvents(deps.db, scope, { after, limit: READ, types: rule.onTypes });
    const times = new Map(page.events.map((event: LibraryEvent) => [event.version, event.createdAt]));
    const ofAnyTime = { ...rule, sinceVersion: 0 };
    const triggers = (await readTriggers(deps.db, scope, page.events)).filter((one) => concerns(ofAnyTime, one));
    const found = await findMatches(deps.tools.judge, scope, {
      filter: rule.filter,
      triggers,
      version: page.newest,
      signal,
    });
    for (const trigger of found) matched.push({ trigger, eventAt: times.get(trigger.version) ?? new Date(0) });
    looked += page.events.length;
    after = page.readTo;
    isOver = page.readTo >= page.newest;
  }
  const shown = matched.slice(0, limit);
  const last = matched.length > limit ? shown.at(-1) : undefined;
  const times = new Map(shown.map(({ trigger, eventAt }) => [trigger, eventAt]));
  const runs = await tryRuns(deps, scope, { rule, triggers: shown.map(({ trigger }) => trigger), times });
  return { runs, looked, nextAfter: last ? last.trigger.version : isOver ? null : after };
}

/** The same for assets, or for the actions in them, as if something had happened to them now. */
export async function dryRunOn(
  deps: RunnerDeps,
  scope: LibraryScope,
  asked: {
    readonly rule: TriedRule;
    readonly mediaIds: readonly number[];
    readonly limit: number;
    readonly signal: AbortSignal;
  },
): Promise<DryRunPage> {
  const { rule, mediaIds, limit, signal } = asked;
  const by = { version: 0, depth: 0, causedBy: null, clipId: null };
  const ofMedia = rule.onTypes.find((type) => type.startsWith('media.'));
  const ofActions = rule.onTypes.find((type) => type.startsWith('action.'));
  const actions = ofActions ? await listActionsOf(deps.db, scope, mediaIds) : [];
  const triggers: RuleTrigger[] = [
    ...(ofMedia ? mediaIds.map((id) => ({ ...by, type: ofMedia, objectId: id, mediaId: id, actionId: null })) : []),
    ...actions.flatMap(({ id, mediaId }) =>
      ofActions ? [{ ...by, type: ofActions, objectId: id, mediaId, actionId: id }] : [],
    ),
  ];
  const found = await findMatches(deps.tools.judge, scope, { filter: rule.filter, triggers, version: 0, signal });
  const shown = [...found].slice(0, limit);
  const runs = await tryRuns(deps, scope, { rule, triggers: shown, times: new Map() });
  return { runs, looked: triggers.length, nextAfter: null };
}

/** Runs of which no two are of one asset where the rule changes assets. */
function wavesOf(rule: TriedRule, triggers: readonly RuleTrigger[]): readonly (readonly RuleTrigger[])[] {
  if (!rule.steps.some(changesAsset)) return [triggers];
  const waves: RuleTrigger[][] = [];
  const counts = new Map<number, number>();
  for (const trigger of triggers) {
    const n = counts.get(trigger.mediaId) ?? 0;
    counts.set(trigger.mediaId, n + 1);
    const wave = waves[n] ?? [];
    wave.push(trigger);
    waves[n] = wave;
  }
  return waves;
}

async function tryRuns(
  deps: RunnerDeps,
  scope: LibraryScope,
  asked: {
    readonly rule: TriedRule;
    readonly triggers: readonly RuleTrigger[];
    readonly times: ReadonlyMap<RuleTrigger, Date>;
  },
): Promise<readonly DryRun[]> {
  const { rule, triggers, times } = asked;
  if (triggers.length === 0) return [];
  const { result: doings } = await writeLibrary(deps.db, scope, (write) =>
    tryOut(write, async (trial) => {
      const all: Doing[] = [];
      for (const wave of wavesOf(rule, triggers)) {
        all.push(...(await doSteps(deps.tools, trial, { rule, triggers: wave })).doings);
      }
      return all;
    }),
  );
  const byTrigger = new Map(doings.map((doing) => [doing.trigger, doing]));
  return triggers.map((trigger) => {
    const steps = (byTrigger.get(trigger)?.results ?? []).map(withoutIds);
    const failure = steps.find((step) => step.failure)?.failure ?? null;
    return { eventAt: times.get(trigger), trigger, state: runStateOf(steps), failure, steps };
  });
}

/** What was made was taken back: its IDs stand for nothing. */
function withoutIds({ clip_id: _clip, deliveries, ...step }: StepResult): StepResult {
  return { ...step, ...(deliveries && { deliveries: deliveries.map((one) => ({ ...one, id: null })) }) };
}

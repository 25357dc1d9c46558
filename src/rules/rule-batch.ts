/** A batch of changes: which rules match them, in their order, each change judged as the asset is when its turn comes. */
import type { LibraryScope } from '../auth/index.ts';
import { AppError, type Logger } from '../base/index.ts';
import { isConnectionError } from '../db/index.ts';
import type { ChangeRow } from '../library/index.ts';
import { concerns, findMatches } from './matching.ts';
import { breakRule } from './rule-health.ts';
import { type RunOutcome, runRule, type RunnerDeps } from './rule-runner.ts';
import { refusalOf } from './rule-steps.ts';
import { listActiveRules } from './rule-store.ts';
import { changesAsset, type Rule, type RuleTrigger } from './rule-types.ts';
import { readTriggers } from './triggers.ts';

export type Batch = {
  readonly scope: LibraryScope;
  readonly changes: readonly ChangeRow[];
  /** What the library was at least at when they were read. */
  readonly version: number;
  readonly signal: AbortSignal;
};

/** Failures for no known reason, by rule and in a row: at the third it is broken, so that it does not hold up the others. */
export type RuleFaults = Map<number, number>;
const MAX_FAULTS = 3;

export type BatchDeps = RunnerDeps & { readonly faults: RuleFaults; readonly logger: Logger };

/** Runs all rules on a batch of changes. Safe to do again from its beginning. */
export async function runBatch(deps: BatchDeps, batch: Batch): Promise<void> {
  while (!(await tryBatch(deps, batch))) batch.signal.throwIfAborted();
}

/** False when a rule turned out to be another one: from the beginning, and what was done is not done again. */
async function tryBatch(deps: BatchDeps, batch: Batch): Promise<boolean> {
  const { scope, signal } = batch;
  let rules = await listActiveRules(deps.db, scope);
  if (rules.length === 0) return true;
  let pending: readonly RuleTrigger[] = (await readTriggers(deps.db, scope, batch.changes)).filter((trigger) =>
    rules.some((rule) => concerns(rule, trigger)),
  );
  let { version } = batch;
  while (pending.length > 0) {
    signal.throwIfAborted();
    const judged = await judgeAll(deps, scope, { rules, triggers: pending, version, signal });
    rules = rules.filter((rule) => judged.has(rule));
    const { now, later } = takeTurns(pending, judged);
    const stopped = new Set<Rule>();
    for (const [rule, matches] of judged) {
      const triggers = now.filter((trigger) => matches.has(trigger));
      if (triggers.length === 0) continue;
      const outcome = await runWatched(deps, scope, { rule, triggers });
      if (outcome.isStale) return false;
      if (outcome.isStopped) stopped.add(rule);
      version = Math.max(version, outcome.version ?? 0);
    }
    rules = rules.filter((rule) => !stopped.has(rule));
    pending = later;
  }
  return true;
}

async function runWatched(
  deps: BatchDeps,
  scope: LibraryScope,
  matched: { readonly rule: Rule; readonly triggers: readonly RuleTrigger[] },
): Promise<RunOutcome> {
  const { faults, logger } = deps;
  const { rule } = matched;
  try {
    const outcome = await runRule(deps, scope, matched);
    faults.delete(rule.id);
    return outcome;
  } catch (error) {
    if (isConnectionError(error) || error instanceof AppError) throw error;
    const count = (faults.get(rule.id) ?? 0) + 1;
    faults.set(rule.id, count);
    logger.error({ event: 'rule.run_failed', ruleId: rule.id, count, err: error }, 'rule failed');
    if (count < MAX_FAULTS) throw error;
    faults.delete(rule.id);
    const failure = { code: 'internal', reason: `it failed ${MAX_FAULTS} times in a row; the log says why` };
    await breakRule(deps.db, scope, { rule, failure });
    return { version: undefined, isStale: false, isStopped: true };
  }
}

/** By rule in their order, what each matches. A rule whose filter cannot be searched any more is broken, and missing here. */
async function judgeAll(
  deps: RunnerDeps,
  scope: LibraryScope,
  asked: {
    readonly rules: readonly Rule[];
    readonly triggers: readonly RuleTrigger[];
    readonly version: number;
    readonly signal: AbortSignal;
  },
): Promise<ReadonlyMap<Rule, ReadonlySet<RuleTrigger>>> {
  const judged = new Map<Rule, ReadonlySet<RuleTrigger>>();
  for (const rule of asked.rules) {
    const triggers = asked.triggers.filter((trigger) => concerns(rule, trigger));
    try {
      const matches = await findMatches(deps.tools.judge, scope, { ...asked, filter: rule.filter, triggers });
      judged.set(rule, matches);
    } catch (error) {
      const failure = refusalOf(error);
      if (!failure) throw error;
      await breakRule(deps.db, scope, { rule, failure });
    }
  }
  return judged;
}

/**
 * Which of these changes are acted on now: all but those behind one of the same asset that a rule will change, which are
 * judged anew when that is done.
 */
function takeTurns(
  pending: readonly RuleTrigger[],
  judged: ReadonlyMap<Rule, ReadonlySet<RuleTrigger>>,
): { readonly now: readonly RuleTrigger[]; readonly later: readonly RuleTrigger[] } {
  const touched = new Set<number>();
  const now: RuleTrigger[] = [];
  const later: RuleTrigger[] = [];
  for (const trigger of pending) {
    if (touched.has(trigger.mediaId)) {
      later.push(trigger);
      continue;
    }
    now.push(trigger);
    const isTouched = [...judged].some(([rule, matches]) => matches.has(trigger) && rule.steps.some(changesAsset));
    if (isTouched) touched.add(trigger.mediaId);
  }
  return { now, later };
}

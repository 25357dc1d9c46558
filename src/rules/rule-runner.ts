import type { LibraryScope } from '../auth/index.ts';
import { type Clock, MINUTE_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { type LibraryWrite, writeLibrary } from '../library/index.ts';
import type { RuleTools } from './rule-ports.ts';
import { countRecentRuns, findRunVersions, insertRuns } from './rule-run-store.ts';
import { countRuns, findRule, stopRule } from './rule-store.ts';
import { type Doing, doSteps, runStateOf } from './rule-steps.ts';
import type { Rule, RuleFailure, RuleTrigger, StepResult } from './rule-types.ts';

/** Runs of one rule on one object within a minute: more is a loop through somebody outside. */
export const MAX_RUNS_A_MINUTE = 30;
/** Rules that may lead to one another. */
export const MAX_DEPTH = 5;
/** About 0.2 s of the library's lock a step. */
const PER_WRITE = 100;

export type RunnerDeps = { readonly db: Database; readonly tools: RuleTools; readonly clock: Clock };

export type RunOutcome = {
  /** The library has this version after it; it changed where this is not undefined. */
  readonly version: number | undefined;
  /** The rule is another one by now: what it matched has to be looked at anew. */
  readonly isStale: boolean;
  /** The rule was stopped. */
  readonly isStopped: boolean;
};

/** Runs a rule on changes that it matched, each once whatever happens, in writes of at most 100 of them. */
export async function runRule(
  deps: RunnerDeps,
  scope: LibraryScope,
  matched: { readonly rule: Rule; readonly triggers: readonly RuleTrigger[] },
): Promise<RunOutcome> {
  const { rule, triggers } = matched;
  let version: number | undefined;
  for (let at = 0; at < triggers.length; at += PER_WRITE) {
    const some = triggers.slice(at, at + PER_WRITE);
    const written = await writeLibrary(deps.db, scope, (write) => runSome(deps, write, { rule, triggers: some }));
    version = written.version;
    const { isStale, isStopped } = written.result;
    if (isStale || isStopped) return { version, isStale, isStopped };
  }
  return { version, isStale: false, isStopped: false };
}

async function runSome(
  deps: RunnerDeps,
  write: LibraryWrite,
  { rule, triggers }: { readonly rule: Rule; readonly triggers: readonly RuleTrigger[] },
): Promise<Pick<RunOutcome, 'isStale' | 'isStopped'>> {
  const { tx, scope } = write;
  const startedMs = performance.now();
  const now = await findRule(tx, scope, rule.id);
  if (now?.version !== rule.version) return { isStale: true, isStopped: false };
  const versions = triggers.map((trigger) => trigger.version);
  const done = await findRunVersions(tx, scope, { ruleId: rule.id, versions });
  const open = triggers.filter((trigger) => !done.has(trigger.version));
  const { deep, fine, looping } = await sortOut(deps, write, { rule, open });
  const { doings, failure: broken } = await doSteps(deps.tools, write, { rule, triggers: fine });
  const refused = [
    ...deep.map((trigger) => refusedAs(trigger, TOO_DEEP)),
    ...(looping ? [refusedAs(looping.trigger, looping.failure)] : []),
  ];
  await keepRuns(write, { rule, doings: [...doings, ...refused], startedMs });
  const stop = looping ? ({ state: 'paused', failure: looping.failure } as const) : undefined;
  const ended = broken ? ({ state: 'broken', failure: broken } as const) : stop;
  if (ended) await endRule(write, { rule, ...ended });
  return { isStale: false, isStopped: ended !== undefined };
}

const TOO_DEEP: RuleFailure = {
  code: 'rule_loop',
  reason: `${MAX_DEPTH} rules led to this change one after the other: no rule runs on it`,
};

const refusedAs = (trigger: RuleTrigger, failure: RuleFailure): Doing & { readonly refusal: RuleFailure } => ({
  trigger,
  results: [],
  ended: true,
  refusal: failure,
});

/** Those that may run, those that too many rules led to, and the first that comes too often: none behind it runs. */
async function sortOut(
  deps: RunnerDeps,
  { tx, scope }: LibraryWrite,
  { rule, open }: { readonly rule: Rule; readonly open: readonly RuleTrigger[] },
) {
  const since = new Date(deps.clock.now().getTime() - MINUTE_MS);
  const objectIds = [...new Set(open.map((trigger) => trigger.objectId))];
  const counts = new Map(await countRecentRuns(tx, scope, { ruleId: rule.id, objectIds, since }));
  const deep: RuleTrigger[] = [];
  const fine: RuleTrigger[] = [];
  for (const trigger of open) {
    const { objectId } = trigger;
    const count = (counts.get(objectId) ?? 0) + 1;
    counts.set(objectId, count);
    if (count > MAX_RUNS_A_MINUTE) {
      const reason = `it ran ${MAX_RUNS_A_MINUTE} times within a minute on object ${objectId} of ${trigger.type}`;
      return { deep, fine, looping: { trigger, failure: { code: 'rule_loop', reason } } };
    }
    if (trigger.depth >= MAX_DEPTH) deep.push(trigger);
    else fine.push(trigger);
  }
  return { deep, fine, looping: undefined };
}

const failureOf = (results: readonly StepResult[]): RuleFailure | undefined =>
  results.find((result) => result.failure)?.failure;

async function keepRuns(
  { tx, scope }: LibraryWrite,
  runs: {
    readonly rule: Rule;
    readonly doings: readonly (Doing & { readonly refusal?: RuleFailure })[];
    readonly startedMs: number;
  },
): Promise<void> {
  const { rule, doings } = runs;
  if (doings.length === 0) return;
  const durationMs = Math.round(performance.now() - runs.startedMs);
  const rows = doings
    .toSorted((a, b) => a.trigger.version - b.trigger.version)
    .map(({ trigger, results, refusal }) => {
      return {
        ruleId: rule.id,
        ruleVersion: rule.version,
        eventVersion: trigger.version,
        eventType: trigger.type,
        objectId: trigger.objectId,
        mediaId: trigger.mediaId,
        depth: trigger.depth,
        state: refusal ? ('failed' as const) : runStateOf(results),
        failure: refusal ?? failureOf(results) ?? null,
        steps: results,
        durationMs,
      };
    });
  await insertRuns(tx, scope, rows);
  const bad = rows.filter((row) => row.state !== 'succeeded');
  const failure = bad.at(-1)?.failure ?? undefined;
  await countRuns(tx, scope, { id: rule.id, matched: rows.length, failed: bad.length, failure });
}

/** Stops a rule, and says so in the feed. */
export async function endRule(
  write: LibraryWrite,
  end: { readonly rule: Rule; readonly state: 'paused' | 'broken'; readonly failure: RuleFailure },
): Promise<void> {
  const { rule, state, failure } = end;
  const { id, version, name } = rule;
  if (!(await stopRule(write.tx, write.scope, { id, version, state, failure }))) return;
  write.record({ type: `rule.${state}`, objectId: id, data: { name, ...failure } });
}

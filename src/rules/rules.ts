import { type LibraryScope, scopeOf } from '../auth/index.ts';
import { AppError, invalidField, type Logger } from '../base/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { readVersion, startFollowing, writeLibrary } from '../library/index.ts';
import { findRuleOrganizations } from './trigger-store.ts';
import { checkSteps, MAX_RULES } from './rule-check.ts';
import { type DryRunPage, dryRunOn, dryRunOver, type TriedRule } from './rule-dry-run.ts';
import { createRuleFollower, type RuleFollower } from './rule-follower.ts';
import { breakLost } from './rule-health.ts';
import type { RunnerDeps } from './rule-runner.ts';
import { countRules, deleteRule, findRule, insertRule, updateRule } from './rule-store.ts';
import type { Rule, RuleFields } from './rule-types.ts';

type Written = { readonly result: Rule; readonly version: number };
export type RulePatch = Partial<RuleFields>;

export type Rules = RuleFollower & {
  /** @throws AppError `validation_failed` and others that name the member of the body */
  create(scope: LibraryScope, given: { readonly fields: RuleFields; readonly createdBy: string }): Promise<Written>;
  /**
   * Changes of what a rule does, or that enable it, let one run again that was paused or broken.
   * @throws AppError as `create`; `not_found`, `precondition_failed`, `conflict`
   */
  change(
    scope: LibraryScope,
    given: {
      readonly id: number;
      readonly patch: (before: Rule) => RulePatch;
      readonly ifVersion: number | undefined;
    },
  ): Promise<Written>;
  /** Answers the version of the library. @throws AppError `not_found`, `precondition_failed` */
  remove(
    scope: LibraryScope,
    given: { readonly id: number; readonly ifVersion: number | undefined },
  ): Promise<{ readonly version: number }>;
  /** What a rule would do. @throws AppError `not_found`, and as a search of its filter does */
  dryRun(scope: LibraryScope, asked: DryRunRequest): Promise<DryRunPage>;
};

export type DryRunRequest = {
  /** The ID of a rule, or what one would be. */
  readonly rule: number | Omit<RuleFields, 'enabled'>;
  /** Runs, 1..200. */
  readonly limit: number;
  readonly signal: AbortSignal;
} & ({ readonly after: number } | { readonly mediaIds: readonly number[] });

const PATCH_ATTEMPTS = 5;

/** Rules of organizations, and what follows the changes of their libraries. */
export function createRules(
  deps: RunnerDeps & { readonly jobs: Pick<Jobs, 'enqueue'>; readonly logger: Logger },
): Rules {
  const { db, tools } = deps;
  const follower = createRuleFollower(deps);

  // Not inside a write: it holds a connection and the library's lock, and the search asks for connections too.
  const checkFilter = async (scope: LibraryScope, filter: RuleFields['filter']): Promise<void> => {
    const signal = AbortSignal.timeout(30_000);
    await tools.judge.assets(scope, { filter, mediaIds: [] }, { pointer: '/filter', signal });
  };

  const ruleToTry = async (asked: DryRunRequest['rule'], scope: LibraryScope): Promise<TriedRule> => {
    if (typeof asked === 'number')
      return getRule(await findRule(db, scope, asked), { id: asked, ifVersion: undefined });
    await checkFilter(scope, asked.filter);
    await checkSteps(tools, { db, scope }, asked);
    return { ...asked, id: 0 };
  };

  return {
    ...follower,
    async create(scope, { fields, createdBy }) {
      await checkFilter(scope, fields.filter);
      return writeLibrary(db, scope, async (write) => {
        const { tx } = write;
        if ((await countRules(tx, scope)) >= MAX_RULES) {
          throw invalidField('', `expected at most ${MAX_RULES} rules, received one more`);
        }
        await checkSteps(tools, { db: tx, scope }, fields);
        const rule = await insertRule(tx, scope, { fields, sinceVersion: await readVersion(tx, scope), createdBy });
        await startFollowing(tx, scope);
        write.record({ type: 'rule.created', objectId: rule.id });
        return rule;
      });
    },
    async change(scope, { id, patch: patchOf, ifVersion }) {
      for (let attempt = 0; attempt < PATCH_ATTEMPTS; attempt += 1) {
        const before = getRule(await findRule(db, scope, id), { id, ifVersion });
        const patch = patchOf(before);
        const fields: RuleFields = { ...before, ...patch };
        if (patch.filter) await checkFilter(scope, fields.filter);
        const { result, version } = await writeLibrary(db, scope, async (write) => {
          const { tx } = write;
          const now = getRule(await findRule(tx, scope, id), { id, ifVersion });
          if (now.version !== before.version) return undefined;
          if (patch.steps ?? patch.onTypes) await checkSteps(tools, { db: tx, scope }, fields);
          const starts = startsAgain(before, { fields, patch });
          if (starts) await checkSteps(tools, { db: tx, scope }, fields);
          const sinceVersion = starts ? await readVersion(tx, scope) : undefined;
          write.record({ type: 'rule.updated', objectId: id });
          return updateRule(tx, scope, { id, fields, sinceVersion });
        });
        if (result) return { result, version };
      }
      throw new AppError('conflict', `Rule ${id} is being changed by others: read it and try again.`);
    },
    async remove(scope, { id, ifVersion }) {
      const { version } = await writeLibrary(db, scope, async (write) => {
        getRule(await findRule(write.tx, scope, id), { id, ifVersion });
        await deleteRule(write.tx, scope, id);
        write.record({ type: 'rule.deleted', objectId: id });
      });
      return { version };
    },
    async dryRun(scope, asked) {
      const rule = await ruleToTry(asked.rule, scope);
      const { limit, signal } = asked;
      return 'after' in asked
        ? dryRunOver(deps, scope, { rule, limit, signal, after: asked.after })
        : dryRunOn(deps, scope, { rule, limit, signal, mediaIds: asked.mediaIds });
    },
    async sweep() {
      for (const organizationId of await findRuleOrganizations(db)) await breakLost(deps, scopeOf(organizationId));
      await follower.sweep();
    },
  };
}

function getRule(
  found: Rule | undefined,
  asked: { readonly id: number; readonly ifVersion: number | undefined },
): Rule {
  const { id, ifVersion } = asked;
  if (!found) throw new AppError('not_found', `There is no rule ${id}.`);
  if (ifVersion !== undefined && ifVersion !== found.version) {
    throw new AppError('precondition_failed', `Rule ${id} is at version ${found.version} by now: read it again.`);
  }
  return found;
}

/** Whether a rule that does not run does so after the patch; what happened in between is not made up for. */
function startsAgain(
  before: Rule,
  { fields, patch }: { readonly fields: RuleFields; readonly patch: RulePatch },
): boolean {
  if (!fields.enabled || (before.enabled && before.state === 'active')) return false;
  if (!before.enabled && before.state === 'active') return true;
  return patch.enabled === true || [patch.onTypes, patch.filter, patch.steps].some((given) => given !== undefined);
}

import type { LibraryScope } from '../auth/index.ts';
import type { Logger } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import { type ChangeType, writeLibrary } from '../library/index.ts';
import { checkSteps } from './rule-check.ts';
import { endRule, type RunnerDeps } from './rule-runner.ts';
import { refusalOf } from './rule-steps.ts';
import { listActiveRules } from './rule-store.ts';
import type { Rule, RuleFailure } from './rule-types.ts';

/** After these, something that a rule names may be gone. Webhooks go without one: the sweep finds that. */
export const LOSSES: readonly ChangeType[] = [
  'destination.deleted',
  'tag_option.deleted',
  'tag_option.updated',
  'collection.deleted',
  'detail_field.deleted',
];
const CHECK_LIMIT_MS = 30_000;

/** Marks a rule that cannot run as it is. */
export async function breakRule(
  db: Database,
  scope: LibraryScope,
  { rule, failure }: { readonly rule: Rule; readonly failure: RuleFailure },
): Promise<void> {
  await writeLibrary(db, scope, (write) => endRule(write, { rule, state: 'broken', failure }));
}

/** Marks the rules of which something that they name is gone, before a change finds that out. */
export async function breakLost(deps: RunnerDeps & { readonly logger: Logger }, scope: LibraryScope): Promise<void> {
  const { db, tools } = deps;
  for (const rule of await listActiveRules(db, scope)) {
    try {
      await checkSteps(tools, { db, scope }, rule);
      const options = { pointer: '/filter', signal: AbortSignal.timeout(CHECK_LIMIT_MS) };
      await tools.judge.assets(scope, { filter: rule.filter, mediaIds: [] }, options);
    } catch (error) {
      const failure = refusalOf(error);
      // What it is will be seen when it runs; the others are looked at all the same.
      if (!failure) deps.logger.warn({ event: 'rule.check_failed', ruleId: rule.id, err: error });
      else await breakRule(db, scope, { rule, failure });
    }
  }
}

import { inSavepoint } from '../db/index.ts';
import type { Change, LibraryWrite } from '../library/index.ts';
import type { Rule, RuleTrigger } from './rule-types.ts';

/** In `data` of each change that a rule makes. */
export type Cause = { readonly rule_id: number; readonly depth: number };

/** The cause of a change; undefined when somebody made it. */
export function causeOf(data: Readonly<Record<string, unknown>>): Cause | undefined {
  const cause = data['caused_by'];
  if (typeof cause !== 'object' || cause === null) return undefined;
  const { rule_id: rule, depth } = cause as Readonly<Record<string, unknown>>;
  return typeof rule === 'number' && typeof depth === 'number' ? { rule_id: rule, depth } : undefined;
}

/** The asset that a change is about. */
function mediaOf(change: Change): number | undefined {
  if (change.type.startsWith('media.')) return change.objectId;
  const id = change.data?.['media_id'] ?? [change.data?.['media_ids']].flat()[0];
  return typeof id === 'number' ? id : undefined;
}

/**
 * Tries a step: what it writes is taken back when it throws, and what it changes says by which rule. The answer has what
 * it changed.
 */
export async function attemptStep<T>(
  write: LibraryWrite,
  of: { readonly rule: Pick<Rule, 'id'>; readonly triggers: readonly RuleTrigger[] },
  work: (write: LibraryWrite) => Promise<T>,
): Promise<{ readonly result: T; readonly changes: readonly Change[] }> {
  const depths = new Map(of.triggers.map(({ mediaId, depth }) => [mediaId, depth]));
  const deepest = Math.max(0, ...of.triggers.map(({ depth }) => depth));
  const changes: Change[] = [];
  const record = (change: Change): void => {
    const depth = depths.get(mediaOf(change) ?? 0) ?? deepest;
    const cause: Cause = { rule_id: of.rule.id, depth: depth + 1 };
    changes.push({ ...change, data: { ...change.data, caused_by: cause } });
  };
  const result = await inSavepoint(write.tx, () => work({ ...write, record }));
  for (const change of changes) write.record(change);
  return { result, changes };
}

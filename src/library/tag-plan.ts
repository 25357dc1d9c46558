/**
 * What a list of tag options changes, worked out in memory from the state they are in: nothing is read or written here. An
 * item that fails changes nothing; so the plan is made anew without the items that failed until none fails any more.
 */
import { AppError } from '../base/index.ts';
import { takeRelations } from './tag-draft-relations.ts';
import {
  createDraft,
  Deferred,
  keysOf,
  type PlanOptions,
  takeFields,
  type TagItem,
  type TagSnapshot,
} from './tag-draft.ts';
import type { TagState } from './tag-state.ts';

export type TagOutcome =
  | { readonly status: 'created' | 'updated' | 'unchanged'; readonly state: TagState }
  | { readonly status: 'failed'; readonly error: AppError }
  | { readonly status: 'deferred' };

export type TagPlan = { readonly outcomes: readonly TagOutcome[]; readonly states: readonly TagState[] };

/** Works out what becomes of each item, in order, as if one were written after the other. */
export function planTags(items: readonly TagItem[], snapshot: TagSnapshot, options: PlanOptions): TagPlan {
  const settled = new Map<number, TagOutcome>();
  const deferredKeys = new Set(options.deferredKeys);
  for (;;) {
    const draft = createDraft(snapshot, { ...options, deferredKeys });
    const outcomes = new Map<number, TagOutcome & { readonly state: TagState }>();
    const before = settled.size;
    const attempt = (at: number, work: () => void): void => {
      try {
        work();
      } catch (error) {
        if (error instanceof Deferred) {
          settled.set(at, { status: 'deferred' });
          for (const key of keysOf(items[at]?.input ?? {})) deferredKeys.add(key);
        } else if (error instanceof AppError) settled.set(at, { status: 'failed', error });
        else throw error;
      }
    };
    items.forEach((item, at) => {
      if (!settled.has(at)) attempt(at, () => void outcomes.set(at, takeFields(draft, item)));
    });
    // Relations after all fields: an item may refer to one that comes later in the list.
    for (const [at, { state, status }] of outcomes) {
      const input = items[at]?.input;
      if (!input?.relations && !input?.match) continue;
      attempt(at, () => {
        const changed = takeRelations(draft, state, input);
        if (changed && status === 'unchanged') outcomes.set(at, { status: 'updated', state });
      });
    }
    if (settled.size > before) continue;
    return {
      states: [...draft.states.values()],
      outcomes: items.map((_, at) => settled.get(at) ?? outcomes.get(at) ?? { status: 'deferred' }),
    };
  }
}

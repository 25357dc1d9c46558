import type { Rule, RuleBody, RuleEvent, RulePatch } from '../../api/rules.ts';
import type { Quality } from '../content.ts';
import { draftOfFilter, type FilterDraft } from './rule-filter.ts';

export type Usage = 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
export type ClipShape = 'original' | '16:9' | '1:1' | '9:16';

/** A step in the words of the API (docs/rules.md). */
export type Step =
  | {
      readonly do: 'deliver';
      readonly destination_id?: number | undefined;
      readonly qualities?: readonly Quality[] | undefined;
      readonly rendition?: { readonly kind: 'image'; readonly params: string } | undefined;
    }
  | { readonly do: 'add_tags' | 'remove_tags'; readonly tag_option_ids: readonly number[] }
  | { readonly do: 'set_usage'; readonly usage: Usage; readonly usage_at?: string | null | undefined }
  | { readonly do: 'webhook'; readonly webhook_id?: number | undefined }
  | {
      readonly do: 'clip';
      readonly lead_ms?: number | undefined;
      readonly lag_ms?: number | undefined;
      readonly aspect?: ClipShape | undefined;
      readonly height?: number | undefined;
      readonly destination_id?: number | undefined;
    };
export type StepKind = Step['do'];
/** A step with a number of its own, by which the form knows it when it is moved. */
export type StepDraft = { readonly key: number; readonly step: Step };

export type RuleDraft = {
  readonly name: string;
  readonly enabled: boolean;
  readonly on: readonly RuleEvent[];
  readonly filter: FilterDraft;
  readonly steps: readonly StepDraft[];
};

let lastKey = 0;
export function keyed(step: Step): StepDraft {
  lastKey += 1;
  return { key: lastKey, step };
}

export const newStep = (kind: StepKind): Step => {
  if (kind === 'add_tags' || kind === 'remove_tags') return { do: kind, tag_option_ids: [] };
  return kind === 'set_usage' ? { do: kind, usage: 'approved' } : { do: kind };
};

export const newRule = (): RuleDraft => ({
  name: '',
  enabled: true,
  on: ['media.ready', 'media.tags_changed'],
  filter: draftOfFilter({}),
  steps: [keyed({ do: 'deliver' })],
});

/** The steps of a rule, which the service validated when it was made. */
export const stepsOf = (rule: Rule): readonly Step[] => rule.then as unknown as readonly Step[];

export const draftOfRule = (rule: Rule): RuleDraft => ({
  name: rule.name,
  enabled: rule.enabled,
  on: rule.on,
  filter: draftOfFilter(rule.filter),
  steps: stepsOf(rule).map(keyed),
});

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The merge patch (RFC 7396) that turns one value into another. */
export function mergePatchOf(before: Members, after: Members): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (!(name in after)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const old = before[name];
    if (isObject(old) && isObject(value)) {
      const inner = mergePatchOf(old, value);
      if (Object.keys(inner).length > 0) patch[name] = inner;
    } else if (JSON.stringify(value) !== JSON.stringify(old)) {
      patch[name] = value;
    }
  }
  return patch;
}

type Filter = NonNullable<RuleBody['filter']>;
const thenOf = (draft: RuleDraft): RuleBody['then'] => draft.steps.map(({ step }) => ({ ...step }));

export const triedOf = (draft: RuleDraft, filter: Filter) => ({ on: [...draft.on], filter, then: thenOf(draft) });

export const ruleBodyOf = (draft: RuleDraft, filter: Filter): RuleBody => ({
  name: draft.name.trim(),
  enabled: draft.enabled,
  ...triedOf(draft, filter),
});

/** Only what differs: what a rule does is checked again where it changes. */
export function rulePatchOf(draft: RuleDraft, filter: Filter, before: Rule): RulePatch {
  const { name, enabled, on, then } = ruleBodyOf(draft, filter);
  const change = mergePatchOf(before.filter, { ...filter });
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  return {
    ...(name !== before.name && { name }),
    ...(enabled !== before.enabled && { enabled: draft.enabled }),
    ...(!isSame(on, before.on) && { on }),
    ...(Object.keys(change).length > 0 && { filter: change }),
    ...(!isSame(then, before.then) && { then }),
  };
}

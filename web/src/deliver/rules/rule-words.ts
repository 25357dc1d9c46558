import type { Rule, RuleEvent, RunState, RunStep } from '../../api/rules.ts';
import type { ChipMode } from '../../library/query.ts';
import type { Step, StepKind, Usage } from './rule-draft.ts';
import { draftOfFilter } from './rule-filter.ts';

export const EVENTS: readonly { readonly value: RuleEvent; readonly label: string; readonly short: string }[] = [
  { value: 'media.ready', label: 'An uploaded file is ready', short: 'is ready' },
  { value: 'media.tags_changed', label: 'Its tags change', short: 'is tagged anew' },
  { value: 'media.updated', label: 'Something else of it changes', short: 'changes' },
  { value: 'media.created', label: 'An upload arrives', short: 'arrives' },
  { value: 'media.restored', label: 'It comes back out of the bin', short: 'comes back' },
  { value: 'action.created', label: 'An action is recorded', short: 'gets an action' },
  { value: 'action.updated', label: 'An action changes', short: 'has an action changed' },
  { value: 'clip.ready', label: 'A clip is cut', short: 'gives a clip' },
];
export const STEP_KINDS: readonly { readonly value: StepKind; readonly label: string }[] = [
  { value: 'deliver', label: 'Deliver it' },
  { value: 'add_tags', label: 'Put tags on' },
  { value: 'remove_tags', label: 'Take tags off' },
  { value: 'set_usage', label: 'Set its usage' },
  { value: 'webhook', label: 'Tell a webhook' },
  { value: 'clip', label: 'Cut a clip of the action' },
];
export const USAGES: readonly { readonly value: Usage; readonly label: string }[] = [
  { value: 'approved', label: 'Approved' },
  { value: 'limited', label: 'Limited' },
  { value: 'raw', label: 'Raw' },
  { value: 'embargoed', label: 'Embargoed' },
  { value: 'expired', label: 'Expired' },
];

/** `is ready or is tagged anew`. */
export const eventsText = (on: readonly RuleEvent[]): string =>
  EVENTS.filter(({ value }) => on.includes(value))
    .map(({ short }) => short)
    .join(' or ');

export type Names = {
  readonly destination: (id: number) => string;
  readonly tag: (id: number) => string;
  readonly webhook: (id: number) => string;
};

const listed = (words: readonly string[], last: string): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** Which assets a filter finds, in a few words. */
export function filterText(filter: Rule['filter'], names: Pick<Names, 'tag'>): string {
  const { query, rest } = draftOfFilter(filter);
  const labels = (mode: ChipMode) =>
    query.chips
      .filter((chip) => chip.mode === mode)
      .map(({ type, id }) => (type === 'collection' ? `collection ${id}` : names.tag(id)));
  const { media_type: kinds, ...values } = query.values;
  const [kind = 'asset'] = kinds?.length === 1 ? kinds : [];
  const [all, oneOf, none, only] = [labels('all'), labels('any'), labels('none'), labels('only')];
  const parts = [
    ...(all.length > 0 ? [`with ${listed(all, 'and')}`] : []),
    ...(oneOf.length > 0 ? [`with ${listed(oneOf, 'or')}`] : []),
    ...(only.length > 0 ? [`with only ${listed(only, 'and')}`] : []),
    ...(none.length > 0 ? [`without ${listed(none, 'or')}`] : []),
    ...(query.text === '' ? [] : [`with the words “${query.text}”`]),
    ...Object.entries(values).map(
      ([name, given]) => `whose ${name.replaceAll('_', ' ')} is ${listed(given.map(String), 'or')}`,
    ),
    ...(query.from === undefined ? [] : [`taken from ${query.from}`]),
    ...(query.before === undefined ? [] : [`taken before ${query.before}`]),
    ...(rest === '' ? [] : ['that meets a filter of its own']),
  ];
  if (parts.length === 0) return `any ${kind}`;
  return `${kind === 'asset' ? 'an' : 'a'} ${kind} ${parts.join(', ')}`;
}

/** The tag options that a filter names, as far as it is shown in words. */
export const tagIdsOfFilter = (filter: Rule['filter']): readonly number[] =>
  draftOfFilter(filter).query.chips.flatMap(({ type, id }) => (type === 'collection' ? [] : [id]));

/** What a step does, in a few words. */
export function stepText(step: Step, names: Names): string {
  switch (step.do) {
    case 'deliver':
      return step.destination_id === undefined
        ? 'deliver it'
        : `deliver it to ${names.destination(step.destination_id)}`;
    case 'add_tags':
      return `put on ${step.tag_option_ids.map(names.tag).join(', ')}`;
    case 'remove_tags':
      return `take off ${step.tag_option_ids.map(names.tag).join(', ')}`;
    case 'set_usage':
      return `set its usage to ${step.usage}`;
    case 'webhook':
      return step.webhook_id === undefined ? 'tell a webhook' : `tell ${names.webhook(step.webhook_id)}`;
    case 'clip':
      return step.destination_id === undefined
        ? 'cut a clip'
        : `cut a clip and deliver it to ${names.destination(step.destination_id)}`;
  }
}

export const RUN_STATES: Readonly<
  Record<RunState, { readonly label: string; readonly tone: 'ok' | 'warn' | 'danger' }>
> = {
  succeeded: { label: 'Done', tone: 'ok' },
  stopped: { label: 'Stopped', tone: 'warn' },
  failed: { label: 'Failed', tone: 'danger' },
};

export const RULE_STATES: Readonly<
  Record<Rule['status'], { readonly label: string; readonly tone: 'ok' | 'warn' | 'danger' | 'plain' }>
> = {
  active: { label: 'Active', tone: 'ok' },
  disabled: { label: 'Off', tone: 'plain' },
  paused: { label: 'Paused', tone: 'warn' },
  broken: { label: 'Broken', tone: 'danger' },
};

const KIND_WORDS: Readonly<Record<string, string>> = {
  deliver: 'Deliver',
  add_tags: 'Put tags on',
  remove_tags: 'Take tags off',
  set_usage: 'Set the usage',
  webhook: 'Tell the webhook',
  clip: 'Cut the clip',
};
const STATUS_WORDS: Readonly<Record<RunStep['status'], string>> = {
  done: 'done',
  unchanged: 'it was so already',
  skipped: 'not possible',
  failed: 'failed',
};

/** What came of a step, or would come of it. */
export function runStepText(step: RunStep, names: Pick<Names, 'tag'>): string {
  const what = KIND_WORDS[step.do] ?? step.do;
  const tags = step.tag_option_ids ?? [];
  const about = step.usage === undefined ? tags.map(names.tag).join(', ') : step.usage;
  const why = step.failure && step.status !== 'done' ? `: ${step.failure.reason}` : '';
  return `${what}${about === '' ? '' : ` (${about})`}: ${STATUS_WORDS[step.status]}${why}`;
}

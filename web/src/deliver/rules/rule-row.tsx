import { ListOrdered, Pencil, Trash2 } from 'lucide-react';
import type { Rule } from '../../api/rules.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { formatMoment } from '../../ui/when.ts';
import { stepsOf } from './rule-draft.ts';
import { eventsText, filterText, type Names, RULE_STATES, stepText } from './rule-words.ts';

export type RuleActions = {
  readonly onEnable: (enabled: boolean) => void;
  readonly onEdit: () => void;
  readonly onRuns: () => void;
  readonly onDelete: () => void;
};

/** One rule: what it waits for and does, how it is doing. */
export function RuleRow({
  rule,
  place,
  names,
  mayChange,
  actions,
}: {
  readonly rule: Rule;
  /** Its place in the order in which they run, from 1. */
  readonly place: number;
  readonly names: Names;
  readonly mayChange: boolean;
  readonly actions: RuleActions;
}) {
  const state = RULE_STATES[rule.status];
  const isStopped = rule.status === 'paused' || rule.status === 'broken';
  return (
    <li className="deliver-item" aria-label={rule.name}>
      <div className="deliver-item-main">
        <div className="deliver-item-head">
          <span className="rule-place">{place}.</span>
          <h3>{rule.name}</h3>
          <Badge tone={state.tone}>{state.label}</Badge>
        </div>
        <p>
          When {filterText(rule.filter, names)} {eventsText(rule.on)}:{' '}
          {stepsOf(rule)
            .map((step) => stepText(step, names))
            .join(', then ')}
          .
        </p>
        {rule.failure && <p className="rule-fault">{rule.failure.reason}</p>}
        <p className="quiet">{historyOf(rule)}</p>
        {rule.last_error && !rule.failure && <p className="rule-warning">Last error: {rule.last_error.reason}</p>}
      </div>
      <div className="deliver-item-actions">
        {mayChange && isStopped && (
          <Button size="s" onPress={() => actions.onEnable(true)}>
            Let it run again
          </Button>
        )}
        {mayChange && (
          <Switch isSelected={rule.enabled} onChange={actions.onEnable} aria-label={`${rule.name} is on`}>
            On
          </Switch>
        )}
        <Button size="s" onPress={actions.onRuns}>
          <ListOrdered aria-hidden /> Runs
        </Button>
        {mayChange && (
          <>
            <Button size="s" onPress={actions.onEdit}>
              <Pencil aria-hidden /> Change
            </Button>
            <IconButton size="s" icon={Trash2} label={`Delete ${rule.name}`} onPress={actions.onDelete} />
          </>
        )}
      </div>
    </li>
  );
}

function historyOf({ matched, failed, last_run_at: lastRunAt }: Rule): string {
  if (matched === 0) return 'It has not run yet.';
  const faults = failed === 0 ? '' : `, ${formatCount(failed)} of them not to the end`;
  return `It ran ${plural(matched, 'time')}${faults}${lastRunAt === null ? '' : `, last ${formatMoment(lastRunAt)}`}.`;
}

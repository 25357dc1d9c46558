import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Workflow } from 'lucide-react';
import { useState } from 'react';
import { destinationsQuery } from '../../api/destinations.ts';
import { useHasScope, useMe } from '../../api/me.ts';
import { type Rule, rulesQuery, useRules, useRuleWrites } from '../../api/rules.ts';
import { ProblemView, showProblem } from '../../app/problem-view.tsx';
import { useShortcuts } from '../../app/shortcuts.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { type Following, useLive } from '../use-live.ts';
import { stepsOf } from './rule-draft.ts';
import { RuleEditor } from './rule-editor.tsx';
import { RuleRow } from './rule-row.tsx';
import { RuleRuns } from './rule-runs.tsx';
import { tagIdsOfFilter } from './rule-words.ts';
import { useNames } from './use-names.ts';
import '../deliver.css';
import './rules.css';

/** What is done by itself. `?edit=new`, `?edit=3` and `?runs=3` open what they say. */
export function RulesView() {
  const me = useMe();
  const mayRead = useHasScope('delivery.run');
  if (me.isPending) return <Skeleton height={160} />;
  if (!mayRead) {
    return (
      <EmptyState icon={Workflow} title="This key may not see rules">
        Rules need a key with the scope delivery.run, and to change them one with admin. An administrator of the
        organization can make one.
      </EmptyState>
    );
  }
  return <Rules />;
}

const tagIdsOf = (rule: Rule): readonly number[] => [
  ...tagIdsOfFilter(rule.filter),
  ...stepsOf(rule).flatMap((step) => ('tag_option_ids' in step ? step.tag_option_ids : [])),
];

const FOLLOWING: Following = [
  ['rule.', rulesQuery.queryKey],
  // Steps tell destinations by name.
  ['destination.', destinationsQuery.queryKey],
];

function Rules() {
  useLive(FOLLOWING);
  const mayChange = useHasScope('admin');
  const { data, error, refetch } = useRules();
  const { change, remove } = useRuleWrites();
  const names = useNames(data?.flatMap(tagIdsOf) ?? []);
  const [deleted, setDeleted] = useState<Rule>();
  const search = useSearch({ from: '/deliver/rules' });
  const navigate = useNavigate();
  const go = (opened: Readonly<Record<string, string>>) => void navigate({ to: '/deliver/rules', search: opened });
  useShortcuts([{ keys: 'n', label: 'New rule', group: 'Rules', run: () => go({ edit: 'new' }) }], mayChange);
  const find = (id: string | undefined) => data?.find((one) => String(one.id) === id);
  const edited = find(search['edit']);
  const logged = find(search['runs']);
  const enable = ({ id, name }: Rule, enabled: boolean) =>
    change.mutate(
      { id, body: { enabled } },
      { onError: (fault) => showProblem(fault, `${name} was not switched ${enabled ? 'on' : 'off'}.`) },
    );
  if (error && !data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  return (
    <div className="deliver-view">
      <header className="deliver-head">
        <div>
          <h2>Rules</h2>
          <p className="quiet">What is done by itself when something happens to an asset, in this order.</p>
        </div>
        {mayChange && (
          <Button tone="primary" onPress={() => go({ edit: 'new' })}>
            <Plus aria-hidden /> New rule
          </Button>
        )}
      </header>
      {data === undefined && <Skeleton height={160} />}
      {data?.length === 0 && (
        <EmptyState icon={Workflow} title="No rules yet">
          {mayChange
            ? 'Make one: say when, which assets, and what is done. A dry run shows what it would have done so far.'
            : 'An administrator of the organization can make one.'}
        </EmptyState>
      )}
      <ol className="deliver-list" aria-label="Rules">
        {data?.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            place={index + 1}
            names={names}
            mayChange={mayChange}
            actions={{
              onEnable: (enabled) => enable(rule, enabled),
              onEdit: () => go({ edit: String(rule.id) }),
              onRuns: () => go({ runs: String(rule.id) }),
              onDelete: () => setDeleted(rule),
            }}
          />
        ))}
      </ol>
      {mayChange && (search['edit'] === 'new' || edited) && (
        <RuleEditor key={search['edit']} rule={edited} onClose={() => go({})} />
      )}
      {logged && <RuleRuns rule={logged} onClose={() => go({})} />}
      {deleted && (
        <DeleteDialog
          title={`Delete ${deleted.name}?`}
          confirm="Delete the rule"
          run={() => remove.mutateAsync(deleted.id)}
          onClose={() => setDeleted(undefined)}
        >
          Its log goes with it. What it delivered and tagged stays.
        </DeleteDialog>
      )}
    </div>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Rule, ruleRunsQuery, type RunState } from '../../api/rules.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { RunList } from './run-list.tsx';

const STATES: readonly { readonly value: RunState | 'all'; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'succeeded', label: 'Done' },
  { value: 'stopped', label: 'Stopped on the way' },
  { value: 'failed', label: 'Failed' },
];

/** The log of a rule: what it did in the last 30 days, newest first. */
export function RuleRuns({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const [state, setState] = useState<RunState | 'all'>('all');
  const runs = useInfiniteQuery(ruleRunsQuery(rule.id, state === 'all' ? undefined : state));
  const { data, error, isFetching, hasNextPage, fetchNextPage } = runs;
  const shown = data?.pages.flatMap((page) => page.runs);
  return (
    <Drawer title={`What ${rule.name} did`} isOpen width="l" onClose={onClose}>
      <div className="rule-form">
        <Select label="Runs" options={STATES} value={state} onChange={setState} />
        <ProblemNote error={error} />
        {shown === undefined && !error && <Skeleton height={96} />}
        {shown?.length === 0 && (
          <p className="quiet">
            {state === 'all'
              ? 'It has not run yet. It runs on what happens from when it was made or switched on.'
              : 'None of these.'}
          </p>
        )}
        {shown && (
          <RunList
            label="Runs"
            runs={shown.map((run) => ({ ...run, key: String(run.id), type: run.event.type, at: run.created_at }))}
          />
        )}
        {hasNextPage && (
          <div>
            <Button size="s" isPending={isFetching} onPress={() => void fetchNextPage()}>
              Show earlier ones
            </Button>
          </div>
        )}
      </div>
    </Drawer>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { dryRunQuery, type TriedRule } from '../../api/rules.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Select } from '../../ui/select.tsx';
import { RunList } from './run-list.tsx';

const DAYS = [
  { value: '1', label: 'The last day' },
  { value: '7', label: 'The last 7 days' },
  { value: '30', label: 'The last 30 days' },
] as const;
type Days = (typeof DAYS)[number]['value'];

/** What the rule as it stands in the form would have done so far; nothing of it is done. */
export function DryRun({ rule }: { readonly rule: TriedRule | undefined }) {
  const [days, setDays] = useState<Days>('7');
  const [asked, setAsked] = useState<{ readonly rule: TriedRule; readonly days: number }>();
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(dryRunQuery(asked));
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // What was asked for lies below the edge of the form.
    if (asked) section.current?.scrollIntoView({ block: 'start' });
  }, [asked]);
  const look = () => {
    if (!rule) return;
    const next = { rule, days: Number(days) };
    if (JSON.stringify(next) === JSON.stringify(asked)) void refetch();
    else setAsked(next);
  };
  const isOther = asked !== undefined && JSON.stringify({ rule, days: Number(days) }) !== JSON.stringify(asked);
  const runs = data?.pages.flatMap((page) => page.runs) ?? [];
  const looked = data?.pages.reduce((sum, page) => sum + page.looked, 0) ?? 0;
  return (
    <section ref={section} className={classNames('rule-part', asked !== undefined && 'dry-run')} aria-label="Dry run">
      <h3>What would it have done?</h3>
      <p className="quiet">
        A dry run goes through past events as if the rule had been there. Nothing is sent or changed.
      </p>
      <div className="dry-run-bar">
        <Select label="Of" options={DAYS} value={days} onChange={setDays} />
        <Button onPress={look} isDisabled={!rule} isPending={isFetching}>
          <FlaskConical aria-hidden /> Dry run
        </Button>
      </div>
      {isFetching && <ProgressBar label="Looking at past events" />}
      <ProblemNote error={error} />
      {data && !error && (
        <>
          <p role="status">
            <b>{summaryOf(runs, hasNextPage)}</b> {plural(looked, 'event')} {looked === 1 ? 'was' : 'were'} looked at.{' '}
            {isOther && <span className="quiet">The rule was changed since: run it again.</span>}
          </p>
          <RunList
            label="What it would have done"
            runs={runs.map((run, index) => ({
              ...run,
              key: `${run.event?.id ?? 0} ${run.object.id} ${index}`,
              type: run.event?.type,
              at: run.event?.created_at,
            }))}
          />
          {hasNextPage && (
            <Button size="s" isPending={isFetching} onPress={() => void fetchNextPage()}>
              Look further
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function summaryOf(runs: readonly { readonly state: string }[], hasMore: boolean): string {
  if (runs.length === 0) return hasMore ? 'Nothing so far.' : 'It would have done nothing.';
  const count = (state: string) => runs.filter((run) => run.state === state).length;
  const others = [
    ...(count('stopped') > 0 ? [`${formatCount(count('stopped'))} stopped on the way`] : []),
    ...(count('failed') > 0 ? [`${formatCount(count('failed'))} failed`] : []),
  ];
  const tail = others.length === 0 ? '' : `, of which ${others.join(' and ')}`;
  return `It would have run ${plural(runs.length, 'time')}${hasMore ? ' so far' : ''}${tail}.`;
}

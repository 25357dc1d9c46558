import { Play, Square } from 'lucide-react';
import { useMemo, useState } from 'react';
import { TAG_TYPES } from '../../api/tags.ts';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { ProblemNote } from '../../app/problem-view.tsx';
import { TYPE_NAMES } from '../../library/type-icon.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { setsOf } from './roster-file.ts';
import type { RosterFault, RosterItem } from './roster-mapping.ts';
import { RosterResults } from './roster-results.tsx';
import { type RosterRun, useRosterRun } from './roster-run.ts';

/** Tries a roster, then takes it in. */
export function RosterSend({
  items,
  faults,
}: {
  readonly items: readonly RosterItem[];
  readonly faults: readonly RosterFault[];
}) {
  const { run, start, stop } = useRosterRun();
  const sets = useMemo(() => setsOf(items), [items]);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [isAsking, setAsking] = useState(false);
  const isRunning = run?.isRunning === true;
  const go = (isPreview: boolean) => void start({ items, faults, isPreview, deactivateMissing: missing });
  // What would be deactivated was seen, or is asked about.
  const takeIn = () => (missing.length > 0 ? setAsking(true) : go(false));
  return (
    <section className="roster-part" aria-label="Take it in">
      {sets.length > 0 && (
        <fieldset className="roster-sets" disabled={isRunning}>
          <legend className="ui-label">What is no longer in the file</legend>
          {sets.map((set) => (
            <Checkbox
              key={set}
              isDisabled={isRunning}
              isSelected={missing.includes(set)}
              onChange={(on) => setMissing(on ? [...missing, set] : missing.filter((one) => one !== set))}
            >
              Deactivate {nameOfSet(set)} that are not in it
            </Checkbox>
          ))}
        </fieldset>
      )}
      <div className="roster-buttons">
        <Button isDisabled={items.length === 0} isPending={isRunning} onPress={() => go(true)}>
          Try it: change nothing
        </Button>
        <Button tone="primary" isDisabled={items.length === 0} isPending={isRunning} onPress={takeIn}>
          <Play aria-hidden /> Take {plural(items.length, 'tag option')} in
        </Button>
        {isRunning && (
          <Button onPress={stop}>
            <Square aria-hidden /> Stop
          </Button>
        )}
      </div>
      {run && <RunView run={run} />}
      {isAsking && (
        <ConfirmDialog
          title="Deactivate what is missing?"
          action="Take it in and deactivate"
          cancel="Leave it"
          onConfirm={() => {
            setAsking(false);
            go(false);
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            After the file was taken in, all active {missing.map(nameOfSet).join(' and ')} that are not in it are
            deactivated: they go on no more assets, and are found all the same.
            {run?.isPreview === true &&
              run.summary &&
              ` At the trial these were ${formatCount(run.summary.deactivated)}.`}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function nameOfSet(set: string): string {
  const [type = '', source = ''] = set.split(':');
  const known = TAG_TYPES.find((one) => one === type);
  return `${known ? TYPE_NAMES[known].many.toLowerCase() : type} of ${source}`;
}

function RunView({ run }: { readonly run: RosterRun }) {
  const { isPreview, isRunning, results, total, summary, error } = run;
  return (
    <>
      {isRunning && (
        <ProgressBar
          label={isPreview ? 'Trying' : 'Taking in'}
          value={total === 0 ? 0 : results.length / total}
          note={`${formatCount(results.length)} of ${formatCount(total)}`}
        />
      )}
      <div role="status" className="roster-said">
        {!isRunning && summary === undefined && error === undefined && (
          <p>
            Stopped after {formatCount(results.length)} of {formatCount(total)}.{' '}
            {isPreview ? 'Nothing was changed.' : 'What is listed was written; send the file again for the rest.'}
          </p>
        )}
        {summary && (
          <p>
            <b>{isPreview ? 'It would be so, and nothing was changed:' : 'Done:'}</b> {sentenceOf(run)}
          </p>
        )}
        {summary?.not_deactivated !== undefined && (
          <p>
            Nothing {isPreview ? 'would be' : 'was'} deactivated: {summary.not_deactivated}.
          </p>
        )}
      </div>
      <ProblemNote error={error} />
      {results.length > 0 && <RosterResults results={results} isRunning={isRunning} />}
    </>
  );
}

function sentenceOf({ results, summary }: RosterRun): string {
  // Rows that could not be read here are among the results.
  const failed = results.filter(({ status }) => status === 'failed').length;
  return [
    `${formatCount(summary?.created ?? 0)} created`,
    `${formatCount(summary?.updated ?? 0)} updated`,
    `${formatCount(summary?.unchanged ?? 0)} unchanged`,
    `${formatCount(failed)} failed`,
    ...(summary && summary.deactivated > 0 ? [`${formatCount(summary.deactivated)} deactivated`] : []),
  ].join(', ');
}

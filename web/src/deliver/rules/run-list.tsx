import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { mediaQuery } from '../../api/media.ts';
import type { RuleRun } from '../../api/rules.ts';
import { Badge } from '../../ui/badge.tsx';
import { formatMoment } from '../../ui/when.ts';
import { EVENTS, type Names, RUN_STATES, runStepText } from './rule-words.ts';
import { useNames } from './use-names.ts';

/** A run that was, or one that would have been: without a time it is as if the event came now. */
export type ShownRun = Pick<RuleRun, 'media_id' | 'state' | 'failure' | 'steps'> & {
  readonly key: string;
  readonly type: string | undefined;
  readonly at: string | undefined;
};

const eventLabel = (type: string): string => EVENTS.find(({ value }) => value === type)?.label ?? type;

/** Runs of a rule: about which asset, why, and what came of each step. */
export function RunList({ label, runs }: { readonly label: string; readonly runs: readonly ShownRun[] }) {
  const names = useNames(runs.flatMap(({ steps }) => steps.flatMap((step) => step.tag_option_ids ?? [])));
  return (
    <ul className="runs" aria-label={label}>
      {runs.map((run) => (
        <RunRow key={run.key} run={run} names={names} />
      ))}
    </ul>
  );
}

function RunRow({ run, names }: { readonly run: ShownRun; readonly names: Names }) {
  const { data: media } = useQuery({ ...mediaQuery(run.media_id), retry: false });
  const state = RUN_STATES[run.state];
  const name = media?.name ?? `Asset ${run.media_id}`;
  const picture = media?.qualities.thumbnail?.url;
  return (
    <li className="run">
      <span className="run-picture">{picture !== undefined && <img src={picture} alt="" loading="lazy" />}</span>
      <div className="run-main">
        <p className="run-head">
          <Link to="/asset/$assetId" params={{ assetId: String(run.media_id) }}>
            {name}
          </Link>
          <Badge tone={state.tone}>{state.label}</Badge>
        </p>
        <p className="quiet run-why">
          {[run.type === undefined ? '' : eventLabel(run.type), run.at === undefined ? '' : formatMoment(run.at)]
            .filter((one) => one !== '')
            .join(', ')}
        </p>
        {run.failure && !run.steps.some(({ failure }) => failure) && (
          <p className="run-failure">{run.failure.reason}</p>
        )}
        <ol className="run-steps">
          {run.steps.map((step, index) => (
            // Steps have no names of their own, and a run never changes.
            <li key={`${run.key} ${index}`}>
              {runStepText(step, names)}
              {(step.deliveries ?? []).map((one) => (
                <span key={`${one.quality} ${one.path}`} className="run-path">
                  <code>{one.path}</code> {one.failure?.code === 'duplicate' && 'is there already, or on its way'}
                </span>
              ))}
            </li>
          ))}
        </ol>
      </div>
    </li>
  );
}

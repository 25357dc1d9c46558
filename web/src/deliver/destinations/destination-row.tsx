import { CirclePause, CirclePlay, Pencil, ShieldCheck, Trash2 } from 'lucide-react';
import type { Destination } from '../../api/destinations.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { formatClock, formatMoment } from '../../ui/when.ts';
import { isKnownKind, KINDS, placeOf } from './destination-kinds.ts';
import { stateOf } from './destination-state.ts';

export type DestinationActions = {
  readonly onVerify: () => void;
  readonly onEdit: () => void;
  readonly onPause: (paused: boolean) => void;
  readonly onDelete: () => void;
};

/** One destination: where it is, how it is doing, what waits. */
export function DestinationRow({
  destination,
  mayChange,
  actions,
}: {
  readonly destination: Destination;
  readonly mayChange: boolean;
  readonly actions: DestinationActions;
}) {
  const { name, kind, paused, health } = destination;
  const state = stateOf(destination, formatClock);
  const kindLabel = isKnownKind(kind) ? KINDS[kind].label : kind;
  const place = placeOf(destination);
  return (
    <li className="deliver-item" aria-label={name}>
      <div className="deliver-item-main">
        <div className="deliver-item-head">
          <h3>{name}</h3>
          <Badge tone={state.tone}>{state.label}</Badge>
        </div>
        <p className="quiet destination-place">{place === '' ? kindLabel : `${kindLabel}: ${place}`}</p>
        {state.detail !== undefined && (
          <p className={state.tone === 'danger' ? 'destination-fault' : 'quiet'}>{state.detail}</p>
        )}
        <Facts
          className="destination-figures"
          facts={[
            ['Last hour', lastHourOf(health.last_hour)],
            ['Waiting', waitingOf(health)],
            ['Last arrival', health.last_success_at === null ? 'None yet' : formatMoment(health.last_success_at)],
          ]}
        />
      </div>
      <div className="deliver-item-actions">
        <Button size="s" onPress={actions.onVerify}>
          <ShieldCheck aria-hidden /> Verify
        </Button>
        {mayChange && (
          <>
            <Button size="s" onPress={() => actions.onPause(!paused)}>
              {paused ? <CirclePlay aria-hidden /> : <CirclePause aria-hidden />} {paused ? 'Go on' : 'Pause'}
            </Button>
            <Button size="s" onPress={actions.onEdit}>
              <Pencil aria-hidden /> Change
            </Button>
            <IconButton size="s" icon={Trash2} label={`Delete ${name}`} onPress={actions.onDelete} />
          </>
        )}
      </div>
    </li>
  );
}

function lastHourOf({
  succeeded,
  failed,
  bytes,
  p50_ms: median,
  bytes_per_second: rate,
}: Destination['health']['last_hour']) {
  if (succeeded === 0 && failed === 0) return 'Nothing sent';
  return [
    `${formatCount(succeeded)} arrived`,
    ...(failed > 0 ? [plural(failed, 'failed try', 'failed tries')] : []),
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(median === null ? [] : [`${median < 1000 ? `${median} ms` : `${(median / 1000).toFixed(1)} s`} each`]),
    ...(rate === null ? [] : [`${formatBytes(rate)}/s`]),
  ].join(', ');
}

function waitingOf({ queued, running }: Destination['health']): string {
  if (queued === 0 && running === 0) return 'Nothing';
  return [
    ...(running > 0 ? [`${formatCount(running)} being sent`] : []),
    ...(queued > 0 ? [`${formatCount(queued)} in the queue`] : []),
  ].join(', ');
}

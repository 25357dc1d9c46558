import { Link } from '@tanstack/react-router';
import { RotateCw, X } from 'lucide-react';
import { type Delivery, useDeliveryWrites } from '../../api/deliveries.ts';
import { useLiveProgress } from '../../api/delivery-events.ts';
import type { Destination } from '../../api/destinations.ts';
import { showProblem } from '../../app/problem-view.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { DeliveryBadge } from './delivery-badge.tsx';
import { contentWords, mayCancel, mayReplay, waitWords } from './words.ts';

/** What is to be known of a delivery at a glance: where it is, and what keeps it. */
function saidOf(delivery: Delivery, destination: Destination | undefined): string {
  const { bytes, attempts, failure, state } = delivery;
  const failed = attempts.filter(({ error_code: code }) => code !== null).length;
  return [
    state === 'succeeded' ? '' : (failure?.reason ?? ''),
    state === 'queued' ? waitWords(delivery) : '',
    failed > 0 && state !== 'succeeded' ? plural(failed, 'failed try', 'failed tries') : '',
    destination?.name ?? '',
    contentWords(delivery),
    bytes > 0 ? formatBytes(bytes) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

export function DeliveryRow({
  delivery,
  destination,
}: {
  readonly delivery: Delivery;
  readonly destination: Destination | undefined;
}) {
  const { id, path, state, media_id: mediaId } = delivery;
  const { cancel, replay } = useDeliveryWrites();
  const live = useLiveProgress(id ?? 0);
  const share = Math.max(live ?? 0, delivery.progress);
  const name = path === '' ? `Asset ${mediaId}` : path;
  if (id === null) return null;
  return (
    <>
      <DeliveryBadge state={state} />
      <div className="deliveries-row-main">
        <Link
          to="/deliver"
          search={(before) => ({ ...before, delivery: String(id) })}
          replace
          className="deliveries-row-path"
          title={name}
        >
          {name}
        </Link>
        {state === 'running' ? (
          <ProgressBar
            label={`How much of ${name} is there`}
            isLabelHidden
            value={share}
            note={`${formatBytes(Math.round(delivery.bytes * share))} of ${formatBytes(delivery.bytes)}, ${Math.floor(share * 100)} %`}
          />
        ) : (
          <p className="deliveries-row-said quiet">{saidOf(delivery, destination)}</p>
        )}
      </div>
      {mayCancel(state) && (
        <IconButton
          icon={X}
          size="s"
          label={`Cancel ${name}`}
          isPending={cancel.isPending}
          onPress={() =>
            cancel.mutate(id, { onError: (fault) => showProblem(fault, 'The delivery was not cancelled') })
          }
        />
      )}
      {mayReplay(delivery) && (
        <IconButton
          icon={RotateCw}
          size="s"
          label={`Send ${name} again`}
          isPending={replay.isPending}
          onPress={() =>
            replay.mutate(id, { onError: (fault) => showProblem(fault, 'The delivery was not queued again') })
          }
        />
      )}
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { RotateCw, X } from 'lucide-react';
import { type DeliveryBatch, useDeliveryWrites } from '../../api/deliveries.ts';
import { destinationsQuery } from '../../api/destinations.ts';
import { showProblem } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { showToast } from '../../ui/toast.tsx';
import { formatMoment } from '../../ui/when.ts';
import { batchWords, healthWords } from './words.ts';

/** How far a request is by files and bytes, and what keeps it. */
export function BatchSummary({ batch }: { readonly batch: DeliveryBatch }) {
  const { data: destinations } = useQuery(destinationsQuery);
  const destination = destinations?.find(({ id }) => id === batch.destination_id);
  const { bytes_done: done, bytes_total: total, states, finished_at: finishedAt } = batch;
  const bytes = total > 0 ? `${formatBytes(done)} of ${formatBytes(total)}` : '';
  const isDone = finishedAt !== null;
  const percent = isDone ? '' : `${Math.floor(batch.progress * 100)} %`;
  const health = destination && healthWords(destination);
  const isHeld = states.queued > 0 && states.running === 0 && health !== undefined && destination?.on_hold !== null;
  return (
    <div className="deliver-summary">
      <div role="status">
        <ProgressBar
          label={batchWords(batch)}
          // What has ended without arriving is done, but not there.
          value={isDone ? states.succeeded / batch.total : batch.progress}
          note={[bytes, percent].filter((part) => part !== '').join(', ')}
        />
      </div>
      <p className="quiet">
        {[
          destination ? `To ${destination.name}` : '',
          `asked for by ${batch.created_by}`,
          finishedAt === null ? `since ${formatMoment(batch.created_at)}` : `ended ${formatMoment(finishedAt)}`,
        ]
          .filter((part) => part !== '')
          .join(', ')}
        .
      </p>
      {isHeld && <p className={`deliver-health deliver-health-${health.tone}`}>{health.text}</p>}
    </div>
  );
}

/** What can be done with a request as a whole. */
export function BatchActions({ batch }: { readonly batch: DeliveryBatch }) {
  const { cancelBatch, replayBatch } = useDeliveryWrites();
  const { states } = batch;
  const open = states.queued + states.running;
  const again = states.failed + states.exhausted + states.cancelled;
  const cancel = () =>
    cancelBatch.mutate(batch.batch, {
      onSuccess: ({ cancelled }) =>
        showToast({ tone: 'info', text: `${plural(cancelled, 'delivery', 'deliveries')} cancelled.` }),
      onError: (fault) => showProblem(fault, 'The deliveries were not cancelled'),
    });
  const replay = () =>
    replayBatch.mutate(batch.batch, {
      onSuccess: ({ replayed }) =>
        showToast(
          replayed > 0
            ? { tone: 'info', text: `${plural(replayed, 'delivery', 'deliveries')} queued again.` }
            : { tone: 'info', text: 'None of them can be repeated: another file of the request has their path.' },
        ),
      onError: (fault) => showProblem(fault, 'The deliveries were not queued again'),
    });
  return (
    <>
      {open > 0 && (
        <Button isPending={cancelBatch.isPending} onPress={cancel}>
          <X aria-hidden /> Cancel what is left
        </Button>
      )}
      {again > 0 && (
        <Button isPending={replayBatch.isPending} onPress={replay}>
          <RotateCw aria-hidden /> Send again what did not arrive
        </Button>
      )}
    </>
  );
}

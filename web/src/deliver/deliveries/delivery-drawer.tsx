import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw, X } from 'lucide-react';
import { type Delivery, deliveryQuery, useDeliveryWrites } from '../../api/deliveries.ts';
import { useLiveProgress } from '../../api/delivery-events.ts';
import { type Destination, destinationsQuery } from '../../api/destinations.ts';
import { ProblemNote, ProblemView } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { formatBytes } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatMoment } from '../../ui/when.ts';
import { DeliveryBadge } from './delivery-badge.tsx';
import { DeliveryReceipt } from './delivery-receipt.tsx';
import { DeliveryTries } from './delivery-tries.tsx';
import { contentWords, mayCancel, mayReplay, waitWords } from './words.ts';

/** Everything about one delivery: what keeps it, its tries, and its receipt. */
export function DeliveryDrawer({ id, onClose }: { readonly id: number; readonly onClose: () => void }) {
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(id));
  const { data: destinations } = useQuery(destinationsQuery);
  const destination = destinations?.find((one) => one.id === delivery?.destination_id);
  const { cancel, replay } = useDeliveryWrites();
  const footer = delivery && (mayCancel(delivery.state) || mayReplay(delivery)) && (
    <>
      {mayCancel(delivery.state) && (
        <Button isPending={cancel.isPending} onPress={() => cancel.mutate(id)}>
          <X aria-hidden /> Cancel
        </Button>
      )}
      {mayReplay(delivery) && (
        <Button tone="primary" isPending={replay.isPending} onPress={() => replay.mutate(id)}>
          <RotateCw aria-hidden /> Send again
        </Button>
      )}
    </>
  );
  return (
    <Drawer title={`Delivery ${id}`} isOpen onClose={onClose} width="l" {...(footer && { footer })}>
      {delivery ? (
        <div className="deliver-batch">
          <ProblemNote error={cancel.error ?? replay.error} />
          <DeliveryFacts delivery={delivery} destination={destination} />
          {delivery.receipt && <DeliveryReceipt receipt={delivery.receipt} destination={destination} />}
          <DeliveryTries attempts={delivery.attempts} />
        </div>
      ) : error ? (
        <ProblemView error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
    </Drawer>
  );
}

function DeliveryFacts({
  delivery,
  destination,
}: {
  readonly delivery: Delivery;
  readonly destination: Destination | undefined;
}) {
  const live = useLiveProgress(delivery.id ?? 0);
  const { state, failure, path, batch, created_at: createdAt, finished_at: finishedAt } = delivery;
  const share = Math.max(live ?? 0, delivery.progress);
  return (
    <>
      <p>
        <DeliveryBadge state={state} /> {failure && <span>{failure.reason}</span>}
        {state === 'queued' && <span className="quiet"> {waitWords(delivery)}</span>}
      </p>
      {state === 'running' && (
        <ProgressBar
          label={`${formatBytes(Math.round(delivery.bytes * share))} of ${formatBytes(delivery.bytes)}`}
          value={share}
          note={`${Math.floor(share * 100)} %`}
        />
      )}
      <Facts
        layout="rows"
        facts={[
          ['Path', <code key="path">{path}</code>],
          ['Destination', destination && `${destination.name} (${destination.kind})`],
          [
            'Asset',
            <Link key="asset" to="/asset/$assetId" params={{ assetId: String(delivery.media_id) }}>
              Asset {delivery.media_id}
            </Link>,
          ],
          ['What', contentWords(delivery)],
          ['Size', delivery.bytes > 0 && formatBytes(delivery.bytes)],
          ['Asked for', createdAt !== null && `${formatMoment(createdAt)} by ${delivery.created_by}`],
          ['Ended', finishedAt !== null && formatMoment(finishedAt)],
          [
            'Request',
            batch !== null && (
              <Link key="batch" to="/deliver" search={{ batch }}>
                All of this request
              </Link>
            ),
          ],
        ]}
      />
    </>
  );
}

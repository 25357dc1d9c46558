import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { batchesQuery, type DeliveryBatch, type DeliveryFilter } from '../../api/deliveries.ts';
import { type Destination, destinationsQuery } from '../../api/destinations.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatBytes } from '../../ui/format.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatMoment } from '../../ui/when.ts';
import { batchWords, healthWords } from './words.ts';

/** Requests, newest first, each with how far it is. */
export function BatchList({ filter }: { readonly filter: Pick<DeliveryFilter, 'state' | 'destination'> }) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    batchesQuery(filter),
  );
  const { data: destinations = [] } = useQuery(destinationsQuery);
  if (!data) return error ? <ProblemView error={error} onRetry={() => void refetch()} /> : <Skeleton height={240} />;
  const batches = data.pages.flatMap((page) => page.batches);
  if (batches.length === 0) {
    return Object.keys(filter).length > 0 ? (
      <EmptyState icon={Send} title="No request is like that">
        Another state or destination may have some.
      </EmptyState>
    ) : (
      <EmptyState
        icon={Send}
        title="Nothing was delivered yet"
        actions={
          <Link to="/" className="ui-button ui-button-primary">
            To the library
          </Link>
        }
      >
        Select assets in the library and press Deliver, or <kbd className="ui-kbd">D</kbd>. Rules deliver by themselves.
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="deliveries-batches" aria-label="Requests">
        {batches.map((batch) => (
          <BatchRow
            key={batch.batch}
            batch={batch}
            destination={destinations.find(({ id }) => id === batch.destination_id)}
            state={filter.state}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button className="deliveries-more" isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          Show older ones
        </Button>
      )}
    </>
  );
}

function BatchRow({
  batch,
  destination,
  state,
}: {
  readonly batch: DeliveryBatch;
  readonly destination: Destination | undefined;
  readonly state: DeliveryFilter['state'];
}) {
  const { finished_at: finishedAt, states, bytes_done: done, bytes_total: total } = batch;
  const isHeld = finishedAt === null && states.running === 0 && destination && destination.on_hold !== null;
  const troubles = states.failed + states.exhausted;
  return (
    <li className="deliveries-batch">
      <Link to="/deliver" search={{ batch: batch.batch, ...(state && { state }) }} className="deliveries-batch-link">
        <b>{destination?.name ?? `Destination ${batch.destination_id}`}</b>{' '}
        <span className="quiet">{formatMoment(batch.created_at)}</span>{' '}
        <span className="quiet">{batch.created_by}</span>
      </Link>
      <div className={troubles > 0 ? 'deliver-text-danger' : ''}>
        {finishedAt === null ? (
          <ProgressBar
            label={batchWords(batch)}
            value={batch.progress}
            note={total > 0 ? `${formatBytes(done)} of ${formatBytes(total)}` : ''}
          />
        ) : (
          <p className="deliveries-batch-said">
            {batchWords(batch)}
            {done > 0 && <span className="quiet">, {formatBytes(done)}</span>}
          </p>
        )}
      </div>
      {isHeld && <p className="deliveries-batch-held deliver-text-warn">{healthWords(destination).text}</p>}
    </li>
  );
}

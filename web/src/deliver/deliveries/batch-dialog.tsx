import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { batchQuery, type DeliveryBatch } from '../../api/deliveries.ts';
import { useLiveDeliveries } from '../../api/delivery-events.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BatchActions, BatchSummary } from './batch-summary.tsx';
import { BatchTroubles } from './batch-troubles.tsx';
import '../deliver.css';

function titleOf(batch: DeliveryBatch | undefined): string {
  if (batch === undefined || batch.finished_at === null) return 'Delivering';
  const { total, states } = batch;
  if (states.succeeded === total) return 'Delivered';
  return states.succeeded > 0 ? 'Delivered in part' : 'Nothing was delivered';
}

/** How far a request is, until all of it has ended. It goes on when the dialog is closed. */
export function BatchDialog({ batch: name, onClose }: { readonly batch: string; readonly onClose: () => void }) {
  const { data: batch, error, refetch } = useQuery(batchQuery(name));
  useLiveDeliveries();
  const isDone = batch !== undefined && batch.finished_at !== null;
  return (
    <Dialog
      title={titleOf(batch)}
      isOpen
      onClose={onClose}
      footer={
        <>
          {batch && <BatchActions batch={batch} />}
          <Link to="/deliver" search={{ batch: name }} className="ui-button" onClick={onClose}>
            Show the deliveries
          </Link>
          <Button tone={isDone ? 'primary' : 'plain'} onPress={onClose}>
            {isDone ? 'Done' : 'Go on in the background'}
          </Button>
        </>
      }
    >
      <div className="deliver-batch">
        {batch ? (
          <>
            <BatchSummary batch={batch} />
            <BatchTroubles batch={batch} />
          </>
        ) : error ? (
          <ProblemView error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton height={80} />
        )}
      </div>
    </Dialog>
  );
}

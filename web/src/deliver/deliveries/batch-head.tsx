import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { batchQuery } from '../../api/deliveries.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { formatCount } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BatchActions, BatchSummary } from './batch-summary.tsx';
import { STATE_TONES, STATE_WORDS, STATES } from './words.ts';

/** One request: how far it is, what can be done with it, and ways to its deliveries by state. */
export function BatchHead({ batch: name }: { readonly batch: string }) {
  const { data: batch, error } = useQuery(batchQuery(name));
  return (
    <section className="deliveries-head" aria-label="Request">
      <Link to="/deliver" search={{}} className="deliveries-back">
        <ArrowLeft aria-hidden /> All requests
      </Link>
      <ProblemNote error={error} />
      {batch ? (
        <>
          <BatchSummary batch={batch} />
          <div className="deliveries-states">
            {STATES.filter((state) => batch.states[state] > 0).map((state) => (
              <Link
                key={state}
                to="/deliver"
                search={{ batch: name, state }}
                className={`deliveries-state deliver-text-${STATE_TONES[state]}`}
              >
                {STATE_WORDS[state]} {formatCount(batch.states[state])}
              </Link>
            ))}
            <span className="deliveries-head-actions">
              <BatchActions batch={batch} />
            </span>
          </div>
        </>
      ) : (
        error === null && <Skeleton height={72} />
      )}
    </section>
  );
}

import type { Schemas } from '../../api/client.ts';
import type { Delivery } from '../../api/deliveries.ts';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { contentWords } from './words.ts';

export type DeliveryPlan = {
  readonly total: number;
  readonly queued: number;
  readonly skipped: number;
  readonly failed: number;
  readonly deliveries: readonly Schemas['Delivery'][];
};

function summaryOf({ total, queued, skipped, failed }: DeliveryPlan): string {
  if (total === 0) return 'Nothing would be sent.';
  return [
    `${formatCount(queued)} of ${plural(total, 'file')} would be sent`,
    skipped > 0 ? `${formatCount(skipped)} left out` : '',
    failed > 0 ? `${formatCount(failed)} with a path that another file has` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The paths that the files would get, and why some would not be sent. */
export function PlanPreview({
  plan,
  isStale,
  isSample,
  hasProblem,
}: {
  readonly plan: DeliveryPlan | undefined;
  readonly isStale: boolean;
  /** Only of the assets that come first; the others are being looked at. */
  readonly isSample: boolean;
  readonly hasProblem: boolean;
}) {
  if (!plan) {
    if (!hasProblem) return <Skeleton height={200} />;
    return <p className="quiet">The paths are shown here when everything is in order.</p>;
  }
  const { deliveries, total } = plan;
  return (
    <section className="deliver-plan" aria-label="Preview" aria-busy={isStale} data-old={isStale || hasProblem}>
      <h3 role="status">
        {hasProblem ? 'Preview' : isSample ? 'The first ones; all are being counted' : summaryOf(plan)}
      </h3>
      {/* Scrolled by keys where it is longer than its box. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="deliver-paths" tabIndex={0} role="group" aria-label="Paths">
        <ol>
          {deliveries.map((one, index) => (
            <PlannedPath key={`${one.media_id} ${one.quality} ${index}`} delivery={one} />
          ))}
        </ol>
        {deliveries.length < total && (
          <p className="quiet">and {plural(total - deliveries.length, 'more file', 'more files')}</p>
        )}
      </div>
    </section>
  );
}

function PlannedPath({ delivery }: { readonly delivery: Delivery }) {
  const { path, state, failure, bytes } = delivery;
  const tone = state === 'failed' ? 'danger' : 'warn';
  return (
    <li className={state === 'queued' ? 'deliver-path' : 'deliver-path deliver-path-out'}>
      <code>{path === '' ? `Asset ${delivery.media_id}` : path}</code>
      {failure ? (
        <span className={`deliver-path-note deliver-text-${tone}`}>
          {state === 'failed' ? 'Collision' : 'Left out'}: {failure.reason}
        </span>
      ) : (
        <span className="deliver-path-note quiet">
          {[contentWords(delivery), bytes > 0 ? formatBytes(bytes) : ''].filter((part) => part !== '').join(', ')}
        </span>
      )}
    </li>
  );
}

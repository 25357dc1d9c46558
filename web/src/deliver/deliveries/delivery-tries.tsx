import type { Delivery } from '../../api/deliveries.ts';
import { formatBytes } from '../../ui/format.ts';
import { formatMoment } from '../../ui/when.ts';

const secondsOf = ({ started_at: from, ended_at: to }: Delivery['attempts'][number]) =>
  `${((Date.parse(to) - Date.parse(from)) / 1000).toFixed(1)} s`;

/** Each try, the newest first. */
export function DeliveryTries({ attempts }: Pick<Delivery, 'attempts'>) {
  if (attempts.length === 0) return null;
  return (
    <section aria-label="Tries">
      <h3>Tries</h3>
      <ol className="deliver-tries">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.started_at}>
            <span>{formatMoment(attempt.started_at)}</span>
            <span className="quiet">
              {secondsOf(attempt)}, {formatBytes(attempt.bytes)} sent
            </span>
            {attempt.error_code === null ? (
              <span className="deliver-text-ok">In order</span>
            ) : (
              <span className="deliver-text-danger">
                {attempt.error} <code>{attempt.error_code}</code>
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

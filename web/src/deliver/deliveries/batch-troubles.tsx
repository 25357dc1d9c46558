import { useQuery } from '@tanstack/react-query';
import { type DeliveryBatch, deliveryPageQuery, type DeliveryState } from '../../api/deliveries.ts';
import { STATE_TONES, STATE_WORDS } from './words.ts';

const TROUBLES: readonly DeliveryState[] = ['failed', 'exhausted', 'skipped'];
const SHOWN = 20;

/** What of a request did not arrive, and why: the newest of each kind. */
export function BatchTroubles({ batch }: { readonly batch: DeliveryBatch }) {
  return TROUBLES.filter((state) => batch.states[state] > 0).map((state) => (
    <Troubles key={state} batch={batch.batch} state={state} count={batch.states[state]} />
  ));
}

function Troubles({
  batch,
  state,
  count,
}: {
  readonly batch: string;
  readonly state: DeliveryState;
  readonly count: number;
}) {
  const { data } = useQuery(deliveryPageQuery({ batch, state }, undefined));
  const shown = data?.deliveries.slice(0, SHOWN) ?? [];
  return (
    <section className="deliver-troubles" aria-label={STATE_WORDS[state]}>
      <h3 className={`deliver-text-${STATE_TONES[state]}`}>
        {STATE_WORDS[state]}: {count.toLocaleString('en')}
      </h3>
      <ul>
        {shown.map(({ id, path, media_id: mediaId, failure }) => (
          <li key={id} className="deliver-path">
            <code>{path === '' ? `Asset ${mediaId}` : path}</code>
            <span className="deliver-path-note">{failure?.reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

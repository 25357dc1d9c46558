import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import type { DeliveryState } from '../../api/deliveries.ts';
import { useLiveDeliveries } from '../../api/delivery-events.ts';
import { destinationsQuery } from '../../api/destinations.ts';
import { useMe } from '../../api/me.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { BatchHead } from './batch-head.tsx';
import { BatchList } from './batch-list.tsx';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { STATE_WORDS, STATES } from './words.ts';
import '../deliver.css';
import './deliveries.css';

const VIEWS = [
  { value: 'requests', label: 'Requests' },
  { value: 'files', label: 'Files' },
] as const;
const STATE_OPTIONS = [
  { value: '', label: 'Any state' },
  ...STATES.map((state) => ({ value: state, label: STATE_WORDS[state] })),
] as const;

const numberIn = (text: string | undefined): number | undefined => {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

/** What was sent, by request and by file, while it happens and afterwards. */
export function DeliveriesView() {
  const { data: me } = useMe();
  if (me && !me.scopes.includes('delivery.run')) {
    return (
      <EmptyState icon={Send} title="This key may not see deliveries">
        It needs the scope <code>delivery.run</code>. An administrator can make a key that has it.
      </EmptyState>
    );
  }
  return me ? <Deliveries /> : null;
}

function Deliveries() {
  const search = useSearch({ from: '/deliver/' });
  const navigate = useNavigate({ from: '/deliver/' });
  const { data: destinations = [] } = useQuery(destinationsQuery);
  useLiveDeliveries();
  const state = STATES.find((one) => one === search['state']);
  const destination = numberIn(search['destination']);
  const shown = numberIn(search['delivery']);
  const { batch } = search;
  const view = batch !== undefined || search['view'] === 'files' ? 'files' : 'requests';
  const change = (part: Readonly<Record<string, string>>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  const filter = {
    ...(state && { state }),
    ...(destination !== undefined && { destination }),
  };
  const places = [
    { value: '', label: 'Any destination' },
    ...destinations.map(({ id, name }) => ({ value: String(id), label: name })),
  ];
  return (
    <div className="deliveries">
      {batch !== undefined && <BatchHead batch={batch} />}
      <div className="deliveries-bar">
        {batch === undefined && (
          <Select label="Show" options={VIEWS} value={view} onChange={(next) => change({ view: next })} />
        )}
        <Select<'' | DeliveryState>
          label="State"
          options={STATE_OPTIONS}
          value={state ?? ''}
          onChange={(next) => change({ state: next })}
        />
        {batch === undefined && (
          <Select
            label="Destination"
            options={places}
            value={destination === undefined ? '' : String(destination)}
            onChange={(next) => change({ destination: next })}
          />
        )}
      </div>
      {view === 'requests' ? (
        <BatchList filter={filter} />
      ) : (
        <DeliveryList
          key={JSON.stringify([batch, filter])}
          filter={{ ...filter, ...(batch !== undefined && { batch }) }}
        />
      )}
      {shown !== undefined && <DeliveryDrawer id={shown} onClose={() => change({ delivery: '' })} />}
    </div>
  );
}

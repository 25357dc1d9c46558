import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Inbox } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { DeliveryFilter } from '../../api/deliveries.ts';
import { destinationsQuery } from '../../api/destinations.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { useShortcuts } from '../../app/shortcuts.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { useDeliveryPages } from './use-delivery-pages.ts';

const ROW_PX = 68;

/** Deliveries, newest first. Only those in sight are drawn; the arrow keys go from one to the next. */
export function DeliveryList({ filter }: { readonly filter: DeliveryFilter }) {
  const { rows, hasMore, isPending, error, show, retry } = useDeliveryPages(filter);
  const { data: destinations = [] } = useQuery(destinationsQuery);
  const area = useRef<HTMLDivElement>(null);
  // Its functions are called in this component only.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count: rows.length + (hasMore ? 1 : 0),
    getScrollElement: () => area.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    show({ first, last });
  });
  const move = (direction: -1 | 1) => {
    const next = Number(document.activeElement?.closest('[data-index]')?.getAttribute('data-index')) + direction;
    if (next < 0 || next >= rows.length) return;
    virtual.scrollToIndex(next);
    // It may be drawn only when it has come into sight.
    requestAnimationFrame(() => area.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus());
  };
  const isFor = (focused: Element) => focused.closest('.deliveries-row') !== null;
  useShortcuts([
    { keys: 'arrowup', label: 'The delivery above', group: 'Deliveries', run: () => move(-1), isFor, repeats: true },
    { keys: 'arrowdown', label: 'The one below', group: 'Deliveries', run: () => move(1), isFor, repeats: true },
  ]);
  if (error) return <ProblemView error={error} onRetry={retry} />;
  if (isPending) return <Skeleton height={320} />;
  if (rows.length === 0) {
    return (
      <EmptyState icon={Inbox} title="There are no such deliveries">
        Deliveries of another state may be there.
      </EmptyState>
    );
  }
  return (
    // Scrolled by keys too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={area} className="deliveries-rows" tabIndex={0} role="group" aria-label="Deliveries">
      <ul style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const delivery = rows[index];
          const style = { transform: `translateY(${start}px)` };
          return (
            <li key={delivery?.id ?? 'more'} data-index={index} className="deliveries-row" style={style}>
              {delivery ? (
                <DeliveryRow
                  delivery={delivery}
                  destination={destinations.find(({ id }) => id === delivery.destination_id)}
                />
              ) : (
                <Skeleton height={40} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

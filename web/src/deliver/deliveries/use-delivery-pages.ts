import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Delivery, DELIVERY_PAGE, type DeliveryFilter, deliveryPageQuery } from '../../api/deliveries.ts';

/** Rows by their place, first and last, both counted from 0. */
type View = { readonly first: number; readonly last: number };

const NOTHING_YET: View = { first: 0, last: 0 };

/** Where each page begins, as far as the pages before it have told. */
function cursorsOf(client: ReturnType<typeof useQueryClient>, filter: DeliveryFilter, wanted: number) {
  const cursors: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    cursors.push(cursor);
    const page = client.getQueryData(deliveryPageQuery(filter, cursor).queryKey);
    cursor = page?.next_cursor ?? undefined;
  } while (cursor !== undefined && cursors.length < wanted);
  return cursors;
}

/**
 * A list of deliveries that grows where it is looked at. Only pages in view are asked for again: ten thousand deliveries that
 * were scrolled through cost no more to follow than the hundred in sight.
 */
export function useDeliveryPages(filter: DeliveryFilter) {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(1);
  const [view, setView] = useState(NOTHING_YET);
  const cursors = cursorsOf(client, filter, wanted);
  const pages = useQueries({
    queries: cursors.map((cursor, index) => ({
      ...deliveryPageQuery(filter, cursor),
      enabled:
        (index >= Math.floor(view.first / DELIVERY_PAGE) && index <= Math.floor(view.last / DELIVERY_PAGE)) ||
        index === cursors.length - 1,
    })),
  });
  const rows: Delivery[] = [];
  let hasMore = false;
  for (const { data } of pages) {
    hasMore = data === undefined || data.next_cursor !== null;
    if (!data) break;
    rows.push(...data.deliveries);
  }
  const error = pages.find((page) => page.error !== null && page.data === undefined)?.error ?? null;
  const show = (next: View) => {
    if (next.first !== view.first || next.last !== view.last) setView(next);
    const isLoading = pages.at(-1)?.data === undefined;
    if (hasMore && !isLoading && next.last >= rows.length - DELIVERY_PAGE / 2 && wanted === cursors.length) {
      setWanted(wanted + 1);
    }
  };
  const retry = () => void client.invalidateQueries({ queryKey: ['delivery', 'list', filter] });
  return { rows, hasMore, isPending: pages[0]?.isPending === true, error, show, retry };
}

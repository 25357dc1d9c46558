import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenToEvents } from '../api/event-stream.ts';

/** What follows which events: types by their beginning, and the query that is asked again when one comes. */
export type Following = readonly (readonly [prefix: string, queryKey: QueryKey])[];

/** Keeps lists true while others change what they show. `following` must be the same in each render. */
export function useLive(following: Following): void {
  const client = useQueryClient();
  useEffect(
    () =>
      listenToEvents({
        onEvent: ({ type }) => {
          for (const [prefix, queryKey] of following) {
            if (type.startsWith(prefix)) void client.invalidateQueries({ queryKey });
          }
        },
      }),
    [client, following],
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenToEvents } from '../api/event-stream.ts';
import { noteAsset } from './uploads.ts';

/** Searches that are shown are asked again this often at most while assets arrive. */
const REFRESH_MS = 2000;

/** Follows the change feed while the application is open and its key may read it: assets appear in the grid when they are ready, and changes show. */
export function useArrivals(isEnabled: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isEnabled) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: ['media', 'search'] });
        void client.invalidateQueries({ queryKey: ['media', 'facets'] });
      }, REFRESH_MS);
    };
    const stop = listenToEvents({
      onEvent: ({ type, object, data }) => {
        if (object.kind !== 'media') return;
        const { reason } = data;
        noteAsset(object.id, type, typeof reason === 'string' ? reason : undefined);
        void client.invalidateQueries({ queryKey: ['media', object.id] });
        refresh();
      },
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, isEnabled]);
}

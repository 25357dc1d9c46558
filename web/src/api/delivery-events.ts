import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { listenToEvents } from './event-stream.ts';

/** What is shown is asked again this often at most, however many deliveries end. */
const REFRESH_MS = 1000;

const progress = new Map<number, number>();
const listeners = new Set<() => void>();

function note(id: number, share: number | undefined): void {
  if (share === undefined) progress.delete(id);
  else progress.set(id, share);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** How far a delivery is by the event stream, 0 to 1; undefined while that says nothing of it. */
export function useLiveProgress(id: number): number | undefined {
  return useSyncExternalStore(subscribe, () => progress.get(id));
}

/** Follows deliveries and destinations by the event stream while the component is shown. */
export function useLiveDeliveries(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refresh = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: ['delivery'] });
      }, REFRESH_MS);
    };
    const stop = listenToEvents({
      onEvent: ({ object }) => {
        if (object.kind === 'destination') void client.invalidateQueries({ queryKey: ['destination'] });
        if (object.kind !== 'delivery') return;
        note(object.id, undefined);
        refresh();
      },
      onProgress: ({ kind, id, progress: share }) => {
        if (kind === 'delivery') note(id, share);
      },
    });
    return () => {
      stop();
      clearTimeout(timer);
      progress.clear();
    };
  }, [client]);
}

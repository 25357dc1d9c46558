import { useSyncExternalStore } from 'react';

const TICK_MS = 5000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}

// Rounded up: what has just happened is never still to come.
const read = (): number => Math.ceil(Date.now() / TICK_MS) * TICK_MS;

/** The time, to within 5 s; what is shown of it moves on with it. */
export const useNow = (): number => useSyncExternalStore(subscribe, read);

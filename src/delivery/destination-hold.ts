import type { Circuit } from '../base/index.ts';
import { nextOpening } from './delivery-window.ts';
import type { Destination } from './destination-types.ts';

/** Why nothing starts at a destination; `until` is null when only somebody can change that. */
export type Hold = { readonly reason: 'paused' | 'window' | 'circuit'; readonly until: Date | null };

type Held = Pick<Destination, 'paused' | 'window' | 'circuit' | 'circuitRetryAt'>;

/** What keeps deliveries from starting now; of several things the one that lasts longest. */
export function holdOf(destination: Held, now: Date): Hold | undefined {
  if (destination.paused) return { reason: 'paused', until: null };
  const retryAt = destination.circuit === 'closed' ? null : destination.circuitRetryAt;
  const from = retryAt !== null && retryAt > now ? retryAt : now;
  const opening = destination.window && nextOpening(destination.window, from);
  if (opening) return { reason: 'window', until: opening };
  return from > now ? { reason: 'circuit', until: from } : undefined;
}

/** The circuit of a destination, as its columns have it. */
export const circuitOf = (destination: Destination): Circuit => ({
  state: destination.circuit,
  faults: destination.circuitFaults,
  openings: destination.circuitOpenings,
  retryAt: destination.circuitRetryAt,
});

import type { Destination } from '../../api/destinations.ts';
import type { BadgeTone } from '../../ui/badge.tsx';

export type DestinationState = { readonly label: string; readonly tone: BadgeTone; readonly detail?: string };

type Known = Pick<Destination, 'paused' | 'circuit' | 'retry_at' | 'status' | 'failure' | 'on_hold' | 'health'>;

/** How a destination is doing, the weightiest thing first. `clock` writes a time. */
export function stateOf(destination: Known, clock: (time: string) => string): DestinationState {
  const { paused, circuit, retry_at: retryAt, status, failure, on_hold: hold, health } = destination;
  const reason = failure?.reason ?? health.last_error?.reason;
  const because = reason === undefined ? {} : { detail: reason };
  if (paused) return { label: 'Paused', tone: 'plain', detail: 'Nothing starts until it goes on.' };
  if (circuit === 'open') {
    const until = retryAt === null ? '' : ` until ${clock(retryAt)}`;
    return { label: `Circuit open${until}`, tone: 'danger', ...because };
  }
  if (circuit === 'half_open') return { label: 'Finding out whether it is back', tone: 'warn', ...because };
  if (status === 'failed') return { label: 'Failing', tone: 'danger', ...because };
  if (status === 'unverified') {
    return { label: 'Not verified', tone: 'warn', detail: 'Verify it: a probe is written, read back and deleted.' };
  }
  if (hold?.reason === 'window') {
    const until = hold.until === null ? '' : ` until ${clock(hold.until)}`;
    return { label: `Waits for its hours${until}`, tone: 'plain' };
  }
  return { label: 'Healthy', tone: 'ok' };
}

import type { Delivery, DeliveryBatch, DeliveryState } from '../../api/deliveries.ts';
import type { Destination } from '../../api/destinations.ts';
import type { BadgeTone } from '../../ui/badge.tsx';
import { formatCount } from '../../ui/format.ts';
import { formatClock, formatMoment } from '../../ui/when.ts';
import { type Quality, QUALITY_WORDS } from '../content.ts';

export const STATES: readonly DeliveryState[] = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'exhausted',
  'cancelled',
  'skipped',
];
export const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  queued: 'Waiting',
  running: 'Sending',
  succeeded: 'Arrived',
  failed: 'Failed',
  exhausted: 'Given up',
  cancelled: 'Cancelled',
  skipped: 'Skipped',
};
export const STATE_TONES: Readonly<Record<DeliveryState, BadgeTone>> = {
  queued: 'plain',
  running: 'plain',
  succeeded: 'ok',
  failed: 'danger',
  exhausted: 'danger',
  cancelled: 'warn',
  skipped: 'warn',
};

const HOLDS = {
  paused: 'the destination is paused',
  window: 'its time of delivery has not come',
  circuit: 'the target does not answer',
  retry: 'it is tried again',
  clip: 'the clip is not ready',
} as const;

/** Why a delivery has not started, and when it will. Empty when it is about to. */
export function waitWords({
  waiting_for: reason,
  next_attempt_at: next,
}: {
  readonly waiting_for: keyof typeof HOLDS | null;
  readonly next_attempt_at: string | null;
}): string {
  if (reason === null) return '';
  const until = next === null ? '' : ` at ${formatClock(next)}`;
  if (reason === 'retry') return `Next try${until}`;
  return `${HOLDS[reason].replace(/^./, (first) => first.toUpperCase())}${until === '' ? '' : `, next look${until}`}`;
}

/** What goes out of the asset, in a word or two. */
export function contentWords({
  quality,
  rendition,
}: {
  readonly quality: Quality | null;
  readonly rendition: Delivery['rendition'] | null;
}): string {
  if (quality !== null) return QUALITY_WORDS[quality];
  if (rendition?.kind === 'clip') return 'Clip';
  return `Picture ${rendition?.params ?? ''}`.trim();
}

export const VERIFIED_WORDS = {
  checksum: 'The target computed the checksum, and it is the right one.',
  read_back: 'The bytes were read back from the target and hashed.',
  accepted: 'The target accepted the manifest and fetches the file itself.',
} as const;

/** How a destination is, in a sentence, for somebody who is about to send something there. */
export function healthWords(destination: Destination): { readonly tone: BadgeTone; readonly text: string } {
  const { on_hold: hold, status, failure, health, paused } = destination;
  const until = hold?.until ? ` It goes on at ${formatMoment(hold.until)}.` : '';
  if (paused) return { tone: 'warn', text: 'Paused. What is sent now waits until somebody resumes it.' };
  if (hold?.reason === 'circuit') {
    const why = health.last_error ? `: ${health.last_error.reason}` : '';
    return { tone: 'danger', text: `The target does not answer${why}. What is sent now waits.${until}` };
  }
  if (hold?.reason === 'window') return { tone: 'warn', text: `Outside of its time of delivery.${until}` };
  if (status === 'failed') return { tone: 'danger', text: `The last verification failed: ${failure?.reason ?? ''}` };
  const busy = health.queued + health.running;
  const queue = busy > 0 ? ` ${formatCount(busy)} on their way to it.` : '';
  if (status === 'unverified') return { tone: 'warn', text: `Not verified yet.${queue}` };
  return { tone: 'ok', text: `In order.${queue}` };
}

/** How many of a request are in which state, those that there are. */
export function batchWords({ states, total }: Pick<DeliveryBatch, 'states' | 'total'>): string {
  const others = STATES.filter((state) => state !== 'succeeded' && states[state] > 0);
  const rest = others.map((state) => `${formatCount(states[state])} ${STATE_WORDS[state].toLowerCase()}`);
  return [`${formatCount(states.succeeded)} of ${formatCount(total)} arrived`, ...rest].join(', ');
}

/** Whether it can be delivered again: what failed before its first try never had a path of its own. */
export const mayReplay = ({ state, attempts }: Pick<Delivery, 'state' | 'attempts'>): boolean =>
  state === 'exhausted' || state === 'cancelled' || (state === 'failed' && attempts.length > 0);
export const mayCancel = (state: DeliveryState): boolean => state === 'queued' || state === 'running';

/** Keeps work from a target that does not answer: after a few faults in a row none starts but one, now and then, that tries. */
import { MINUTE_MS, SECOND_MS } from './units.ts';

export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;

export type Circuit = {
  /** half_open: one try is on its way to find out. */
  readonly state: (typeof CIRCUIT_STATES)[number];
  /** Of the target, since it answered last. */
  readonly faults: number;
  /** Times that it opened since it was closed. */
  readonly openings: number;
  /** When the next one may try; null while it is closed. */
  readonly retryAt: Date | null;
};

export const CLOSED_CIRCUIT: Circuit = { state: 'closed', faults: 0, openings: 0, retryAt: null };

/** Faults in a row that open it: more than the files that one short cut of the line takes down at usual concurrency. */
export const FAULTS_TO_OPEN = 5;
const FIRST_WAIT_MS = 30 * SECOND_MS;
const LONGEST_WAIT_MS = 15 * MINUTE_MS;

/** What the end of a try says of its target. */
export type TargetSign = 'answered' | 'fault' | 'nothing';

/** 30 s, 1, 2, 4, 8 and then 15 minutes. */
function waitMs(openings: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (openings - 1));
}

/** What becomes of it by the end of a try. */
export function afterSign(circuit: Circuit, sign: TargetSign, now: Date): Circuit {
  if (sign === 'answered') return CLOSED_CIRCUIT;
  if (sign === 'nothing') {
    // The one that was to find out has not: the next one may at once.
    return circuit.state === 'half_open' ? { ...circuit, state: 'open', retryAt: now } : circuit;
  }
  const faults = circuit.faults + 1;
  // Those that were under way when it opened say nothing new.
  if (circuit.state === 'open') return { ...circuit, faults };
  if (circuit.state === 'closed' && faults < FAULTS_TO_OPEN) return { ...circuit, faults };
  const openings = circuit.openings + 1;
  return { state: 'open', faults, openings, retryAt: new Date(now.getTime() + waitMs(openings)) };
}

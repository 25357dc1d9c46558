/**
 * Keeps tries from endpoints that are away, each of which would take its full time. Known to this process alone: another one finds out for
 * itself, with a few tries.
 */
import { afterSign, type Circuit, CLOSED_CIRCUIT, type TargetSign } from '../base/index.ts';
import type { Webhook } from './webhook-types.ts';

type Known = Pick<Webhook, 'id' | 'version'>;

export type WebhookCircuits = {
  /** Until when nothing is sent; undefined when something may be. */
  heldUntil(webhook: Known, now: Date): Date | undefined;
  isClosed(webhook: Known): boolean;
  /** One try is on its way to find out. */
  noteProbing(webhook: Known): void;
  note(webhook: Known, sign: TargetSign, now: Date): void;
  /** Somebody knows better. */
  forget(id: number): void;
};

/** Whoever changes or enables a webhook gives it another version, and with it a closed circuit. */
export function createWebhookCircuits(): WebhookCircuits {
  const troubled = new Map<number, { readonly version: number; readonly circuit: Circuit }>();
  const circuitOf = ({ id, version }: Known): Circuit => {
    const found = troubled.get(id);
    return found?.version === version ? found.circuit : CLOSED_CIRCUIT;
  };
  const keep = ({ id, version }: Known, circuit: Circuit): void => {
    if (circuit.faults === 0) troubled.delete(id);
    else troubled.set(id, { version, circuit });
  };
  return {
    heldUntil(webhook, now) {
      const { state, retryAt } = circuitOf(webhook);
      return state !== 'closed' && retryAt && retryAt > now ? retryAt : undefined;
    },
    isClosed: (webhook) => circuitOf(webhook).state === 'closed',
    noteProbing: (webhook) => keep(webhook, { ...circuitOf(webhook), state: 'half_open' }),
    note: (webhook, sign, now) => keep(webhook, afterSign(circuitOf(webhook), sign, now)),
    forget: (id) => void troubled.delete(id),
  };
}

/** What an answer says of its endpoint: a refusal of one message comes from one that lives, a gateway's answer from none. */
export function signOfAnswer(status: number | null): TargetSign {
  return status === null || [429, 502, 503, 504].includes(status) ? 'fault' : 'answered';
}

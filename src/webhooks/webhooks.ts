import { type LibraryScope, scopeOf } from '../auth/index.ts';
import { AppError, type Clock, type Logger, messageOf, type SealedSecrets, type SecretBox } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { type ChangeType, onLibraryWritten } from '../library/index.ts';
import { generateWebhookSecret, type Outbound } from '../outbound/index.ts';
import { createWebhookCircuits } from './webhook-circuits.ts';
import { createWebhookRunner, typesOf, type WebhookRunner } from './webhook-runner.ts';
import { sendPing, type Try } from './webhook-sender.ts';
import { findListeningWebhooks, findWebhook } from './webhook-store.ts';

export type Webhooks = Pick<WebhookRunner, 'run' | 'sweep'> & {
  /** Whether a URL may be posted to, as far as that is known before. @throws OutboundError */
  checkUrl(url: string): void;
  /** A new secret, as it is shown once and as it is kept. */
  newSecret(organizationId: number): { readonly secret: string; readonly sealed: SealedSecrets };
  /** Posts a ping and answers how that went. @throws AppError `not_found`, or the signal's reason */
  test(scope: LibraryScope, id: number, signal: AbortSignal): Promise<Try>;
  close(): void;
};

/** So long writes are collected before webhooks are woken. */
const WAKE_MS = 100;

/** Everything of webhooks that talks to the outside. */
export function createWebhooks(options: {
  readonly db: Database;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly outbound: Pick<Outbound, 'post' | 'check'>;
  readonly secretBox: SecretBox;
  readonly clock: Clock;
  readonly logger: Logger;
}): Webhooks {
  const { db, outbound, secretBox, logger } = options;
  const circuits = createWebhookCircuits();
  const deps = { ...options, circuits, random: Math.random };
  const runner = createWebhookRunner(deps);
  /** Types of what was written since the last look, by organization. */
  const written = new Map<number, Set<ChangeType>>();
  const timers = new Set<NodeJS.Timeout>();

  const wakeListening = async (organizationId: number): Promise<void> => {
    const types = written.get(organizationId);
    written.delete(organizationId);
    if (!types) return;
    for (const webhook of await findListeningWebhooks(db, scopeOf(organizationId))) {
      // One that asked for none of these goes on at the next sweep.
      if (typesOf(webhook).some((type) => types.has(type))) {
        await runner.wake({ organizationId, webhookId: webhook.id });
      }
    }
  };

  const stopListening = onLibraryWritten(db, (organizationId, _version, changes) => {
    if (changes.length === 0) return;
    const types = written.get(organizationId);
    for (const { type } of changes) types?.add(type);
    if (types) return;
    written.set(organizationId, new Set(changes.map(({ type }) => type)));
    const timer = setTimeout(() => {
      timers.delete(timer);
      // The sweep wakes them otherwise, a minute later at most.
      wakeListening(organizationId).catch((error: unknown) =>
        logger.warn({ event: 'webhook.wake_failed', organizationId, reason: messageOf(error) }),
      );
    }, WAKE_MS);
    timers.add(timer);
  });

  return {
    run: runner.run,
    sweep: runner.sweep,
    checkUrl: (url) => outbound.check(url),
    newSecret(organizationId) {
      const secret = generateWebhookSecret();
      return { secret, sealed: secretBox.seal(organizationId, { secret }) };
    },
    async test(scope, id, signal) {
      const webhook = await findWebhook(db, scope, id);
      if (!webhook) throw new AppError('not_found', `There is no webhook ${id}.`);
      const tried = await sendPing(deps, scope, { webhook, signal });
      if (tried.isDelivered) {
        const target = { organizationId: scope.organizationId, webhookId: id, isAsked: true } as const;
        await options.jobs.enqueue(db, 'webhook.run', target);
      }
      return tried;
    },
    close() {
      stopListening();
      runner.stop();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

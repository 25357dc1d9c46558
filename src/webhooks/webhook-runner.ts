/**
 * The job that sends the messages of one webhook. It follows the change feed from the webhook's own position, makes a message of each
 * event that is asked for, tries new ones in their order and failed ones beside them. Every webhook has a job of its own, which makes
 * room for others after a while: a slow or broken one holds up itself alone. One that is away is tried now and then, with one message.
 */
import { randomUUID } from 'node:crypto';
import { type LibraryScope, scopeOf } from '../auth/index.ts';
import { messageOf, SECOND_MS } from '../base/index.ts';
import { inTransaction } from '../db/index.ts';
import type { JobPayloads, Jobs } from '../jobs/index.ts';
import { type ChangeType, eventTypesOf, findEvents, type LibraryEvent, readVersion } from '../library/index.ts';
import { findDueMessages, findNextTry, insertMessages, moveWebhookPosition } from './message-store.ts';
import { type SenderDeps, sendMessage } from './webhook-sender.ts';
import type { WebhookCircuits } from './webhook-circuits.ts';
import { findWaitingWebhooks, findWebhook, releaseLease, takeLease } from './webhook-store.ts';
import type { Webhook, WebhookMessage } from './webhook-types.ts';

export type RunnerDeps = SenderDeps & { readonly jobs: Pick<Jobs, 'enqueue'>; readonly circuits: WebhookCircuits };

type Asked = JobPayloads['webhook.run'];
type Target = Omit<Asked, 'isAsked'>;

export type WebhookRunner = {
  /** Sends what is due; ends quietly when another run does so already. */
  run(target: Asked, signal: AbortSignal): Promise<void>;
  /** Queues a run for every webhook that has something to do and no sender. */
  sweep(): Promise<void>;
  /** Queues a run now, or lets the one that is under way here look again. */
  wake(target: Target): Promise<void>;
  /** Lets the tries under way end, and begins no more. */
  stop(): void;
};

/** After this, a run lets other webhooks have its place. */
const SLICE_MS = 20 * SECOND_MS;
/** A sender that was killed holds up its webhook for so long. */
const LEASE_MS = 15 * SECOND_MS;
const BEAT_MS = 5 * SECOND_MS;
/** What is due later is found by the sweep, once a minute. */
const SOON_MS = 90 * SECOND_MS;
/** Events that become messages in one transaction. */
const EVENTS_AT_ONCE = 2000;
const MESSAGES_AT_ONCE = 50;
const RETRIES_AT_ONCE = 2;

/** What it asked for, and what the steps of rules tell it, which `insertMessages` takes where this webhook is meant. */
export const typesOf = (webhook: Pick<Webhook, 'types'>): readonly ChangeType[] => [
  ...new Set<ChangeType>([...webhook.types.flatMap(eventTypesOf), 'rule.matched']),
];

export function createWebhookRunner(deps: RunnerDeps): WebhookRunner {
  const { db, clock, jobs, circuits } = deps;
  /** Under way in this process; true when something was written since it last looked. */
  const running = new Map<number, { isStale: boolean }>();
  /** Runs that were queued for later, so that each webhook has one and not one after every run. */
  const queued = new Map<number, number>();

  const stopping = new AbortController();

  const enqueueAt = async (target: Target, at: Date): Promise<void> => {
    const nowMs = clock.now().getTime();
    const earlier = queued.get(target.webhookId) ?? 0;
    if (at.getTime() - nowMs > SOON_MS || (earlier > nowMs && earlier <= at.getTime())) return;
    queued.set(target.webhookId, at.getTime());
    await jobs.enqueue(db, 'webhook.run', target, { startAt: at });
  };

  const run: WebhookRunner['run'] = async ({ isAsked, ...target }, signal) => {
    if (isAsked) circuits.forget(target.webhookId);
    const { webhookId: id } = target;
    const scope = scopeOf(target.organizationId);
    const present = running.get(id);
    if (present) {
      present.isStale = true;
      return;
    }
    const state = { isStale: false };
    running.set(id, state);
    const lease = { id, token: randomUUID() };
    try {
      const until = performance.now() + SLICE_MS;
      for (;;) {
        signal.throwIfAborted();
        state.isStale = false;
        const webhook = await takeLease(db, scope, { ...lease, ttlMs: LEASE_MS });
        if (webhook === undefined || stopping.signal.aborted) return;
        // Whoever holds it looks again before it ends; if it was killed, the lease ends first.
        if (webhook === null) return await enqueueAt(target, new Date(clock.now().getTime() + LEASE_MS));
        try {
          await drain(deps, { scope, webhook, lease, until, signal, stopping: stopping.signal });
        } finally {
          await releaseLease(db, scope, lease);
        }
        if (stopping.signal.aborted) return await jobs.enqueue(db, 'webhook.run', target);
        // After the lease is gone: what was written meanwhile found it held, and counts on this look.
        const next = await findNextWork(deps, scope, id);
        if (next === undefined) {
          if (state.isStale) continue;
          return;
        }
        if (next > clock.now()) return await enqueueAt(target, next);
        if (performance.now() > until) return await jobs.enqueue(db, 'webhook.run', target);
      }
    } finally {
      running.delete(id);
    }
  };

  return {
    run,
    async sweep() {
      for (const target of await findWaitingWebhooks(db)) await jobs.enqueue(db, 'webhook.run', target);
    },
    async wake(target) {
      const present = running.get(target.webhookId);
      if (present) present.isStale = true;
      else await jobs.enqueue(db, 'webhook.run', target);
    },
    stop: () => stopping.abort(),
  };
}

/** Undefined when there is nothing to do. */
async function findNextWork(deps: RunnerDeps, scope: LibraryScope, id: number): Promise<Date | undefined> {
  const { db, clock, circuits } = deps;
  const webhook = await findWebhook(db, scope, id);
  if (webhook?.status !== 'active') return undefined;
  const now = clock.now();
  const next = webhook.position < (await readVersion(db, scope)) ? now : await findNextTry(db, scope, id);
  const held = circuits.heldUntil(webhook, now);
  return next && held && held > next ? held : next;
}

type Run = {
  readonly scope: LibraryScope;
  readonly webhook: Webhook;
  readonly lease: { readonly id: number; readonly token: string };
  /** By `performance.now()`. */
  readonly until: number;
  readonly signal: AbortSignal;
  /** The service stops. */
  readonly stopping: AbortSignal;
};

/** Holds the lease while it sends all that is due, or until its time is over. */
async function drain(deps: RunnerDeps, run: Run): Promise<void> {
  const { scope, lease, webhook } = run;
  const { circuits } = deps;
  if (circuits.heldUntil(webhook, deps.clock.now())) return;
  const stop = new AbortController();
  const beat = setInterval(() => {
    const lost = () => stop.abort(new Error('the webhook is sent to by somebody else, or by nobody any more'));
    takeLease(deps.db, scope, { ...lease, ttlMs: LEASE_MS }).then((held) => held ?? lost(), lost);
  }, BEAT_MS);
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const isEnding = () => signal.aborted || run.stopping.aborted || performance.now() > run.until;
  const isOver = () => isEnding() || !circuits.isClosed(webhook);
  const send: Send = async (message, event) => {
    if (isEnding()) return;
    const { sign, isDisabled } = await sendMessage(deps, scope, { webhook, message, event, signal });
    circuits.note(webhook, sign, deps.clock.now());
    if (isDisabled) stop.abort();
  };
  const sendOpenly: Send = async (message, event) => {
    if (!isOver()) await send(message, event);
  };
  const findAll: FindAll = (versions) => findEvents(deps.db, scope, versions);
  try {
    if (!circuits.isClosed(webhook)) await probe(deps, run, { send, findAll });
    await Promise.all([
      sendLane({ isOver, at: webhook.concurrency, send: sendOpenly, findAll, next: () => nextFirst(deps, run) }),
      sendLane({ isOver, at: RETRIES_AT_ONCE, send: sendOpenly, findAll, next: () => nextAgain(deps, run) }),
    ]);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!signal.aborted) throw error;
    deps.logger.debug({ event: 'webhook.run_ended', webhookId: lease.id, reason: messageOf(error) });
  } finally {
    clearInterval(beat);
    stop.abort();
  }
}

type FindAll = (versions: readonly number[]) => Promise<ReadonlyMap<number, LibraryEvent>>;

/** With one that was tried before, where there is one: those that were not keep their order so. */
async function probe(
  deps: RunnerDeps,
  run: Run,
  { send, findAll }: { readonly send: Send; readonly findAll: FindAll },
): Promise<void> {
  const message = (await nextAgain(deps, run))[0] ?? (await nextFirst(deps, run))[0];
  if (!message) return;
  const { eventVersion } = message;
  deps.circuits.noteProbing(run.webhook);
  await send(message, (await findAll([eventVersion])).get(eventVersion));
}

type Send = (message: WebhookMessage, event: LibraryEvent | undefined) => Promise<void>;

/** Sends batch after batch, `at` messages at a time, each started in order. */
async function sendLane(lane: {
  readonly isOver: () => boolean;
  readonly at: number;
  readonly send: Send;
  readonly findAll: FindAll;
  readonly next: () => Promise<readonly WebhookMessage[]>;
}): Promise<void> {
  while (!lane.isOver()) {
    const waiting = [...(await lane.next())];
    if (waiting.length === 0) return;
    const events = await lane.findAll(waiting.map(({ eventVersion }) => eventVersion));
    const sender = async () => {
      for (let message = waiting.shift(); message; message = waiting.shift()) {
        await lane.send(message, events.get(message.eventVersion));
      }
    };
    // All end before anything is thrown: nothing is sent after the lease was let go.
    const ended = await Promise.allSettled(Array.from({ length: lane.at }, sender));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
}

const nextAgain = ({ db, clock }: RunnerDeps, { scope, webhook }: Run) =>
  findDueMessages(db, scope, { webhookId: webhook.id, first: false, now: clock.now(), limit: MESSAGES_AT_ONCE });

/** Messages that were not tried yet, of events that are followed right here. */
async function nextFirst({ db, clock }: RunnerDeps, { scope, webhook }: Run): Promise<readonly WebhookMessage[]> {
  const types = typesOf(webhook);
  for (;;) {
    const isBehind = await inTransaction(db, async (tx) => {
      const from = (await findWebhook(tx, scope, webhook.id))?.position;
      const newest = await readVersion(tx, scope);
      if (from === undefined || from >= newest) return false;
      const to = Math.min(newest, from + EVENTS_AT_ONCE);
      // First the place, which locks the webhook: messages are made by one at a time.
      if (await moveWebhookPosition(tx, scope, { id: webhook.id, from, to })) {
        await insertMessages(tx, scope, { webhookId: webhook.id, after: from, to, types });
      }
      return to < newest;
    });
    const wanted = { webhookId: webhook.id, first: true, now: clock.now(), limit: MESSAGES_AT_ONCE };
    const found = await findDueMessages(db, scope, wanted);
    if (found.length > 0 || !isBehind) return found;
  }
}

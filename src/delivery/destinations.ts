import { randomBytes, randomUUID } from 'node:crypto';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, CLOSED_CIRCUIT, type Clock, type Logger, SECOND_MS, type SecretBox } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { writeLibrary } from '../library/index.ts';
import { ChannelError, type ChannelSession, type DestinationChannel } from './channel.ts';
import { type DeliveryLinks, faultOf } from './delivery-attempt.ts';
import { type ClearAway, createClearAway } from './clear-away.ts';
import { wakeWhenClipsEnd } from './clip-waker.ts';
import { createDeliveryRunner, type DeliveryRunner } from './delivery-runner.ts';
import { openDeliveredFile } from './delivered-file.ts';
import type { DeliverySource, SourceDeps } from './delivery-source.ts';
import { lockDestination, noteDestinationHealth } from './destination-health-store.ts';
import { findDestination } from './destination-store.ts';
import type { Destination } from './destination-types.ts';
import type { DeliveryPictures } from './rendition.ts';

export type Deliveries = DeliveryRunner & {
  /** Ends what follows the library, and what is looked at in the background. */
  close(): void;
  /** Removes what the deliveries of a deleted destination have left at its target. */
  readonly clearAway: ClearAway['start'];
  readonly channels: ReadonlyMap<string, DestinationChannel>;
  readonly secretBox: SecretBox;
  readonly pictures: DeliveryPictures;
  /**
   * What a delivery brought or brings, for a target that fetches it: exactly the bytes that it was told of.
   * @throws AppError `not_found`, `url_expired` when they are not to be had any more, `media_restricted`, or the signal's reason
   */
  openFile(scope: LibraryScope, id: number, signal: AbortSignal): Promise<DeliverySource>;
  /**
   * Writes a probe, reads it back and deletes it; notes how it went, with an event. Answers the destination as it is then.
   * @throws AppError `not_found`, or the signal's reason
   */
  verify(
    scope: LibraryScope,
    id: number,
    signal: AbortSignal,
  ): Promise<{
    readonly destination: Destination;
    /** The fingerprint of the key that the server has, when it is not the one in the config. */
    readonly hostKey: string | undefined;
    readonly steps: readonly VerifyStep[];
  }>;
};

/** In their order; a target that fetches files is sent a message in place of a probe. */
export const VERIFY_STEPS = ['connect', 'write', 'read', 'delete', 'send'] as const;
export const VERIFY_STEP_STATUSES = ['done', 'failed', 'not_reached'] as const;
export type VerifyStep = {
  readonly step: (typeof VERIFY_STEPS)[number];
  readonly status: (typeof VERIFY_STEP_STATUSES)[number];
};

/** A target that says nothing for this long is not there. */
const VERIFY_TIMEOUT_MS = 30 * SECOND_MS;

/** Everything of deliveries that talks to targets. */
export function createDeliveries(
  options: SourceDeps & {
    readonly db: Database;
    readonly jobs: Pick<Jobs, 'enqueue'>;
    readonly channels: ReadonlyMap<string, DestinationChannel>;
    readonly secretBox: SecretBox;
    readonly links?: DeliveryLinks | undefined;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): Deliveries {
  const { db, channels, secretBox, clock } = options;
  const open = async (scope: LibraryScope, destination: Destination, signal: AbortSignal): Promise<ChannelSession> => {
    const channel = channels.get(destination.kind);
    const missing = channel ? channel.missing?.() : 'this version knows no such kind';
    if (!channel || missing !== undefined) {
      throw new ChannelError('unsupported', `${destination.kind} is not available here: ${missing ?? ''}`);
    }
    const { secrets: sealed, secretKeyId: keyId } = destination;
    const secrets = sealed === null || keyId === null ? {} : secretBox.open(scope.organizationId, { sealed, keyId });
    return channel.open({ config: destination.config, secrets, concurrency: destination.concurrency, signal });
  };
  const wait = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal });
  const runner = createDeliveryRunner({ ...options, open, wait, random: Math.random });

  const stopWaking = wakeWhenClipsEnd(options);
  const clearAway = createClearAway({ open, logger: options.logger });
  return {
    ...runner,
    close() {
      stopWaking();
      clearAway.close();
    },
    clearAway: clearAway.start,
    channels,
    secretBox,
    pictures: options.pictures,
    openFile: (scope, id, signal) => openDeliveredFile(options, scope, { id, now: clock.now(), signal }),
    async verify(scope, id, outer) {
      const destination = await findDestination(db, scope, id);
      if (!destination) throw new AppError('not_found', `There is no destination ${id}.`);
      const signal = AbortSignal.any([outer, AbortSignal.timeout(VERIFY_TIMEOUT_MS)]);
      let failure: { readonly code: string; readonly reason: string } | null = null;
      let hostKey: string | undefined;
      const { steps, begin, end } = createVerifySteps(destination.kind === 'webhook');
      try {
        begin('connect');
        await probe(await open(scope, destination, signal), { signal, begin });
      } catch (error) {
        outer.throwIfAborted();
        const slow = { code: 'timeout', reason: `the target did not answer within ${VERIFY_TIMEOUT_MS / SECOND_MS} s` };
        const { code, reason } = signal.aborted ? slow : faultOf(error);
        if (code === 'internal')
          options.logger.error({ event: 'destination.verify_failed', destinationId: id, err: error });
        failure = { code, reason };
        end('failed');
        hostKey = error instanceof ChannelError ? error.hostKey : undefined;
      }
      if (!failure) end('done');
      const { result } = await writeLibrary(db, scope, async ({ tx, record }) => {
        const present = await lockDestination(tx, scope, destination);
        if (present) {
          const now = clock.now();
          await noteDestinationHealth(tx, scope, {
            id,
            status: failure ? 'failed' : 'ok',
            failure,
            verifiedAt: now,
            ...(failure ? { lastError: { at: now, ...failure } } : { circuit: CLOSED_CIRCUIT, consecutiveFailures: 0 }),
          });
          const type = failure ? 'destination.degraded' : 'destination.verified';
          record({ type, objectId: id, data: failure ?? {} });
          // What waited for the target need not any more.
          const target = { organizationId: scope.organizationId, destinationId: id };
          if (!failure && present.circuit !== 'closed') await options.jobs.enqueue(tx, 'delivery.run', target);
        }
        return findDestination(tx, scope, id);
      });
      if (!result) throw new AppError('not_found', `There is no destination ${id}.`);
      return { destination: result, hostKey, steps: steps() };
    },
  };
}

const PROBE_BYTES = 1000;

type StepName = VerifyStep['step'];

/** How far a verification got: each step that begins ends the one before it. */
function createVerifySteps(fetches: boolean) {
  const names: readonly StepName[] = fetches ? ['connect', 'send'] : ['connect', 'write', 'read', 'delete'];
  const statuses = new Map<StepName, VerifyStep['status']>();
  let current: StepName | undefined;
  const end = (status: 'done' | 'failed') => {
    if (current) statuses.set(current, status);
    current = undefined;
  };
  return {
    begin(step: StepName) {
      end('done');
      current = step;
    },
    end,
    steps: (): readonly VerifyStep[] => names.map((step) => ({ step, status: statuses.get(step) ?? 'not_reached' })),
  };
}

async function probe(
  session: ChannelSession,
  { signal, begin }: { readonly signal: AbortSignal; readonly begin: (step: StepName) => void },
): Promise<void> {
  try {
    if (session.fetches) {
      begin('send');
      return await session.fetches.check(signal);
    }
    begin('write');
    const body = randomBytes(PROBE_BYTES);
    const id = randomUUID();
    const path = `touchline-probe-${id.slice(0, 8)}.bin`;
    async function* read(offset: number): AsyncIterable<Uint8Array> {
      yield body.subarray(offset);
    }
    const sha256 = createHash('sha256').update(body).digest('hex');
    const contentType = 'application/octet-stream';
    await session.put({ path, bytes: body.length, sha256, contentType, read, id, replace: false, signal });
    begin('read');
    const back = await buffer(session.read(path, signal));
    const isSame = back.equals(body);
    if (isSame) begin('delete');
    await session.remove(path, signal);
    if (!isSame) throw new ChannelError('corrupted', 'the target answers other bytes than were written');
    if (await session.stat(path, signal)) throw new ChannelError('permission', 'the probe could not be deleted');
  } finally {
    await session.close();
  }
}

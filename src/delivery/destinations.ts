import { randomBytes, randomUUID } from 'node:crypto';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { LibraryScope } from '../auth/index.ts';
import { AppError, type Clock, type Logger, SECOND_MS } from '../base/index.ts';
import type { Database } from '../db/index.ts';
import type { Jobs } from '../jobs/index.ts';
import { writeLibrary } from '../library/index.ts';
import type { ObjectStorage } from '../storage/index.ts';
import { ChannelError, type ChannelSession, type DestinationChannel } from './channel.ts';
import { faultOf } from './delivery-attempt.ts';
import { createDeliveryRunner, type DeliveryRunner } from './delivery-runner.ts';
import type { DeliveryMetadata } from './delivery-source.ts';
import { findDestination, noteDestinationHealth } from './destination-store.ts';
import type { Destination } from './destination-types.ts';
import type { SecretBox } from './secret-box.ts';

export type Deliveries = DeliveryRunner & {
  readonly channels: ReadonlyMap<string, DestinationChannel>;
  readonly secretBox: SecretBox;
  /**
   * Writes a probe, reads it back and deletes it; notes how it went, with an event. Answers the destination as it is then.
   * @throws AppError `not_found`, or the signal's reason
   */
  verify(scope: LibraryScope, id: number, signal: AbortSignal): Promise<Destination>;
};

/** A target that says nothing for this long is not there. */
const VERIFY_TIMEOUT_MS = 30 * SECOND_MS;

/** Everything of deliveries that talks to targets. */
export function createDeliveries(options: {
  readonly db: Database;
  readonly storage: ObjectStorage;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly channels: ReadonlyMap<string, DestinationChannel>;
  readonly secretBox: SecretBox;
  readonly metadata: DeliveryMetadata;
  readonly clock: Clock;
  readonly logger: Logger;
}): Deliveries {
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
  const runner = createDeliveryRunner({ ...options, open, random: Math.random });

  return {
    ...runner,
    channels,
    secretBox,
    async verify(scope, id, outer) {
      const destination = await findDestination(db, scope, id);
      if (!destination) throw new AppError('not_found', `There is no destination ${id}.`);
      const signal = AbortSignal.any([outer, AbortSignal.timeout(VERIFY_TIMEOUT_MS)]);
      let failure: { readonly code: string; readonly reason: string } | null = null;
      try {
        await probe(await open(scope, destination, signal), signal);
      } catch (error) {
        outer.throwIfAborted();
        const slow = { code: 'timeout', reason: `the target did not answer within ${VERIFY_TIMEOUT_MS / SECOND_MS} s` };
        const { code, reason } = signal.aborted ? slow : faultOf(error);
        if (code === 'internal')
          options.logger.error({ event: 'destination.verify_failed', destinationId: id, err: error });
        failure = { code, reason };
      }
      const { result } = await writeLibrary(db, scope, async ({ tx, record }) => {
        const { version } = destination;
        const noted = await noteDestinationHealth(tx, scope, { id, version, failure, verifiedAt: clock.now() });
        if (noted) {
          record({
            type: failure ? 'destination.degraded' : 'destination.verified',
            objectId: id,
            data: failure ?? {},
          });
        }
        return noted ?? findDestination(tx, scope, id);
      });
      if (!result) throw new AppError('not_found', `There is no destination ${id}.`);
      return result;
    },
  };
}

const PROBE_BYTES = 1000;

async function probe(session: ChannelSession, signal: AbortSignal): Promise<void> {
  try {
    const body = randomBytes(PROBE_BYTES);
    const id = randomUUID();
    const path = `touchline-probe-${id.slice(0, 8)}.bin`;
    async function* read(offset: number): AsyncIterable<Uint8Array> {
      yield body.subarray(offset);
    }
    const sha256 = createHash('sha256').update(body).digest('hex');
    const contentType = 'application/octet-stream';
    await session.put({ path, bytes: body.length, sha256, contentType, read, id, replace: false, signal });
    const back = await buffer(session.read(path, signal));
    await session.remove(path, signal);
    if (!back.equals(body)) throw new ChannelError('corrupted', 'the target answers other bytes than were written');
    if (await session.stat(path, signal)) throw new ChannelError('permission', 'the probe could not be deleted');
  } finally {
    await session.close();
  }
}

/** One delivery under a fault: watched while it goes on, judged when it has ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Json } from '../app.ts';
import type { FaultService } from './fault-service.ts';
import type { FaultPlace, FaultTarget } from './fault-target.ts';

const FINAL: ReadonlySet<string> = new Set(['succeeded', 'failed', 'exhausted', 'cancelled', 'skipped']);
const LOOK_EVERY_MS = 50;
/** Two waits for another try and a sweep, which comes once a minute. */
const END_LIMIT_MS = 150_000;

export type FaultRun = {
  readonly service: FaultService;
  readonly target: FaultTarget;
  /** A name for a place that no other test has. */
  freshName(): string;
  /** Does something when this share of all bytes is on its way; a share of 0 is the first byte. */
  actAt(place: FaultPlace, share: number, act: () => Promise<void> | void): void;
  read(ids: readonly number[]): Promise<readonly Json[]>;
  /** Waits for the end of all, and checks at each look that what is seen is whole, and what is said is true. */
  ended(place: FaultPlace, ids: readonly number[]): Promise<readonly Json[]>;
  /** All have arrived, once, whole; nothing else is there; the feed says each once. */
  expectArrived(place: FaultPlace, ids: readonly number[]): Promise<void>;
};

export function createFaultRun(service: FaultService, target: FaultTarget): FaultRun {
  const read = async (ids: readonly number[]): Promise<readonly Json[]> => {
    const found: Json[] = [];
    for (const id of ids) found.push((await service.call('GET', `/v1/delivery/${id}`))['delivery']);
    return found;
  };
  const look = async (place: FaultPlace, ids: readonly number[]): Promise<readonly Json[]> => {
    const found = await read(ids);
    // A server that is down shows nothing; what it has is seen when it is back.
    const sizes = await place.sizes().catch(() => undefined);
    for (const [at, { name, bytes }] of service.assets.entries()) {
      const there = sizes?.get(name);
      if (there !== undefined && target.showsHalves === undefined)
        expect(there, `${name} is there and not whole`).toBe(bytes);
      if (sizes && found[at]?.['state'] === 'succeeded') expect(there, `${name} is said to be there`).toBe(bytes);
    }
    return found;
  };
  let places = 0;
  return {
    service,
    target,
    freshName: () => `place-${(places += 1)}`,
    actAt(place, share, act) {
      const bytes = Math.max(1, Math.floor(service.totalBytes * share));
      if (target.proxy) return target.proxy.actAfter(bytes, act);
      const watching = async (): Promise<void> => {
        for (const until = Date.now() + END_LIMIT_MS; Date.now() < until; await delay(1)) {
          const sizes = await place.sizes();
          if ([...sizes.values()].reduce((sum, size) => sum + size, 0) >= bytes || sizes.size > share * 3) return act();
        }
      };
      void watching();
    },
    read,
    async ended(place, ids) {
      for (const until = Date.now() + END_LIMIT_MS; ; await delay(LOOK_EVERY_MS)) {
        const found = await look(place, ids).catch((error: unknown) => {
          // Our own process may be dead at this moment.
          if (error instanceof TypeError) return undefined;
          throw error;
        });
        if (found?.every(({ state }) => FINAL.has(state))) return found;
        if (Date.now() > until) {
          const states = JSON.stringify(found?.map(({ state, attempts, failure }) => ({ state, attempts, failure })));
          throw new Error(`expected all deliveries to end, received ${states}; log: ${service.log().slice(-3000)}`);
        }
      }
    },
    async expectArrived(place, ids) {
      const found = await read(ids);
      expect(found.map(({ state, failure }) => ({ state, failure }))).toEqual(
        service.assets.map(() => ({ state: 'succeeded', failure: null })),
      );
      const hashes = Object.fromEntries(await place.hashes());
      expect(hashes).toEqual(Object.fromEntries(service.assets.map(({ name, sha256 }) => [name, sha256])));
      expect(await place.unfinished?.()).toEqual(place.unfinished && []);
      const arrivals = await place.arrivals();
      for (const { name } of service.assets) {
        // An answer that nobody lived to hear was not counted by the proxy.
        const least = target.countsAll ? 1 : 0;
        expect(arrivals.get(name) ?? 0, `${name} was given`).toBeGreaterThanOrEqual(least);
        expect(arrivals.get(name) ?? 0, `${name} was given`).toBeLessThanOrEqual(1);
      }
      for (const [at, { bytes, sha256 }] of service.assets.entries())
        expect(found[at]).toMatchObject({ progress: 1, receipt: { bytes, sha256 } });
      const { events } = await service.call('GET', '/v1/event?types=delivery.succeeded&limit=1000');
      const told = (events as readonly Json[]).map((event) => event['object'].id).filter((id) => ids.includes(id));
      expect(told.toSorted((one, other) => one - other)).toEqual(ids.toSorted((one, other) => one - other));
    },
  };
}

/** Every fault, for every kind of destination. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { FaultPlace, FaultTarget } from './fault-target.ts';
import type { FaultRun } from './fault-run.ts';

export type Fault = {
  /** As it stands above its column of the table. */
  readonly name: string;
  /** Also in the plain run of all tests. */
  readonly isQuick?: true;
  /** Why a kind cannot have it; undefined when it can. */
  without?(target: FaultTarget): string | undefined;
  run(run: FaultRun): Promise<void>;
};

const noWire = ({ proxy }: FaultTarget): string | undefined => (proxy ? undefined : 'there is no connection');

/** A place, a destination and a delivery of all assets; `harm` comes before the delivery. */
async function deliverTo(
  { service, target }: FaultRun,
  place: FaultPlace,
  harm: () => void | Promise<void> = () => {},
): Promise<readonly number[]> {
  const destination = await service.createDestination(target.kind, place);
  await harm();
  return service.deliver(destination);
}

const cutAt = (percent: number): Fault => ({
  name: `connection cut at ${percent} %`,
  ...(percent === 50 && { isQuick: true }),
  without: noWire,
  async run(run) {
    const { service, target } = run;
    const place = await target.place(run.freshName());
    const ids = await deliverTo(run, place, () =>
      target.proxy?.cutAfter(Math.max(1, Math.floor((service.totalBytes * percent) / 100))),
    );
    await run.ended(place, ids);
    await run.expectArrived(place, ids);
    await place.close();
  },
});

const serverKilled: Fault = {
  name: 'server killed at 50 %, back after a second',
  isQuick: true,
  without: ({ server }) => (server ? undefined : 'there is no server'),
  async run(run) {
    const { target } = run;
    const place = await target.place(run.freshName());
    let coming: Promise<void> = Promise.resolve();
    const ids = await deliverTo(run, place, () =>
      run.actAt(place, 0.5, async () => {
        await target.server?.kill();
        coming = delay(1000).then(() => target.server?.restart());
      }),
    );
    await run.ended(place, ids);
    await coming;
    await run.expectArrived(place, ids);
    await place.close();
  },
};

const fullDisk: Fault = {
  name: 'disk full',
  without: ({ smallPlace }) => (typeof smallPlace === 'string' ? smallPlace : undefined),
  async run(run) {
    const { service, target } = run;
    if (typeof target.smallPlace === 'string') return;
    const place = await target.smallPlace(run.freshName(), 8 * 1024 * 1024);
    const ids = await deliverTo(run, place);
    const [large] = ids;
    const refused = async () => (await run.read(ids))[0]?.['attempts'][0]?.error_code;
    await expect.poll(refused, { timeout: 30_000 }).toMatch(/^(disk_full|failed)$/);
    const [first] = await run.read(ids);
    const { name } = service.assets[0] ?? { name: '' };
    expect((await place.sizes()).has(name)).toBe(false);
    await place.grow();
    // Refused for good, it waits for somebody who has made room.
    if (first?.['state'] === 'failed') {
      const left = async () => [...(await place.sizes()).keys()].filter((one) => one.startsWith('.'));
      await expect.poll(left, { timeout: 30_000 }).toEqual([]);
      await service.call('POST', `/v1/delivery/${large}/replay`);
    }
    for (const one of await run.ended(place, ids))
      if (one['state'] === 'failed') await service.call('POST', `/v1/delivery/${one['id']}/replay`);
    await run.ended(place, ids);
    await run.expectArrived(place, ids);
    await place.close();
  },
};

const noPermission: Fault = {
  name: 'permission denied',
  without: ({ closedPlace }) => (typeof closedPlace === 'string' ? closedPlace : undefined),
  async run(run) {
    const { service, target } = run;
    if (typeof target.closedPlace === 'string') return;
    const place = await target.closedPlace(run.freshName());
    const ids = await deliverTo(run, place);
    const codes = async () => (await run.read(ids)).map(({ attempts }) => attempts[0]?.error_code);
    // Some servers do not say why, or end the connection: these are asked again.
    const said = expect.stringMatching(/^(permission|failed|connection_lost)$/);
    await expect.poll(codes, { timeout: 30_000 }).toEqual([said, said, said]);
    expect(await place.sizes()).toEqual(new Map());
    await place.allow();
    for (const { id, state, failure } of await run.read(ids)) {
      expect(state).toBe(failure.code === 'permission' ? 'failed' : 'queued');
      if (state === 'failed') await service.call('POST', `/v1/delivery/${id}/replay`);
    }
    await run.ended(place, ids);
    await run.expectArrived(place, ids);
    await place.close();
  },
};

const wrongCredentials: Fault = {
  name: 'wrong credentials',
  isQuick: true,
  without: ({ wrongSecrets }) => (wrongSecrets ? undefined : 'there are none'),
  async run(run) {
    const { service, target } = run;
    const place = await target.place(run.freshName());
    const wrong = { ...place, secrets: target.wrongSecrets ?? {} };
    const destination = await service.createDestination(target.kind, wrong);
    const ids = await service.deliver(destination);
    for (const one of await run.ended(place, ids)) {
      expect(one).toMatchObject({ state: 'failed', receipt: null });
      // S3 says no more than 403 to a HEAD.
      expect(one['failure'].code).toMatch(/^(credentials|permission)$/);
      for (const secret of Object.values(wrong.secrets)) expect(JSON.stringify(one)).not.toContain(String(secret));
    }
    expect(await place.sizes()).toEqual(new Map());
    await service.call('PATCH', `/v1/destination/${destination}`, { secrets: place.secrets });
    for (const id of ids) await service.call('POST', `/v1/delivery/${id}/replay`);
    await run.ended(place, ids);
    await run.expectArrived(place, ids);
    await place.close();
  },
};

const nameTaken: Fault = {
  name: 'name taken',
  isQuick: true,
  async run(run) {
    const { service, target } = run;
    const place = await target.place(run.freshName());
    const [asset] = service.assets;
    if (!asset) return;
    const theirs = Buffer.from('somebody else has put this here');
    await place.putForeign(asset.name, theirs);
    const destination = await service.createDestination(target.kind, place, { collision: 'fail' });
    const [first, ...others] = await service.deliver(destination);
    const finals = async () => (await run.read([first ?? 0, ...others])).map(({ state }) => state);
    await expect.poll(finals, { timeout: 60_000 }).toEqual(['failed', 'succeeded', 'succeeded']);
    expect((await run.read([first ?? 0]))[0]).toMatchObject({ failure: { code: 'name_taken' }, attempts: [{}] });
    expect((await place.sizes()).get(asset.name)).toBe(theirs.length);
    expect([...(await place.sizes()).keys()].toSorted()).toEqual(service.assets.map(({ name }) => name).toSorted());
    await place.close();
  },
};

const slowTarget: Fault = {
  name: 'slow target',
  without: noWire,
  async run(run) {
    const { service, target } = run;
    const place = await target.place(run.freshName());
    // Seven seconds for all bytes.
    const ids = await deliverTo(run, place, () => target.proxy?.throttle(service.totalBytes / 7));
    const seen = new Set<number>();
    const watch = setInterval(() => {
      void run
        .read(ids.slice(0, 1))
        .then(([one]) => seen.add(one?.['progress']))
        .catch(() => {});
    }, 200);
    try {
      const ended = await run.ended(place, ids);
      for (const { attempts } of ended) expect(attempts).toMatchObject([{ error_code: null }]);
    } finally {
      clearInterval(watch);
      target.proxy?.throttle(undefined);
    }
    // Parts of 8 MiB count when they have arrived.
    expect(seen.size, `progress ${[...seen].join(' ')}`).toBeGreaterThanOrEqual(2);
    await run.expectArrived(place, ids);
    await place.close();
  },
};

const stalledTarget: Fault = {
  name: 'target that stalls at 50 %',
  without: noWire,
  async run(run) {
    const { service, target } = run;
    const place = await target.place(run.freshName());
    const ids = await deliverTo(run, place, () => target.proxy?.stallAfter(service.totalBytes / 2));
    const givenUp = async () =>
      (await run.read(ids)).flatMap(({ attempts }) => attempts).filter(({ error_code: code }) => code !== null).length;
    try {
      // DELIVERY_STALL_SECONDS of the suite, and a little.
      await expect.poll(givenUp, { timeout: 60_000, interval: 200 }).toBeGreaterThan(0);
    } finally {
      target.proxy?.goOn();
    }
    const ended = await run.ended(place, ids);
    const codes = ended.flatMap(({ attempts }) => attempts).map(({ error_code: code }) => code);
    expect(codes.filter((code) => code !== null && !['timeout', 'connection_lost'].includes(code))).toEqual([]);
    await run.expectArrived(place, ids);
    await place.close();
  },
};

const killedAt = (name: string, share: number): Fault => ({
  name: `our process killed ${name}`,
  async run(run) {
    const { service, target } = run;
    const place = await target.place(run.freshName());
    let killed: Promise<void> | undefined;
    const ids = await deliverTo(run, place, () =>
      run.actAt(place, share, () => {
        killed = service.kill();
        return killed;
      }),
    );
    await expect.poll(() => killed !== undefined, { timeout: 30_000 }).toBe(true);
    await killed;
    await service.restart();
    await run.ended(place, ids);
    await run.expectArrived(place, ids);
    await place.close();
  },
});

export const FAULTS: readonly Fault[] = [
  cutAt(1),
  cutAt(50),
  cutAt(99),
  serverKilled,
  fullDisk,
  noPermission,
  wrongCredentials,
  nameTaken,
  slowTarget,
  stalledTarget,
  killedAt('at the first byte', 0),
  killedAt('at 1 %', 0.01),
  killedAt('at 50 %', 0.5),
  killedAt('at 99 %', 0.99),
];

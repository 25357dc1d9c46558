import { afterAll, beforeAll, describe, test } from 'vitest';
import { FAULT_KINDS } from './fault-kinds.ts';
import { createFaultRun, type FaultRun } from './fault-run.ts';
import { type FaultService, startFaultService } from './fault-service.ts';
import { FAULTS } from './fault-table.ts';
import type { FaultTarget } from './fault-target.ts';

/** Time for a kill, two tries and a sweep. */
const LIMIT_MS = 180_000;

/** All faults of all kinds, or the quick ones. What a kind cannot have is skipped by name. */
export function describeFaults(options: { readonly isQuick: boolean }): void {
  const faults = FAULTS.filter(({ isQuick }) => !options.isQuick || isQuick === true);
  const kinds = FAULT_KINDS.filter((one) => !options.isQuick || one.isQuick);
  let service: FaultService;
  beforeAll(async () => {
    service = await startFaultService({ DELIVERY_STALL_SECONDS: '5' });
  }, LIMIT_MS);
  afterAll(() => service?.close());

  describe.each(kinds)('$name', ({ missing, start }) => {
    const lack = missing();
    let target: FaultTarget;
    let run: FaultRun;
    beforeAll(async () => {
      if (lack !== undefined) return;
      target = await start();
      run = createFaultRun(service, target);
    }, LIMIT_MS);
    afterAll(() => target?.close());

    for (const fault of faults) {
      test(fault.name, { timeout: LIMIT_MS }, async (context) => {
        const reason = lack ?? fault.without?.(target);
        if (reason !== undefined) context.skip(reason);
        await fault.run(run);
      });
    }
  });
}

import type { LibraryScope } from '../auth/index.ts';
import { type Logger, MINUTE_MS } from '../base/index.ts';
import type { ChannelSession } from './channel.ts';
import { removeLeftovers } from './deliver-one.ts';
import type { Delivery } from './delivery-types.ts';
import type { Destination } from './destination-types.ts';
import { createSessionHolder } from './session-holder.ts';

const LIMIT_MS = 5 * MINUTE_MS;

/** The last look at the target of a destination that is gone: nobody will go on from what its deliveries have left. */
export type ClearAway = {
  /** Begins it, and does not wait. Whatever cannot be removed is named in the log. */
  start(scope: LibraryScope, destination: Destination, unfinished: readonly Delivery[]): void;
  close(): void;
};

export function createClearAway(options: {
  readonly open: (scope: LibraryScope, destination: Destination, signal: AbortSignal) => Promise<ChannelSession>;
  readonly logger: Logger;
}): ClearAway {
  const closing = new AbortController();
  const run = async (scope: LibraryScope, destination: Destination, unfinished: readonly Delivery[]): Promise<void> => {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(LIMIT_MS)]);
    const sessions = createSessionHolder(() => options.open(scope, destination, signal));
    let kept = 0;
    try {
      for (const delivery of unfinished) {
        if (!(await removeLeftovers(options, { delivery, sessions, signal }))) kept += 1;
      }
    } finally {
      await sessions.close();
    }
    const fields = { event: 'destination.cleared', destinationId: destination.id, looked: unfinished.length, kept };
    if (kept === 0) options.logger.info(fields);
    else options.logger.warn(fields, 'temporary files may be left at the target of a deleted destination');
  };
  return {
    start(scope, destination, unfinished) {
      if (unfinished.length === 0) return;
      run(scope, destination, unfinished).catch((error: unknown) => {
        options.logger.warn({ event: 'destination.not_cleared', destinationId: destination.id, err: error });
      });
    },
    close: () => closing.abort(new Error('the service is stopping')),
  };
}

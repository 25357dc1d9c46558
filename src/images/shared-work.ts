import { createSingleFlight } from '../base/index.ts';

export type SharedWork<T> = {
  /** Joins equal work. One caller's abort ends that caller's wait; the work itself is aborted when nobody waits any more. */
  join(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T>;
};

/** A single flight whose passengers can leave. */
export function createSharedWork<T>(): SharedWork<T> {
  type Ticket = { readonly id: number; readonly controller: AbortController; waiting: number };
  const flights = createSingleFlight<T>();
  const tickets = new Map<string, Ticket>();
  let lastId = 0;

  const ticketFor = (key: string): Ticket => {
    const present = tickets.get(key);
    if (present) return present;
    lastId += 1;
    const ticket = { id: lastId, controller: new AbortController(), waiting: 0 };
    tickets.set(key, ticket);
    return ticket;
  };

  return {
    async join(key, work, signal) {
      signal?.throwIfAborted();
      const ticket = ticketFor(key);
      ticket.waiting += 1;
      try {
        // The id keeps a newcomer from joining work that was just aborted and has not ended yet.
        const flight = flights.run(`${ticket.id}`, () => work(ticket.controller.signal));
        return await (signal ? orAborted(flight, signal) : flight);
      } finally {
        ticket.waiting -= 1;
        if (ticket.waiting === 0) {
          if (tickets.get(key) === ticket) tickets.delete(key);
          // After the end of the work this does nothing.
          ticket.controller.abort(new DOMException('nobody waits for this picture', 'AbortError'));
        }
      }
    },
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

export type SingleFlight<T> = {
  /** Joins the running work of the same key, or starts it. A failure reaches every caller and is not kept. */
  run(key: string, work: () => Promise<T>): Promise<T>;
  readonly inFlight: number;
};

/** Collapses equal concurrent work to one execution. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Promise<T>>();
  return {
    run(key, work) {
      const present = flights.get(key);
      if (present) return present;
      const flight = work().finally(() => flights.delete(key));
      flights.set(key, flight);
      return flight;
    },
    get inFlight() {
      return flights.size;
    },
  };
}

import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  /** Counts one answered request by its route pattern, never by its URL. */
  observeRequest(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** Reads a figure each time somebody looks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** The same by one label. */
  gaugeBy(
    name: string,
    options: { readonly help: string; readonly label: string },
    read: () => Promise<ReadonlyMap<string, number>>,
  ): void;
  /** The Prometheus text format. */
  text(): Promise<string>;
  readonly contentType: string;
};

/** Figures of one process, in a registry of their own so that two services in one process do not mix. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'touchline_' });
  const requests = new Counter({
    name: 'touchline_http_requests_total',
    help: 'Answered requests',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'touchline_http_request_seconds',
    help: 'Time to the end of the answer',
    labelNames: ['route'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30],
    registers: [registry],
  });
  return {
    observeRequest({ method, route, status, seconds }) {
      requests.inc({ method, route, status: String(status) });
      durations.observe({ route }, seconds);
    },
    gauge(name, help, read) {
      const one = new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(await read());
        },
      });
      registry.registerMetric(one);
    },
    gaugeBy(name, { help, label }, read) {
      const one = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [],
        async collect() {
          this.reset();
          for (const [value, figure] of await read()) this.set({ [label]: value }, figure);
        },
      });
      registry.registerMetric(one);
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

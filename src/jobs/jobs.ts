import { fromKysely, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss';
import { type Logger, messageOf, SECOND_MS } from '../base/index.ts';
import type { ConnectionSettings, Queryable } from '../db/index.ts';
import { JOB_SETTINGS, type JobName, type JobPayloads } from './job-map.ts';

export type JobContext = {
  readonly signal: AbortSignal;
  /** True when a failure of this run will not be tried again. */
  readonly lastAttempt: boolean;
};
export type JobHandler<Name extends JobName> = (payload: JobPayloads[Name], context: JobContext) => Promise<void>;
export type JobHandlers = { readonly [Name in JobName]: JobHandler<Name> };

export type Jobs = {
  /** Queues a job in the caller's transaction: it exists exactly when the transaction commits. It runs at `startAt` or later. */
  enqueue<Name extends JobName>(
    tx: Queryable,
    name: Name,
    payload: JobPayloads[Name],
    options?: { readonly startAt: Date },
  ): Promise<void>;
  /** Starts running jobs on this node. The type asks for one handler per name. */
  run(handlers: JobHandlers): Promise<void>;
  /** Jobs that wait or run, by name. */
  depth(): Promise<Readonly<Record<string, number>>>;
  /** Stops taking jobs and waits up to `drainMs` for those that run; the rest are taken up again by the next start. */
  stop(options: { readonly drainMs: number }): Promise<void>;
};

const NAMES = Object.keys(JOB_SETTINGS) as JobName[];

/** After kill -9, a job without a heartbeat for this time is given to another worker. 10 s is the library's minimum. */
const HEARTBEAT_SECONDS = 10;

/** The durable queue in PostgreSQL: retries with backoff, heartbeats, picked up within milliseconds through NOTIFY. */
export async function openJobs(options: {
  readonly connection: ConnectionSettings;
  readonly applicationName: string;
  readonly cores: number;
  readonly logger: Logger;
}): Promise<Jobs> {
  const { logger } = options;
  const boss = new PgBoss({
    ...options.connection,
    application_name: options.applicationName,
    max: 6,
    schema: 'touchline_jobs',
    useListenNotify: true,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  });
  boss.on('error', (error) => logger.warn({ event: 'jobs.error', reason: messageOf(error) }, 'jobs error'));
  await boss.start();
  // Dead letter queues first: a queue may only name one that exists.
  for (const name of NAMES.toSorted(
    (a, b) => Number('deadLetter' in JOB_SETTINGS[a]) - Number('deadLetter' in JOB_SETTINGS[b]),
  )) {
    const settings = JOB_SETTINGS[name];
    const queue = {
      retryLimit: settings.retryLimit,
      retryDelay: 2,
      retryBackoff: true,
      retryDelayMax: 300,
      expireInSeconds: settings.timeLimitSeconds,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      notify: true,
      ...(settings.deadLetter === undefined ? {} : { deadLetter: settings.deadLetter }),
    };
    await boss.createQueue(name, queue);
    await boss.updateQueue(name, queue);
  }
  const stopping = new AbortController();

  const runOne = async <Name extends JobName>(
    name: Name,
    job: JobWithMetadata<JobPayloads[Name]>,
    handler: JobHandler<Name>,
  ): Promise<JobResult> => {
    const startedMs = performance.now();
    try {
      const signal = AbortSignal.any([job.signal, stopping.signal]);
      await handler(job.data, { signal, lastAttempt: job.retryCount >= job.retryLimit });
      logger.debug({ event: 'job.completed', job: name, tookMs: Math.round(performance.now() - startedMs) });
      return { id: job.id, status: 'completed' };
    } catch (error) {
      logger.warn(
        { event: 'job.failed', job: name, payload: job.data, reason: messageOf(error), err: error },
        'job failed',
      );
      return { id: job.id, status: 'failed', output: { reason: messageOf(error) } };
    }
  };

  const runName = async <Name extends JobName>(name: Name, handler: JobHandler<Name>): Promise<void> => {
    const settings = JOB_SETTINGS[name];
    // batchSize 1 takes one job per polling interval; 2 with burst keeps fetching while there is work.
    const work = {
      batchSize: 2,
      includeMetadata: true,
      perJobResults: true,
      burstWhenBatchFull: true,
      localConcurrency: settings.concurrency(options.cores),
      pollingIntervalSeconds: 2,
      notifyPollingIntervalSeconds: 5,
    } as const;
    await boss.work<JobPayloads[Name], unknown, typeof work>(name, work, async (jobs) => {
      if (settings.isSideBySide) return Promise.all(jobs.map((job) => runOne(name, job, handler)));
      const results: JobResult[] = [];
      for (const job of jobs) results.push(await runOne(name, job, handler));
      return results;
    });
    if (settings.cron !== undefined) await boss.schedule(name, settings.cron, {});
  };

  return {
    async enqueue(tx, name, payload, options) {
      await boss.send(name, payload, { db: fromKysely(tx), ...(options && { startAfter: options.startAt }) });
    },
    async run(handlers) {
      // Written out so that a name without a handler, or one with two, does not compile.
      await runName('photo.process', handlers['photo.process']);
      await runName('video.process', handlers['video.process']);
      await runName('media.abandoned', handlers['media.abandoned']);
      await runName('clip.make', handlers['clip.make']);
      await runName('clip.abandoned', handlers['clip.abandoned']);
      await runName('media.bulk', handlers['media.bulk']);
      await runName('media.bulk_abandoned', handlers['media.bulk_abandoned']);
      await runName('delivery.run', handlers['delivery.run']);
      await runName('delivery.sweep', handlers['delivery.sweep']);
      await runName('rule.run', handlers['rule.run']);
      await runName('rule.sweep', handlers['rule.sweep']);
      await runName('faces.suggest', handlers['faces.suggest']);
      await runName('webhook.run', handlers['webhook.run']);
      await runName('webhook.sweep', handlers['webhook.sweep']);
      await runName('media.import', handlers['media.import']);
      await runName('media.import_abandoned', handlers['media.import_abandoned']);
      await runName('upload.sweep', handlers['upload.sweep']);
      await runName('library.purge', handlers['library.purge']);
    },
    async depth() {
      const queues = await boss.getQueues(NAMES);
      return Object.fromEntries(queues.map((queue) => [queue.name, queue.readyCount + queue.activeCount]));
    },
    async stop({ drainMs }) {
      const force = setTimeout(
        () => stopping.abort(new Error('the service is stopping')),
        Math.max(0, drainMs - SECOND_MS),
      );
      await boss.stop({ graceful: true, timeout: drainMs, close: true });
      clearTimeout(force);
    },
  };
}

import type { FastifyRequest } from 'fastify';
import { invalidField } from '../../base/index.ts';
import { readOldestChange, readVersion } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { createEventStreams } from '../event-stream.ts';
import { createEventTail } from '../event-tail.ts';
import { checkEventsKept, readEventTypes } from '../event-types.ts';
import { principalOf } from '../plugins/principal.ts';
import type { Api } from '../server.ts';
import { createStreamProgress } from '../stream-progress.ts';
import { commonProblems, expiredProblem } from '../wire/common.ts';
import { EventStreamQuery } from '../wire/events.ts';

/** What a client that comes back sends. @throws AppError `validation_failed` */
function readLastEventId(request: FastifyRequest): number | undefined {
  const given = [request.headers['last-event-id']].flat().join(',');
  if (given === '') return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw invalidField('Last-Event-ID', `expected the id of a message, received ${given.slice(0, 60)}`);
}

/** The change feed as it happens. */
export function registerEventStreamRoutes(app: Api, deps: ApiDeps): void {
  const { db, logger, authenticator } = deps;
  const tail = createEventTail({ db, freshness: deps.freshness });
  const streams = createEventStreams({ tail, progress: createStreamProgress(db), authenticator, logger });
  deps.metrics.gauge('touchline_event_streams', 'Streams of events that are open', () => streams.count);
  // Before the server waits for its connections to end.
  app.addHook('preClose', async () => {
    streams.stop();
    tail.close();
  });

  app.get(
    '/v1/event/stream',
    {
      config: { scopes: ['media.read'] },
      // A HEAD would run the handler too, and never end.
      exposeHeadRoute: false,
      schema: {
        tags: ['events'],
        operationId: 'streamEvents',
        summary: 'Follow the change feed as Server-Sent Events',
        description:
          'Each message has an event of GET /v1/event as its `data` and the version as its `id`. A client that is cut off sends the last id ' +
          'as `Last-Event-ID`, which goes before `after`, and misses nothing. A comment comes every 15 s when nothing happens.',
        querystring: EventStreamQuery,
        response: {
          200: {
            description: 'Messages without end',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          ...commonProblems,
          ...expiredProblem,
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { scope } = principal;
      const types = readEventTypes(request.query.types, principal);
      const newest = await readVersion(db, scope);
      const oldest = await readOldestChange(db, scope);
      const asked = readLastEventId(request) ?? request.query.after ?? newest;
      checkEventsKept({ after: asked, newest, oldest });
      const after = asked === 0 ? oldest - 1 : asked;
      const withProgress = request.query.progress === 'true';
      const stream = streams.open({ principal, address: request.ip, after, types, withProgress });
      return (
        reply
          .header('Content-Type', 'text/event-stream; charset=utf-8')
          .header('Cache-Control', 'no-store, no-transform')
          .header('X-Accel-Buffering', 'no')
          // Nothing follows on it: a service that stops need not wait for it.
          .header('Connection', 'close')
          .send(stream)
      );
    },
  );
}

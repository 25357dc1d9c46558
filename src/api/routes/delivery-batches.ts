import type { LibraryScope } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import { cancelDeliveries, findDeliveryBatch, listDeliveryBatches, replayDeliveries } from '../../delivery/index.ts';
import { type LibraryWrite, writeLibrary } from '../../library/index.ts';
import type { Queryable } from '../../db/index.ts';
import { readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { setLibraryVersion } from '../plugins/versions.ts';
import { presentBatch } from '../present/deliveries.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import { commonProblems, notFoundProblem } from '../wire/common.ts';
import {
  BatchAnswer,
  BatchCancelled,
  BatchList,
  BatchListQuery,
  type BatchOut,
  BatchParams,
  BatchReplayed,
} from '../wire/deliveries.ts';

const tags = ['deliveries'];
const PURPOSE = 'delivery batches';

async function getBatch(db: Queryable, scope: LibraryScope, batch: string): Promise<BatchOut> {
  const found = await findDeliveryBatch(db, scope, batch);
  if (!found) throw new AppError('not_found', 'There is no request of deliveries of this name.');
  return presentBatch(found);
}

/** The deliveries of one request together. */
export function registerDeliveryBatchRoutes(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  const config = { scopes: ['delivery.run'] } as const;
  const problems = { ...commonProblems, ...notFoundProblem };

  const wake = ({ tx, scope }: LibraryWrite, destinationId: number) =>
    deps.jobs.enqueue(tx, 'delivery.run', { organizationId: scope.organizationId, destinationId });

  app.get(
    '/v1/delivery/batch',
    {
      config,
      schema: {
        tags,
        summary: 'List requests of deliveries, newest first, with how far each is',
        querystring: BatchListQuery,
        response: { 200: BatchList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { limit, cursor, destination: destinationId, state } = request.query;
      const purpose = JSON.stringify([PURPOSE, destinationId, state]);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { purpose, limit, cursor },
        {
          load: (beforeId = Number.MAX_SAFE_INTEGER, count) =>
            listDeliveryBatches(db, scope, { destinationId, state, beforeId, limit: count }),
          keyOf: ({ firstId }) => firstId,
        },
      );
      return { batches: rows.map(presentBatch), next_cursor: nextCursor };
    },
  );

  app.get(
    '/v1/delivery/batch/:batch',
    {
      config,
      schema: {
        tags,
        summary: 'How far the deliveries of one request are',
        params: BatchParams,
        response: { 200: BatchAnswer, ...problems },
      },
    },
    async (request) => ({ batch: await getBatch(db, principalOf(request).scope, request.params.batch) }),
  );

  app.delete(
    '/v1/delivery/batch/:batch',
    {
      config,
      schema: {
        tags,
        operationId: 'cancelDeliveryBatch',
        summary: 'Cancel what waits or runs of one request',
        description: 'What has arrived stays.',
        params: BatchParams,
        response: { 200: BatchCancelled, ...problems },
      },
    },
    async (request, reply) => {
      const { batch } = request.params;
      const { result, version } = await writeLibrary(db, principalOf(request).scope, async (write) => {
        const cancelled = await cancelDeliveries(write.tx, write.scope, { batch });
        const [first] = cancelled;
        if (first) await wake(write, first.destinationId);
        return { batch: await getBatch(write.tx, write.scope, batch), cancelled: cancelled.length };
      });
      setLibraryVersion(reply, version);
      return result;
    },
  );

  app.post(
    '/v1/delivery/batch/:batch/replay',
    {
      config,
      schema: {
        tags,
        operationId: 'replayDeliveryBatch',
        summary: 'Deliver again what failed, was exhausted or cancelled of one request',
        description: 'What has arrived, was skipped or never had a path of its own stays as it is.',
        params: BatchParams,
        response: { 200: BatchReplayed, ...problems },
      },
    },
    async (request, reply) => {
      const { batch } = request.params;
      const { result, version } = await writeLibrary(db, principalOf(request).scope, async (write) => {
        const replayed = await replayDeliveries(write.tx, write.scope, { batch });
        for (const { id, destinationId, mediaId } of replayed) {
          const data = { destination_id: destinationId, media_id: mediaId };
          write.record({ type: 'delivery.queued', objectId: id, data });
        }
        const [first] = replayed;
        if (first) await wake(write, first.destinationId);
        return { batch: await getBatch(write.tx, write.scope, batch), replayed: replayed.length };
      });
      setLibraryVersion(reply, version);
      return result;
    },
  );
}

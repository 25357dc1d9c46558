import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidField } from '../../base/index.ts';
import { enqueueProcessing } from '../../ingest/index.ts';
import {
  applyBulkEdit,
  type BulkEdit,
  type BulkHooks,
  type BulkResult,
  checkBulkEdit,
  findBulkOperation,
  insertBulkOperation,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { readLibraryVersion, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import { presentOperation } from '../present/operations.ts';
import { abortWhenGone } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { BulkAnswer, BulkBody, OperationAnswer } from '../wire/bulk.ts';
import { commonProblems, conflictProblem } from '../wire/common.ts';
import { checkUsage } from './media.ts';

/** More run as a job. */
const MAX_AT_ONCE = 200;
/** Of a filter; some 100 MB of rows while the operation lasts. */
const MAX_FOUND = 1_000_000;

const change = (given: { add?: number[]; remove?: number[] } | undefined) =>
  given && { add: given.add ?? [], remove: given.remove ?? [] };

/** What the schema cannot say: which members go together. @throws AppError `validation_failed` */
function checkMembers(body: BulkBody): void {
  if ((body.ids === undefined) === (body.filter === undefined)) {
    const received = body.ids === undefined ? 'neither' : 'both';
    throw invalidField(body.ids === undefined ? '' : '/filter', `expected either ids or filter, received ${received}`);
  }
  const edits = [body.set, body.tags, body.collections, body.delete, body.restore].filter((one) => one !== undefined);
  if (edits.length === 0) {
    throw invalidField('', 'expected at least one of set, tags, collections, delete and restore, received none');
  }
  const moves = body.delete !== undefined ? 'delete' : body.restore !== undefined ? 'restore' : undefined;
  if (moves !== undefined && edits.length > 1) {
    throw invalidField(`/${moves}`, `expected ${moves} with nothing else to do, received more`);
  }
  if (body.set?.collections !== undefined && body.collections !== undefined) {
    throw invalidField('/collections', 'expected either collections or set.collections, received both');
  }
  const { usage, usage_at } = body.set ?? {};
  // Without a time here, each asset's own counts.
  if (usage !== undefined && usage_at === null) checkUsage(usage, null);
}

function readEdit({ set, tags, collections, ...body }: BulkBody): BulkEdit {
  const tagged = change(tags);
  const collected = change(collections);
  const bin = body.delete === true ? 'delete' : body.restore === true ? 'restore' : undefined;
  return {
    ...(set && {
      set: {
        usage: set.usage,
        usageAt: set.usage_at,
        rating: set.rating,
        capturedAt: set.captured_at,
        status: set.status,
        details: set.details,
        collections: set.collections,
      },
    }),
    ...(tagged && { tags: tagged }),
    ...(collected && { collections: collected }),
    ...(bin && { bin }),
  };
}

const presentResult = ({ id, status, error }: BulkResult) => ({ id, status, ...(error && { error }) });

type Target = {
  readonly ids: readonly number[];
  readonly edit: BulkEdit;
  readonly dryRun: boolean;
};

/** Does the edit in one transaction and answers what became of each asset. */
async function doAtOnce(
  deps: ApiDeps,
  http: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { ids, edit, dryRun }: Target,
) {
  const { scope, key } = principalOf(http.request);
  const hooks: BulkHooks = { enqueueProcessing: (write, asset) => enqueueProcessing(deps.jobs, write, asset) };
  const { result: results, version } = await writeLibrary(deps.db, scope, async (write) =>
    applyBulkEdit(write, ids, { edit: await checkBulkEdit(write, edit), dryRun, actor: key.name, hooks }),
  );
  if (edit.bin === 'delete' && !dryRun) {
    for (const { id, status } of results) {
      if (status === 'updated') await deps.images.purge({ orgId: scope.organizationId, mediaId: id });
    }
  }
  setLibraryVersion(http.reply, version);
  const count = (status: BulkResult['status']) => results.filter((one) => one.status === status).length;
  return {
    total: results.length,
    updated: count('updated'),
    unchanged: count('unchanged'),
    failed: count('failed'),
    dry_run: dryRun,
    results: results.map(presentResult),
  };
}

/** Queues the edit with its assets, fixed as of now. */
async function queue(
  deps: ApiDeps,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { ids, edit, dryRun }: Target,
) {
  const { scope, key } = principalOf(request);
  const { result, version } = await writeLibrary(deps.db, scope, async (write) => {
    await checkBulkEdit(write, edit);
    const id = await insertBulkOperation(write, { ids, edit, dryRun, createdBy: key.name });
    await deps.jobs.enqueue(write.tx, 'media.bulk', { organizationId: scope.organizationId, operationId: id });
    return findBulkOperation(write.tx, scope, id);
  });
  if (!result) throw new AppError('internal', 'the operation is not there after it was queued');
  setLibraryVersion(reply, version);
  reply.header('Location', `/v1/operation/${result.id}`).header('ETag', etagOfVersion(result.version));
  return reply.code(202).send({ operation: presentOperation(result, []) });
}

export function registerMediaBulkRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/v1/media/bulk',
    {
      config: { scopes: ['media.write'], idempotent: 'body', readsVersion: true },
      schema: {
        tags: ['media'],
        summary: 'Change many assets',
        description:
          'Each asset is changed wholly or not at all. Up to 200 assets are answered at once with a result each; more, or any with ' +
          'Prefer: respond-async, answer 202 with an operation that tells how far it is. What a filter finds is fixed when the ' +
          'request is made.',
        body: BulkBody,
        response: { 200: BulkAnswer, 202: OperationAnswer, ...commonProblems, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { body } = request;
      checkMembers(body);
      const edit = readEdit(body);
      const { scope } = principalOf(request);
      const found =
        body.filter === undefined
          ? (body.ids ?? [])
          : await deps.mediaSearch.findIds(scope, body.filter, {
              version: readLibraryVersion(request),
              signal: abortWhenGone(reply),
              pointer: '/filter',
              limit: MAX_FOUND,
            });
      const target = { ids: [...new Set(found)], edit, dryRun: body.dry_run === true };
      const later = /(?:^|[,\s])respond-async\b/i.test([request.headers['prefer']].flat().join(','));
      if (later || target.ids.length > MAX_AT_ONCE) return queue(deps, { request, reply }, target);
      return doAtOnce(deps, { request, reply }, target);
    },
  );
}

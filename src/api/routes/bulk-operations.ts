import { openCursor, sealCursor } from '../../auth/index.ts';
import {
  type BulkOperation,
  endOperation,
  findBulkOperation,
  listBulkItems,
  listBulkOperations,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import { presentItem, presentOperation } from '../present/operations.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import {
  OperationAnswer,
  OperationList,
  OperationListQuery,
  OperationResults,
  OperationResultsQuery,
} from '../wire/bulk.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';

const tags = ['operations'];
const what = 'operation';
const PURPOSE = 'operations';
/** Failed assets that an operation shows itself; the others are in its results. */
const SHOWN_ERRORS = 1000;

export function registerBulkOperationRoutes(app: Api, deps: ApiDeps): void {
  registerReading(app, deps);
  registerResults(app, deps);
  registerCancelling(app, deps);
}

const present = async ({ db }: ApiDeps, operation: BulkOperation) =>
  presentOperation(
    operation,
    operation.failed === 0
      ? []
      : await listBulkItems(db, operation, { afterN: 0, limit: SHOWN_ERRORS, status: 'failed' }),
  );

function registerReading(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.get(
    '/v1/operation',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'List operations, newest first',
        description: 'An operation is kept for 30 days.',
        querystring: OperationListQuery,
        response: { 200: OperationList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { limit, cursor } = request.query;
      const beforeId = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(openCursor(signingKey, PURPOSE, cursor));
      const found = await listBulkOperations(db, scope, { beforeId, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        operations: page.map((operation) => presentOperation(operation, undefined)),
        next_cursor: last ? sealCursor(signingKey, PURPOSE, last.id) : null,
      };
    },
  );

  app.get(
    '/v1/operation/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read an operation and how far it is',
        params: IdParams,
        response: { 200: OperationAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findBulkOperation(db, principalOf(request).scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { operation: await present(deps, found) };
    },
  );
}

function registerResults(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.get(
    '/v1/operation/:id/result',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'List what became of each asset of an operation',
        params: IdParams,
        querystring: OperationResultsQuery,
        response: { 200: OperationResults, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const { limit, cursor, status } = request.query;
      const operation = checkFound(await findBulkOperation(db, scope, id), { what, id });
      const { signingKey } = await organizationOf(deps, scope);
      const purpose = `${PURPOSE}:${id}:${status ?? ''}`;
      const afterN = cursor === undefined ? 0 : Number(openCursor(signingKey, purpose, cursor));
      const found = await listBulkItems(db, operation, { afterN, limit: limit + 1, status });
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return { results: page.map(presentItem), next_cursor: last ? sealCursor(signingKey, purpose, last.n) : null };
    },
  );
}

function registerCancelling(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.delete(
    '/v1/operation/:id',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags,
        operationId: 'cancelOperation',
        summary: 'Cancel an operation',
        description: 'It stops behind the 200 assets that are being done; what was done stays.',
        params: IdParams,
        response: {
          200: OperationAnswer,
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
          ...preconditionProblem,
        },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { result } = await writeLibrary(db, scope, async (write) => {
        const found = checkFound(await findBulkOperation(write.tx, scope, id), { what, id, ifVersion });
        await endOperation(write, found, { state: 'cancelled' });
        return checkFound(await findBulkOperation(write.tx, scope, id), { what, id });
      });
      reply.header('ETag', etagOfVersion(result.version));
      return { operation: await present(deps, result) };
    },
  );
}

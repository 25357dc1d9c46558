import type { Database } from '../../db/index.ts';
import { listImportItems } from '../../ingest/index.ts';
import {
  type BulkOperation,
  endOperation,
  findBulkOperation,
  listBulkItems,
  listBulkOperations,
  writeLibrary,
} from '../../library/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import { presentImportItem, presentItem, presentOperation } from '../present/operations.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import {
  type BulkResultOut,
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

type Page = { readonly afterN: number; readonly limit: number; readonly status?: BulkResultOut['status'] | undefined };

/** What became of the parts of an operation, with the place of each. */
async function listResults(
  db: Database,
  operation: BulkOperation,
  page: Page,
): Promise<readonly { readonly n: number; readonly result: BulkResultOut }[]> {
  if (operation.kind === 'media.import') {
    const items = await listImportItems(db, operation, page);
    return items.map((item) => ({ n: item.n, result: presentImportItem(item) }));
  }
  const items = await listBulkItems(db, operation, page);
  return items.map((item) => ({ n: item.n, result: presentItem(item) }));
}

const present = async ({ db }: ApiDeps, operation: BulkOperation) => {
  const page = { afterN: 0, limit: SHOWN_ERRORS, status: 'failed' } as const;
  const failures = operation.failed === 0 ? [] : await listResults(db, operation, page);
  return presentOperation(
    operation,
    failures.map(({ result }) => result),
  );
};

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
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { ...request.query, purpose: PURPOSE },
        {
          load: (beforeId = Number.MAX_SAFE_INTEGER, limit) => listBulkOperations(db, scope, { beforeId, limit }),
          keyOf: idOf,
        },
      );
      return { operations: rows.map((operation) => presentOperation(operation, undefined)), next_cursor: nextCursor };
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
        summary: 'List what became of each asset or URL of an operation',
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
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { purpose, limit, cursor },
        {
          load: (afterN = 0, count) => listResults(db, operation, { afterN, limit: count, status }),
          keyOf: ({ n }) => n,
        },
      );
      return { results: rows.map(({ result }) => result), next_cursor: nextCursor };
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
        description:
          'An edit stops behind the 200 assets that are being done, an import within seconds. What was done stays.',
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

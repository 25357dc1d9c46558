import { AppError } from '../../base/index.ts';
import { nameOfUrl } from '../../ingest/index.ts';
import { findBulkOperation } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { etagOfVersion } from '../present/media.ts';
import { presentOperation } from '../present/operations.ts';
import type { Api } from '../server.ts';
import { OperationAnswer } from '../wire/bulk.ts';
import { commonProblems, conflictProblem } from '../wire/common.ts';
import { ImportBody } from '../wire/imports.ts';
import { readUploadFields } from './upload.ts';

/** The end of the path; a URL that is none is refused with the others, by its place. */
const endOf = (url: string): string => (URL.canParse(url) ? nameOfUrl(url) : 'unnamed');

export function registerMediaImportRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/v1/media/import',
    {
      config: { scopes: ['media.write'], idempotent: 'body' },
      schema: {
        tags: ['media'],
        summary: 'Import photos and videos from URLs',
        description:
          'The service fetches each URL and takes it in like an upload with these fields. Answers an operation that tells what became of ' +
          'each. Faults that may pass are tried again for some minutes, and what was fetched is not fetched again where the other ' +
          'server gives parts. Internal addresses are refused, also behind redirects.',
        body: ImportBody,
        response: { 202: OperationAnswer, ...commonProblems, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { scope, key } = principalOf(request);
      const items = request.body.items.map(({ url, ...metadata }) => ({
        url,
        named: metadata.name !== undefined,
        fields: readUploadFields(metadata, endOf(url)),
      }));
      const id = await deps.mediaImports.queue(scope, { items, createdBy: key.name });
      const operation = await findBulkOperation(deps.db, scope, id);
      if (!operation) throw new AppError('internal', 'the operation is not there after it was queued');
      reply.header('Location', `/v1/operation/${id}`).header('ETag', etagOfVersion(operation.version));
      return reply.code(202).send({ operation: presentOperation(operation, []) });
    },
  );
}

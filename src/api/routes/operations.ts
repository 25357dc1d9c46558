import { Type } from 'typebox';
import { checkDatabase } from '../../db/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Api } from '../server.ts';
import { commonProblems } from '../wire/common.ts';

const tags = ['operations'];
const Health = Type.Object({ status: Type.String() });

export function registerOperationsRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/healthz',
    { schema: { tags, summary: 'The process is alive', response: { 200: Health } }, config: { open: true } },
    async () => ({ status: 'ok' }),
  );

  app.get(
    '/readyz',
    { schema: { tags, summary: 'Database and storage answer', response: { 200: Health } }, config: { open: true } },
    async () => {
      const within = AbortSignal.timeout(5000);
      await Promise.all([checkDatabase(deps.db), deps.storage.check(within)]);
      return { status: 'ready' };
    },
  );

  app.get(
    '/metrics',
    {
      schema: { tags, summary: 'Figures for Prometheus', response: { 200: { type: 'string' } } },
      config: { open: true },
    },
    async (_request, reply) => reply.type(deps.metrics.contentType).send(await deps.metrics.text()),
  );

  app.get(
    '/v1/openapi.json',
    {
      schema: {
        tags,
        summary: 'This document (OpenAPI 3.1)',
        response: { 200: Type.Object({}, { additionalProperties: true }), 503: commonProblems[503] },
      },
      config: { open: true },
    },
    async (_request, reply) =>
      reply.type('application/json; charset=utf-8').serializer(String).send(JSON.stringify(app.swagger())),
  );
}

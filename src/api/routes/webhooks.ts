import { AppError, DAY_MS, invalidField } from '../../base/index.ts';
import { eventTypesOf, readVersion, writeLibrary } from '../../library/index.ts';
import { urlRefusal } from '../../outbound/index.ts';
import {
  countWebhooks,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from '../../webhooks/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import { presentWebhook } from '../present/webhooks.ts';
import { abortWhenGone } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import {
  WebhookAnswer,
  WebhookBody,
  WebhookList,
  WebhookPageQuery,
  WebhookPatch,
  WebhookTestAnswer,
  WebhookWithSecret,
} from '../wire/webhooks.ts';

const tags = ['webhooks'];
const PURPOSE = 'webhooks';
const what = 'webhook';
const MAX_WEBHOOKS = 100;
/** So long receivers may take to learn the new secret. */
const ROTATION_MS = DAY_MS;

/** @throws AppError `validation_failed` */
function checkTypes(types: readonly string[]): void {
  for (const [at, name] of types.entries()) {
    if (eventTypesOf(name).length > 0) continue;
    throw invalidField(
      `/types/${at}`,
      `expected a type of GET /v1/event such as media.ready or media.*, received ${name}`,
    );
  }
}

/** @throws AppError `validation_failed` */
function checkUrl(deps: ApiDeps, url: string): void {
  try {
    deps.webhooks.checkUrl(url);
  } catch (error) {
    throw urlRefusal(error, '/url');
  }
}

export function registerWebhookRoutes(app: Api, deps: ApiDeps): void {
  registerCreating(app, deps);
  registerReading(app, deps);
  registerChanging(app, deps);
  registerTrying(app, deps);
}

function registerCreating(app: Api, deps: ApiDeps): void {
  const { db, clock } = deps;
  app.post(
    '/v1/webhook',
    {
      config: { scopes: ['admin'], idempotent: 'body', shownOnce: ['secret'] },
      schema: {
        tags,
        summary: 'Create a webhook',
        description: 'It gets the events from now on. The secret is in this answer and nowhere else.',
        body: WebhookBody,
        response: { 201: WebhookWithSecret, ...commonProblems, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { name, url, types = ['*'], concurrency = 1 } = request.body;
      checkTypes(types);
      checkUrl(deps, url);
      const { secret, sealed } = deps.webhooks.newSecret(scope.organizationId);
      const { result } = await writeLibrary(db, scope, async ({ tx }) => {
        if ((await countWebhooks(tx, scope)) >= MAX_WEBHOOKS) {
          throw new AppError('conflict', `An organization has at most ${MAX_WEBHOOKS} webhooks.`);
        }
        // The organization is locked: no event is made between this version and the row.
        const position = await readVersion(tx, scope);
        return insertWebhook(tx, scope, { name, url, types, concurrency, sealed, position });
      });
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .send({ webhook: presentWebhook(result, clock), secret });
    },
  );

  app.post(
    '/v1/webhook/:id/rotate',
    {
      config: { scopes: ['admin'], idempotent: 'body', shownOnce: ['secret'] },
      schema: {
        tags,
        summary: 'Give a webhook a new secret',
        description: 'For 24 hours both secrets sign: the header webhook-signature has two signatures.',
        params: IdParams,
        response: { 200: WebhookWithSecret, ...commonProblems, ...notFoundProblem, ...preconditionProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      const { secret, sealed } = deps.webhooks.newSecret(scope.organizationId);
      const until = new Date(clock.now().getTime() + ROTATION_MS);
      const { result } = await writeLibrary(db, scope, async ({ tx }) => {
        checkFound(await findWebhook(tx, scope, id), { what, id, ifVersion });
        return rotateWebhookSecret(tx, scope, { id, sealed, until });
      });
      return reply
        .header('ETag', etagOfVersion(result.version))
        .send({ webhook: presentWebhook(result, clock), secret });
    },
  );
}

function registerReading(app: Api, deps: ApiDeps): void {
  const { db, clock } = deps;
  app.get(
    '/v1/webhook',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'List webhooks',
        querystring: WebhookPageQuery,
        response: { 200: WebhookList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { ...request.query, purpose: PURPOSE },
        { load: (afterId = 0, limit) => listWebhooks(db, scope, { afterId, limit }), keyOf: idOf },
      );
      return { webhooks: rows.map((row) => presentWebhook(row, clock)), next_cursor: nextCursor };
    },
  );

  app.get(
    '/v1/webhook/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Read a webhook',
        params: IdParams,
        response: { 200: WebhookAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findWebhook(db, principalOf(request).scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { webhook: presentWebhook(found, clock) };
    },
  );
}

function registerChanging(app: Api, deps: ApiDeps): void {
  const { db, clock } = deps;
  app.patch(
    '/v1/webhook/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Change, disable or enable a webhook',
        description: 'Other types hold for events that are not messages yet.',
        params: IdParams,
        body: WebhookPatch,
        response: { 200: WebhookAnswer, ...commonProblems, ...notFoundProblem, ...preconditionProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const { status, ...patch } = request.body;
      const ifVersion = readIfMatch(request);
      checkTypes(patch.types ?? []);
      if (patch.url !== undefined) checkUrl(deps, patch.url);
      const { result, version } = await writeLibrary(db, scope, async ({ tx, record }) => {
        const before = checkFound(await findWebhook(tx, scope, id), { what, id, ifVersion });
        const { name, url, types, concurrency } = { ...before, ...patch };
        let after = await updateWebhook(tx, scope, { id, fields: { name, url, types, concurrency } });
        if (status === 'active') after = (await enableWebhook(tx, scope, id)) ?? after;
        if (status === 'disabled') {
          const disabled = await disableWebhook(tx, scope, { id, reason: 'asked' });
          if (disabled) record({ type: 'webhook.disabled', objectId: id, data: { reason: 'asked' } });
          after = disabled ?? after;
        }
        if (after.status === 'active') {
          const { organizationId } = scope;
          await deps.jobs.enqueue(tx, 'webhook.run', { organizationId, webhookId: id });
        }
        return after;
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { webhook: presentWebhook(result, clock) };
    },
  );

  app.delete(
    '/v1/webhook/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Delete a webhook with its messages',
        params: IdParams,
        response: {
          204: { type: 'null', description: 'Deleted' },
          ...commonProblems,
          ...notFoundProblem,
          ...preconditionProblem,
        },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const ifVersion = readIfMatch(request);
      await writeLibrary(db, scope, async ({ tx }) => {
        checkFound(await findWebhook(tx, scope, id), { what, id, ifVersion });
        await deleteWebhook(tx, scope, id);
      });
      return reply.code(204).send(null);
    },
  );
}

function registerTrying(app: Api, deps: ApiDeps): void {
  app.post(
    '/v1/webhook/:id/test',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Send a ping to a webhook',
        description: 'Answers within 15 s what came back, whatever it was. A disabled webhook gets it too.',
        params: IdParams,
        response: { 200: WebhookTestAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { attempt, isDelivered } = await deps.webhooks.test(scope, request.params.id, abortWhenGone(reply));
      return { delivered: isDelivered, ...attempt };
    },
  );
}

import type { LibraryScope } from '../../auth/index.ts';
import { AppError, invalidField } from '../../base/index.ts';
import { findEvents, readOldestChange, readVersion, writeLibrary } from '../../library/index.ts';
import {
  findMessage,
  findWebhook,
  listMessages,
  payloadOf,
  replayEvents,
  replayMessage,
  webhookEventTypes,
} from '../../webhooks/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { checkEventsKept } from '../event-types.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound } from '../plugins/versions.ts';
import { organizationOf } from '../present/organization.ts';
import { presentWebhookMessage } from '../present/webhooks.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, expiredProblem, IdParams, notFoundProblem } from '../wire/common.ts';
import {
  MessageParams,
  WebhookMessageAnswer,
  WebhookMessageList,
  WebhookMessageQuery,
  WebhookMessageWithPayload,
  WebhookReplayAnswer,
  WebhookReplayBody,
} from '../wire/webhooks.ts';

const tags = ['webhooks'];
const PURPOSE = 'webhook-messages';
const what = 'webhook';
/** Messages that one request queues again. */
const MAX_REPLAYED = 10_000;

export function registerWebhookMessageRoutes(app: Api, deps: ApiDeps): void {
  registerLog(app, deps);
  registerReplaying(app, deps);
}

function registerLog(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.get(
    '/v1/webhook/:id/message',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        operationId: 'listWebhookMessages',
        summary: 'List the messages of a webhook with their tries, newest first',
        params: IdParams,
        querystring: WebhookMessageQuery,
        response: { 200: WebhookMessageList, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id: webhookId } = request.params;
      const { limit, cursor, state } = request.query;
      checkFound(await findWebhook(db, scope, webhookId), { what, id: webhookId });
      const { signingKey } = await organizationOf(deps, scope);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { purpose: JSON.stringify([PURPOSE, webhookId, state]), limit, cursor },
        {
          load: (beforeId = Number.MAX_SAFE_INTEGER, count) =>
            listMessages(db, scope, { webhookId, beforeId, limit: count, state }),
          keyOf: idOf,
        },
      );
      return { messages: rows.map((row) => presentWebhookMessage(scope, row)), next_cursor: nextCursor };
    },
  );

  app.get(
    '/v1/webhook/:id/message/:message',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        operationId: 'getWebhookMessage',
        summary: 'Read a message of a webhook, and what it says',
        params: MessageParams,
        response: { 200: WebhookMessageWithPayload, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id: webhookId, message: id } = request.params;
      const found = await findMessage(db, scope, { webhookId, id });
      if (!found) throw noMessage(webhookId, id);
      const event = (await findEvents(db, scope, [found.eventVersion])).get(found.eventVersion);
      return { message: presentWebhookMessage(scope, found), payload: event ? payloadOf(event) : null };
    },
  );
}

const noMessage = (webhookId: number, id: number) =>
  new AppError('not_found', `There is no message ${id} of a webhook ${webhookId}.`);

/** @throws AppError `not_found`, `conflict` */
async function getActive(deps: ApiDeps, scope: LibraryScope, id: number) {
  const webhook = checkFound(await findWebhook(deps.db, scope, id), { what, id });
  if (webhook.status !== 'active') throw new AppError('conflict', `Webhook ${id} is disabled: enable it first.`);
  return webhook;
}

function registerReplaying(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.post(
    '/v1/webhook/:id/message/:message/replay',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        operationId: 'replayWebhookMessage',
        summary: 'Send a message again, with up to 10 tries',
        params: MessageParams,
        response: { 200: WebhookMessageAnswer, ...commonProblems, ...notFoundProblem, ...conflictProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id: webhookId, message: id } = request.params;
      if (!(await findMessage(db, scope, { webhookId, id }))) throw noMessage(webhookId, id);
      await getActive(deps, scope, webhookId);
      const { result } = await writeLibrary(db, scope, async ({ tx }) => {
        const replayed = await replayMessage(tx, scope, { webhookId, id });
        if (!replayed) throw noMessage(webhookId, id);
        await deps.jobs.enqueue(tx, 'webhook.run', { organizationId: scope.organizationId, webhookId, isAsked: true });
        return replayed;
      });
      return { message: presentWebhookMessage(scope, result) };
    },
  );

  app.post(
    '/v1/webhook/:id/replay',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Send a webhook all events of a range again',
        description:
          'Those of its types, also those from before it was created, as far as events are kept. Up to 10,000 a request. `after` 0 begins ' +
          'with the oldest event that is kept.',
        params: IdParams,
        body: WebhookReplayBody,
        response: {
          202: WebhookReplayAnswer,
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
          ...expiredProblem,
        },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const { after, before } = request.body;
      if (before !== undefined && before <= after) {
        throw invalidField('/before', `expected an event behind ${after}, received ${before}`);
      }
      const webhook = await getActive(deps, scope, id);
      const newest = await readVersion(db, scope);
      checkEventsKept({ after, newest, oldest: await readOldestChange(db, scope) });
      const to = Math.min(webhook.position, (before ?? Number.MAX_SAFE_INTEGER) - 1);
      const { result } = await writeLibrary(db, scope, async ({ tx }) => {
        const types = webhookEventTypes(webhook);
        const range = { webhookId: id, after, to: Math.max(to, after), types, limit: MAX_REPLAYED };
        const replayed = await replayEvents(tx, scope, range);
        await deps.jobs.enqueue(tx, 'webhook.run', {
          organizationId: scope.organizationId,
          webhookId: id,
          isAsked: true,
        });
        return replayed;
      });
      const { queued, readTo } = result;
      return reply.code(202).send({ queued, after: readTo, has_more: readTo < to });
    },
  );
}

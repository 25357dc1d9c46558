import { type LibraryScope, openCursor, sealCursor } from '../../auth/index.ts';
import { AppError, DAY_MS, invalidField } from '../../base/index.ts';
import { findVersionBefore, mergeDetails } from '../../library/index.ts';
import { type DryRunRequest, findRule, listRules, listRuns, type RulePatch, type RuleStep } from '../../rules/index.ts';
import { ActionFilterSchema, FilterSchema } from '../../search/index.ts';
import { idOf, readCursorPage } from '../cursor-page.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { createPartValidator } from '../plugins/validation.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import { presentDryRun, presentRule, presentRun } from '../present/rules.ts';
import { abortWhenGone } from '../search-answer.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import { PageQuery } from '../wire/destinations.ts';
import {
  DraftDryRunBody,
  DryRunAnswer,
  DryRunBody,
  RuleAnswer,
  RuleBody,
  RuleList,
  RulePatch as RulePatchBody,
  RuleRunList,
  RuleRunQuery,
  STEP_SCHEMAS,
} from '../wire/rules.ts';
import type { Static } from 'typebox';

const tags = ['rules'];
const what = 'rule';
const ORDER =
  'Rules run in the order of their IDs, on events in their order. An asset is judged as it is when the turn of the event ' +
  'comes. What a rule changes is an event again, which says so in caused_by: the rule itself does not run on it.';

const validateFilter = createPartValidator<Record<string, unknown>>(FilterSchema, [ActionFilterSchema]);
const validators = Object.fromEntries(
  Object.entries(STEP_SCHEMAS).map(([name, schema]) => [name, createPartValidator<RuleStep>(schema)]),
);

/** Each step by the schema of what it does. @throws AppError `validation_failed` */
function readSteps(given: Static<typeof RuleBody>['then']): readonly RuleStep[] {
  return given.map((step, index) => {
    const validate = validators[step.do];
    if (!validate) throw invalidField(`/then/${index}/do`, `expected one of ${Object.keys(validators).join(', ')}`);
    return validate(step, `/then/${index}`);
  });
}

export function registerRuleRoutes(app: Api, deps: ApiDeps): void {
  registerWriting(app, deps);
  registerReading(app, deps);
  registerTrying(app, deps);
}

function registerWriting(app: Api, deps: ApiDeps): void {
  const { rules } = deps;
  app.post(
    '/v1/rule',
    {
      config: { scopes: ['admin'], idempotent: 'body' },
      schema: {
        tags,
        summary: 'Create a rule',
        description: `It runs on events from now on. ${ORDER}`,
        body: RuleBody,
        response: { 201: RuleAnswer, ...commonProblems },
      },
    },
    async (request, reply) => {
      const { scope, key } = principalOf(request);
      const { name, enabled = true, on: onTypes, filter = {}, then } = request.body;
      const fields = { name, enabled, onTypes, filter, steps: readSteps(then) };
      const { result, version } = await rules.create(scope, { fields, createdBy: key.name });
      setLibraryVersion(reply, version);
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .send({ rule: presentRule(result) });
    },
  );

  app.patch(
    '/v1/rule/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Change a rule',
        description:
          'One that was paused or broken runs again when it is enabled, or when what it does is changed. Events in between are ' +
          'not made up for.',
        params: IdParams,
        body: RulePatchBody,
        response: {
          200: RuleAnswer,
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
          ...preconditionProblem,
        },
      },
    },
    async (request, reply) => {
      const { name, enabled, on, filter, then } = request.body;
      const steps = then && readSteps(then);
      const { result, version } = await rules.change(principalOf(request).scope, {
        id: request.params.id,
        ifVersion: readIfMatch(request),
        patch: (before): RulePatch => ({
          ...(name !== undefined && { name }),
          ...(enabled !== undefined && { enabled }),
          ...(on && { onTypes: on }),
          ...(steps && { steps }),
          ...(filter && { filter: validateFilter(mergeDetails(before.filter, filter), '/filter') }),
        }),
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { rule: presentRule(result) };
    },
  );

  app.delete(
    '/v1/rule/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Delete a rule with its runs',
        description: 'What it did stays.',
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
      const { version } = await rules.remove(scope, { id: request.params.id, ifVersion: readIfMatch(request) });
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}

function registerReading(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  app.get(
    '/v1/rule',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'List rules, in the order in which they run',
        querystring: PageQuery,
        response: { 200: RuleList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { ...request.query, purpose: 'rules' },
        { load: (afterId = 0, limit) => listRules(db, scope, { afterId, limit }), keyOf: idOf },
      );
      return { rules: rows.map(presentRule), next_cursor: nextCursor };
    },
  );

  app.get(
    '/v1/rule/:id',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        summary: 'Read a rule',
        params: IdParams,
        response: { 200: RuleAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findRule(db, principalOf(request).scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { rule: presentRule(found) };
    },
  );

  app.get(
    '/v1/rule/:id/run',
    {
      config: { scopes: ['delivery.run'] },
      schema: {
        tags,
        operationId: 'listRuleRuns',
        summary: 'List what a rule did, newest first',
        description: 'Kept for 30 days.',
        params: IdParams,
        querystring: RuleRunQuery,
        response: { 200: RuleRunList, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { id } = request.params;
      const { limit, cursor, media: mediaId, state } = request.query;
      checkFound(await findRule(db, scope, id), { what, id });
      const { signingKey } = await organizationOf(deps, scope);
      const purpose = JSON.stringify(['rule-runs', id, mediaId, state]);
      const { rows, nextCursor } = await readCursorPage(
        signingKey,
        { purpose, limit, cursor },
        {
          load: (beforeId = Number.MAX_SAFE_INTEGER, count) =>
            listRuns(db, scope, { ruleId: id, mediaId, state, beforeId, limit: count }),
          keyOf: idOf,
        },
      );
      return { runs: rows.map(presentRun), next_cursor: nextCursor };
    },
  );
}

function registerTrying(app: Api, deps: ApiDeps): void {
  app.post(
    '/v1/rule/:id/dry_run',
    {
      config: { scopes: ['delivery.run'] },
      // The body may be left out.
      preValidation: async (request) => {
        request.body ??= {};
      },
      schema: {
        tags,
        operationId: 'dryRunRule',
        summary: 'See what a rule would do about past events, or assets',
        description:
          'Nothing is written. Each asset is judged as it is now. One of after, days and media_ids; whether the rule is ' +
          'enabled does not matter.',
        params: IdParams,
        body: DryRunBody,
        response: { 200: DryRunAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const asked = { rule: id, body: request.body, purpose: `rule-dry-run:${id}` };
      return dryRun(deps, principalOf(request).scope, { ...asked, signal: abortWhenGone(reply) });
    },
  );

  app.post(
    '/v1/rule/dry_run',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        operationId: 'dryRunNewRule',
        summary: 'See what a rule would do that is not made yet',
        description: 'Nothing is written. What the rule names is checked as when it is made.',
        body: DraftDryRunBody,
        response: { 200: DryRunAnswer, ...commonProblems },
      },
    },
    async (request, reply) => {
      const { on, filter = {}, then, ...body } = request.body;
      const rule = { name: 'draft', onTypes: on, filter, steps: readSteps(then) };
      const purpose = `rule-dry-run:${JSON.stringify([on, filter, then])}`;
      const signal = abortWhenGone(reply);
      return dryRun(deps, principalOf(request).scope, { rule, body, purpose, signal });
    },
  );
}

async function dryRun(
  deps: ApiDeps,
  scope: LibraryScope,
  asked: {
    readonly rule: DryRunRequest['rule'];
    readonly body: DryRunBody;
    /** Of its cursors. */
    readonly purpose: string;
    readonly signal: AbortSignal;
  },
): Promise<Static<typeof DryRunAnswer>> {
  const { rule, purpose, signal } = asked;
  const { after, days, media_ids: mediaIds, limit = 50, cursor } = asked.body;
  if ([after, days, mediaIds].filter((given) => given !== undefined).length > 1) {
    throw invalidField('', 'expected one of after, days and media_ids, received several');
  }
  if (mediaIds && cursor !== undefined) {
    throw invalidField('/cursor', 'expected no cursor with media_ids, received one');
  }
  const { signingKey } = await organizationOf(deps, scope);
  const from =
    cursor === undefined
      ? (after ?? (await findVersionBefore(deps.db, scope, new Date(Date.now() - (days ?? 1) * DAY_MS))))
      : Number(openCursor(signingKey, purpose, cursor));
  if (!Number.isSafeInteger(from)) throw new AppError('cursor_invalid', 'The cursor is of another request.');
  const page = await deps.rules.dryRun(scope, {
    rule,
    limit,
    signal,
    ...(mediaIds ? { mediaIds: [...new Set(mediaIds)] } : { after: from }),
  });
  const next = page.nextAfter;
  return {
    runs: page.runs.map(presentDryRun),
    looked: page.looked,
    next_cursor: next === null ? null : sealCursor(signingKey, purpose, next),
  };
}

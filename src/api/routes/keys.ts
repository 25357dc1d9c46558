import {
  type ApiKeyRecord,
  countKeys,
  generateKeyText,
  hashKeyText,
  insertKey,
  listKeys,
  openCursor,
  revokeKey,
  sealCursor,
} from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import { readVersion, writeLibrary } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem } from '../wire/common.ts';
import { KeyAnswer, KeyCreate, KeyCreated, KeyList, KeyListQuery, MeAnswer } from '../wire/keys.ts';

const present = (key: ApiKeyRecord) => ({
  id: key.id,
  prefix: `tl_${key.publicId}`,
  name: key.name,
  scopes: [...key.scopes],
  cidrs: [...key.cidrs],
  requests_per_second: key.requestsPerSecond,
  burst: key.burst,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  created_at: key.createdAt.toISOString(),
});

const tags = ['keys'];
const PURPOSE = 'keys';

export function registerKeyRoutes(app: Api, deps: ApiDeps): void {
  const { db } = deps;

  app.get(
    '/v1/me',
    {
      config: { scopes: [] },
      schema: {
        tags,
        summary: 'Which organization, key, scopes and limits',
        response: { 200: MeAnswer, ...commonProblems },
      },
    },
    async (request) => {
      const { key, scope } = principalOf(request);
      const { id, slug, name } = await organizationOf(deps, scope);
      return {
        organization: { id, slug, name, library_version: await readVersion(db, scope) },
        api_key: present(key),
        scopes: [...key.scopes],
        limits: { requests_per_second: key.requestsPerSecond, burst: key.burst },
      };
    },
  );

  app.get(
    '/v1/key',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'List API keys',
        querystring: KeyListQuery,
        response: { 200: KeyList, ...commonProblems },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { signingKey } = await organizationOf(deps, scope);
      const { limit, cursor } = request.query;
      const offset = cursor === undefined ? 0 : Number(openCursor(signingKey, PURPOSE, cursor));
      const [keys, total] = await Promise.all([listKeys(db, scope, { limit, offset }), countKeys(db, scope)]);
      const next = offset + keys.length;
      return {
        api_keys: keys.map(present),
        total,
        next_cursor: keys.length > 0 && next < total ? sealCursor(signingKey, PURPOSE, next) : null,
      };
    },
  );

  app.post(
    '/v1/key',
    {
      // A key is never stored, so a replay tells which key was made but cannot show it again.
      config: { scopes: ['admin'], idempotent: 'body', shownOnce: ['key'] },
      schema: {
        tags,
        summary: 'Create an API key',
        description:
          'The key is in this answer and nowhere else: null when the answer is replayed (Idempotency-Key). ' +
          'It can have only scopes that the creating key has.',
        body: KeyCreate,
        response: { 201: KeyCreated, ...commonProblems, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { key: creator, scope } = principalOf(request);
      const { name, scopes, cidrs, expires_at: expires, requests_per_second: requestsPerSecond, burst } = request.body;
      const beyond = scopes.filter((wanted) => !creator.scopes.includes(wanted));
      if (beyond.length > 0) {
        throw new AppError('scope_missing', `A key can hand on only its own scopes; it lacks ${beyond.join(', ')}.`, {
          details: { required: scopes, missing: beyond },
        });
      }
      const { text, publicId } = generateKeyText();
      const { result } = await writeLibrary(db, scope, async (write) => {
        const created = await insertKey(write.tx, scope, {
          publicId,
          secretSha256: hashKeyText(text),
          name,
          scopes,
          cidrs: cidrs ?? [],
          requestsPerSecond,
          burst,
          expiresAt: expires ? new Date(expires) : null,
        });
        write.record({ type: 'api_key.created', objectId: created.id });
        return created;
      });
      return reply.code(201).send({ api_key: present(result), key: text });
    },
  );

  app.delete(
    '/v1/key/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Revoke an API key for good',
        params: IdParams,
        response: { 200: KeyAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { scope } = principalOf(request);
      const { result } = await writeLibrary(db, scope, async (write) => {
        const revoked = await revokeKey(write.tx, scope, request.params.id);
        if (!revoked) throw new AppError('not_found', `There is no API key ${request.params.id}.`);
        write.record({ type: 'api_key.revoked', objectId: revoked.id });
        return revoked;
      });
      deps.authenticator.forget(result.publicId);
      return { api_key: present(result) };
    },
  );
}

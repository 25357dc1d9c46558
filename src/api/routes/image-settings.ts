import { generateImageKey } from '../../auth/index.ts';
import {
  createImageKey,
  editImageMode,
  endImageKey,
  findImageSettings,
  type ImageKey,
  type ImageSettings,
  listImageKeys,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import {
  ImageKeyAnswer,
  ImageKeyBody,
  ImageKeyCreated,
  ImageKeyList,
  ImageSettingsAnswer,
  ImageSettingsPatch,
} from '../wire/image-settings.ts';

const tags = ['images'];

const presentSettings = ({ mode, version }: ImageSettings) => ({ image_settings: { mode, version } });

const presentKey = (key: ImageKey) => ({
  id: key.id,
  kid: key.kid,
  name: key.name,
  created_at: key.createdAt.toISOString(),
  revoked_at: key.revokedAt?.toISOString() ?? null,
});

export function registerImageSettingsRoutes(app: Api, deps: ApiDeps): void {
  registerSettings(app, deps);
  registerImageKeys(app, deps);
}

function registerSettings(app: Api, { db }: ApiDeps): void {
  app.get(
    '/v1/image-settings',
    {
      config: { scopes: ['media.read'] },
      schema: { tags, summary: 'Read the image settings', response: { 200: ImageSettingsAnswer, ...commonProblems } },
    },
    async (request, reply) => {
      const settings = await findImageSettings(db, principalOf(request).scope);
      reply.header('ETag', etagOfVersion(settings.version));
      return presentSettings(settings);
    },
  );

  app.patch(
    '/v1/image-settings',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Change the image settings (JSON Merge Patch)',
        description: 'In force at once on this node, within 2 seconds on others.',
        body: ImageSettingsPatch,
        response: { 200: ImageSettingsAnswer, ...commonProblems, ...preconditionProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const ifVersion = readIfMatch(request);
      const { mode } = request.body;
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const found = await findImageSettings(write.tx, scope);
        const before = checkFound(found, {
          what: 'image settings of organization',
          id: scope.organizationId,
          ifVersion,
        });
        await editImageMode(write, before, mode ?? before.mode);
        return findImageSettings(write.tx, scope);
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return presentSettings(result);
    },
  );
}

function registerImageKeys(app: Api, { db }: ApiDeps): void {
  app.get(
    '/v1/image-key',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        operationId: 'listImageKeys',
        summary: 'List the keys that image URLs are signed with',
        response: { 200: ImageKeyList, ...commonProblems },
      },
    },
    async (request) => {
      const keys = await listImageKeys(db, principalOf(request).scope);
      return { image_keys: keys.map(presentKey), next_cursor: null };
    },
  );

  app.post(
    '/v1/image-key',
    {
      config: { scopes: ['admin'], idempotent: 'body', shownOnce: ['secret'] },
      schema: {
        tags,
        summary: 'Create a key to sign image URLs with',
        description:
          'At most two are live, so that a new one can be put into use before the old one is revoked. The secret is in this ' +
          'answer and nowhere else: null when the answer is replayed (Idempotency-Key).',
        body: ImageKeyBody,
        response: { 201: ImageKeyCreated, ...commonProblems, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { kid, secret } = generateImageKey();
      const { result, version } = await writeLibrary(db, scope, (write) =>
        createImageKey(write, { kid, secret: Buffer.from(secret), name: request.body.name }),
      );
      setLibraryVersion(reply, version);
      return reply.code(201).send({ image_key: presentKey(result), secret });
    },
  );

  app.delete(
    '/v1/image-key/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Revoke an image key for good',
        description: 'Its signatures open nothing from then on: at once on this node, within 2 seconds on others.',
        params: IdParams,
        response: { 200: ImageKeyAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { result, version } = await writeLibrary(db, scope, (write) => endImageKey(write, request.params.id));
      setLibraryVersion(reply, version);
      return { image_key: presentKey(result) };
    },
  );
}

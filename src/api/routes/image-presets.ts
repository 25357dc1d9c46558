import { AppError } from '../../base/index.ts';
import { parseRecipe } from '../../images/index.ts';
import {
  createImagePreset,
  editImagePreset,
  findImagePreset,
  type ImagePreset,
  listImagePresets,
  removeImagePreset,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { parameterName } from '../image-admission.ts';
import { principalOf } from '../plugins/principal.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import { ImagePresetAnswer, ImagePresetBody, ImagePresetList, ImagePresetPatch } from '../wire/image-settings.ts';

const tags = ['images'];
const what = 'image preset';

const present = (preset: ImagePreset) => ({
  id: preset.id,
  name: preset.name,
  parameters: { ...preset.parameters },
  created_at: preset.createdAt.toISOString(),
  updated_at: preset.updatedAt.toISOString(),
  version: preset.version,
});

type Given = Readonly<Record<string, string | number | null>>;

/**
 * Image parameters as a preset keeps them: by the names that have no alias, as text.
 * @throws AppError `validation_failed` for what the image grammar refuses, by pointer
 */
function readParameters(given: Given): Readonly<Record<string, string>> {
  const texts = Object.entries(given).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)] as const],
  );
  try {
    parseRecipe(Object.fromEntries(texts));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = error.errors.map((one) => ({ ...one, pointer: `/parameters/${one.pointer}` }));
    throw new AppError('validation_failed', errors.map((one) => `${one.pointer}: ${one.detail}`).join('; '), {
      errors,
    });
  }
  return Object.fromEntries(texts.map(([name, value]) => [parameterName(name), value]));
}

/** The parameters after a merge patch, in which an alias stands for its parameter. */
function patched(before: ImagePreset['parameters'], patch: Given): Given {
  const removed = new Set(Object.keys(patch).map(parameterName));
  return { ...Object.fromEntries(Object.entries(before).filter(([name]) => !removed.has(name))), ...patch };
}

export function registerImagePresetRoutes(app: Api, deps: ApiDeps): void {
  registerReading(app, deps);
  registerWriting(app, deps);
}

function registerReading(app: Api, { db }: ApiDeps): void {
  app.get(
    '/v1/image-preset',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        operationId: 'listImagePresets',
        summary: 'List image presets, by name',
        response: { 200: ImagePresetList, ...commonProblems },
      },
    },
    async (request) => {
      const presets = await listImagePresets(db, principalOf(request).scope);
      return { image_presets: presets.map(present), next_cursor: null };
    },
  );

  app.get(
    '/v1/image-preset/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read an image preset',
        params: IdParams,
        response: { 200: ImagePresetAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findImagePreset(db, principalOf(request).scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { image_preset: present(found) };
    },
  );
}

function registerWriting(app: Api, { db }: ApiDeps): void {
  app.post(
    '/v1/image-preset',
    {
      config: { scopes: ['admin'], idempotent: 'body' },
      schema: {
        tags,
        summary: 'Define an image preset: image parameters under a name, used as p=<name>',
        body: ImagePresetBody,
        response: { 201: ImagePresetAnswer, ...commonProblems, ...conflictProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { name } = request.body;
      const parameters = readParameters(request.body.parameters);
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const id = await createImagePreset(write, { name, parameters });
        return checkFound(await findImagePreset(write.tx, scope, id), { what, id });
      });
      setLibraryVersion(reply, version);
      return reply
        .code(201)
        .header('ETag', etagOfVersion(result.version))
        .header('Location', `/v1/image-preset/${result.id}`)
        .send({ image_preset: present(result) });
    },
  );

  app.patch(
    '/v1/image-preset/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Change an image preset (JSON Merge Patch)',
        description: 'Images of its URLs change at once; caches ask for them again after 5 minutes.',
        params: IdParams,
        body: ImagePresetPatch,
        response: {
          200: ImagePresetAnswer,
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
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const before = checkFound(await findImagePreset(write.tx, scope, id), { what, id, ifVersion });
        const { name = before.name, parameters: patch = {} } = request.body;
        await editImagePreset(write, { id, name, parameters: readParameters(patched(before.parameters, patch)) });
        return checkFound(await findImagePreset(write.tx, scope, id), { what, id });
      });
      setLibraryVersion(reply, version);
      reply.header('ETag', etagOfVersion(result.version));
      return { image_preset: present(result) };
    },
  );

  app.delete(
    '/v1/image-preset/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Delete an image preset',
        description: 'Its URLs answer 400 from then on.',
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
      const { version } = await writeLibrary(db, scope, async (write) =>
        removeImagePreset(write, checkFound(await findImagePreset(write.tx, scope, id), { what, id, ifVersion })),
      );
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}

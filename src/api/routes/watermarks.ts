import { createHash, randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidField, KIB, messageOf } from '../../base/index.ts';
import { MAX_WATERMARK_BYTES, readWatermarkFile } from '../../images/index.ts';
import {
  findWatermark,
  listWatermarks,
  putWatermark,
  removeWatermark,
  type Watermark,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { claimIdempotency } from '../plugins/idempotency.ts';
import { principalOf } from '../plugins/principal.ts';
import { createPartValidator } from '../plugins/validation.ts';
import { checkFound, readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion } from '../present/media.ts';
import type { Api } from '../server.ts';
import {
  commonProblems,
  conflictProblem,
  fileProblems,
  IdParams,
  notFoundProblem,
  preconditionProblem,
} from '../wire/common.ts';
import { WatermarkAnswer, WatermarkList, WatermarkMetadata, WatermarkParts } from '../wire/image-settings.ts';
import { discardRest } from './upload.ts';

const tags = ['images'];
const what = 'watermark';
const validateMetadata = createPartValidator<WatermarkMetadata>(WatermarkMetadata);

const present = (watermark: Watermark) => ({
  id: watermark.id,
  name: watermark.name,
  position: watermark.position,
  opacity: watermark.opacity,
  scale: watermark.scale,
  margin: watermark.margin,
  width: watermark.width,
  height: watermark.height,
  bytes: watermark.bytes,
  mime_type: watermark.mimeType,
  sha256: watermark.sha256,
  created_at: watermark.createdAt.toISOString(),
  updated_at: watermark.updatedAt.toISOString(),
  version: watermark.version,
});

function readMetadata(part: unknown): WatermarkMetadata {
  let value: unknown;
  try {
    // The reader of parts makes an object of one whose content type is JSON.
    value = typeof part === 'string' ? JSON.parse(part) : part;
  } catch (cause) {
    throw new AppError('malformed_json', `Part metadata is not JSON: ${messageOf(cause)}`, { cause });
  }
  return validateMetadata(value, '/metadata');
}

async function readParts(
  request: FastifyRequest,
): Promise<{ readonly metadata: WatermarkMetadata; readonly bytes: Buffer }> {
  if (!request.isMultipart()) {
    const expected = 'expected multipart/form-data with the parts metadata (JSON) and file (PNG or WebP)';
    throw new AppError('unsupported_media_type', expected);
  }
  let metadata: WatermarkMetadata | undefined;
  let bytes: Buffer | undefined;
  try {
    const limits = { fileSize: MAX_WATERMARK_BYTES, files: 2, fields: 2, parts: 4, fieldSize: 64 * KIB };
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file' && part.fieldname === 'file') bytes = await part.toBuffer();
      else if (part.fieldname !== 'metadata') {
        throw invalidField(`/${part.fieldname}`, 'expected the parts metadata and file, received another one');
      } else metadata = readMetadata(part.type === 'file' ? (await buffer(part.file)).toString('utf8') : part.value);
    }
  } catch (error) {
    discardRest(request.raw);
    throw error;
  }
  if (!metadata) throw invalidField('/metadata', 'expected a part named metadata, received none');
  if (!bytes) throw invalidField('/file', 'expected a part named file, received none');
  return { metadata, bytes };
}

/** Stores bytes as a new object and answers its key. */
async function storePicture(
  deps: ApiDeps,
  picture: { readonly organizationId: number; readonly bytes: Buffer; readonly mimeType: string },
): Promise<string> {
  const path = join(deps.settings.temporaryFolder, `watermark-${randomUUID()}`);
  const storageKey = `watermarks/${picture.organizationId}/${randomUUID()}`;
  try {
    await writeFile(path, picture.bytes, { flag: 'wx', mode: 0o600 });
    await deps.storage.putFile(storageKey, path, { contentType: picture.mimeType, move: true });
  } finally {
    await rm(path, { force: true });
  }
  return storageKey;
}

async function put(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply) {
  const { scope } = principalOf(request);
  const { metadata, bytes } = await readParts(request);
  const file = await readWatermarkFile(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const fingerprint = `${sha256} ${JSON.stringify(metadata)}`;
  if (await claimIdempotency(deps.db, { request, reply, fingerprint })) return reply;
  const { name, position = 'se', opacity = 1, scale = 0.2, margin = 0.03 } = metadata;
  const storageKey = await storePicture(deps, { ...scope, bytes, mimeType: file.mimeType });
  const values = { ...file, name, position, opacity, scale, margin, sha256, bytes: bytes.length, storageKey };
  try {
    const { result, version } = await writeLibrary(deps.db, scope, async (write) => {
      const { id, replaced } = await putWatermark(write, values);
      return { replaced, found: checkFound(await findWatermark(write.tx, scope, id), { what, id }) };
    });
    if (result.replaced) await deps.storage.remove([result.replaced.storageKey]);
    setLibraryVersion(reply, version);
    return await reply
      .code(result.replaced ? 200 : 201)
      .header('ETag', etagOfVersion(result.found.version))
      .header('Location', `/v1/watermark/${result.found.id}`)
      .send({ watermark: present(result.found) });
  } catch (error) {
    const kept = (await listWatermarks(deps.db, scope)).some((one) => one.storageKey === storageKey);
    if (!kept) await deps.storage.remove([storageKey]);
    throw error;
  }
}

export function registerWatermarkRoutes(app: Api, deps: ApiDeps): void {
  const { db, storage } = deps;
  registerReading(app, deps);

  app.post(
    '/v1/watermark',
    {
      config: { scopes: ['admin'], idempotent: 'manual', parts: WatermarkParts },
      schema: {
        tags,
        summary: 'Keep a watermark, used as wm=<name>',
        description:
          'multipart/form-data: part metadata (JSON: name, position, opacity, scale, margin), then part file (PNG or WebP with ' +
          'transparency, at most 2 MiB). A watermark of that name is replaced (200).',
        consumes: ['multipart/form-data'],
        response: {
          200: WatermarkAnswer,
          201: WatermarkAnswer,
          ...commonProblems,
          ...conflictProblem,
          ...fileProblems,
        },
      },
    },
    (request, reply) => put(deps, request, reply),
  );

  app.delete(
    '/v1/watermark/:id',
    {
      config: { scopes: ['admin'] },
      schema: {
        tags,
        summary: 'Delete a watermark',
        description: 'Image URLs with it answer 400 from then on.',
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
      const { result, version } = await writeLibrary(db, scope, async (write) => {
        const found = checkFound(await findWatermark(write.tx, scope, id), { what, id, ifVersion });
        await removeWatermark(write, found);
        return found;
      });
      await storage.remove([result.storageKey]);
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );
}

function registerReading(app: Api, { db }: ApiDeps): void {
  app.get(
    '/v1/watermark',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        operationId: 'listWatermarks',
        summary: 'List watermarks, by name',
        response: { 200: WatermarkList, ...commonProblems },
      },
    },
    async (request) => {
      const watermarks = await listWatermarks(db, principalOf(request).scope);
      return { watermarks: watermarks.map(present), next_cursor: null };
    },
  );

  app.get(
    '/v1/watermark/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read a watermark',
        params: IdParams,
        response: { 200: WatermarkAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const found = checkFound(await findWatermark(db, principalOf(request).scope, id), { what, id });
      reply.header('ETag', etagOfVersion(found.version));
      return { watermark: present(found) };
    },
  );
}

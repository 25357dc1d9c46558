import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { AppError, invalidField } from '../../base/index.ts';
import { CHECKSUM_ALGORITHMS, type Upload, type UploadProgress } from '../../ingest/index.ts';
import type { ApiDeps } from '../deps.ts';
import { claimIdempotency } from '../plugins/idempotency.ts';
import { principalOf } from '../plugins/principal.ts';
import { setLibraryVersion } from '../plugins/versions.ts';
import type { Api } from '../server.ts';
import {
  checkTusVersion,
  PART_TYPE,
  readChecksum,
  readLength,
  readMetadataHeader,
  readOffset,
  TUS_EXTENSIONS,
  TUS_VERSION,
} from '../tus.ts';
import {
  commonProblems,
  conflictProblem,
  fileProblems,
  IdParams,
  notFoundProblem,
  uploadProblems,
} from '../wire/common.ts';
import { tusAnswers, tusHeaders, type UploadOut, UploadStateAnswer } from '../wire/uploads.ts';
import { discardRest, readUploadFields } from './upload.ts';

const tags = ['media'];
type Request = FastifyRequest<{ Params: { id: number } }>;

function presentUpload(upload: Upload): UploadOut {
  return {
    id: upload.id,
    state: upload.state === 'open' ? 'uploading' : upload.state,
    name: upload.fields.name,
    offset: upload.received,
    length: upload.bytes,
    created_at: upload.createdAt.toISOString(),
    expires_at: upload.expiresAt.toISOString(),
    media_id: upload.mediaId,
    duplicate: upload.duplicate,
    failure: upload.failure,
  };
}

/** Where an upload stands, as headers. */
function setUploadHeaders(reply: FastifyReply, { upload, libraryVersion }: UploadProgress): void {
  reply.header('Upload-Offset', upload.received).header('Upload-Expires', upload.expiresAt.toUTCString());
  if (upload.mediaId !== null) {
    reply.header('Touchline-Media-Id', upload.mediaId).header('Touchline-Duplicate', upload.duplicate === true);
  }
  if (libraryVersion !== undefined) setLibraryVersion(reply, libraryVersion);
}

/** The bytes of a request, as the parser of their content type leaves them. @throws AppError `unsupported_media_type` */
function bodyOf(request: FastifyRequest): Readable {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== PART_TYPE) {
    const received = type === '' ? 'none' : type;
    throw new AppError('unsupported_media_type', `expected the content type ${PART_TYPE}, received ${received}`);
  }
  return request.raw;
}

async function create(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply) {
  const { scope, key } = principalOf(request);
  const bytes = readLength(request);
  const { header, fileName, metadata } = readMetadataHeader(request);
  const checksum = readChecksum(request);
  const stream = request.body === undefined ? undefined : bodyOf(request);
  if (await claimIdempotency(deps.db, { request, reply, fingerprint: `${bytes} ${header}` })) return reply;
  const fields = readUploadFields(metadata, fileName);
  const progress = await deps.uploads.create(
    scope,
    { bytes, metadata: header, fields, createdBy: key.name },
    stream && { stream, checksum, interrupt: () => void request.raw.destroy() },
  );
  setUploadHeaders(reply, progress);
  return reply
    .code(201)
    .header('Location', `/v1/upload/${progress.upload.id}`)
    .send({ upload: presentUpload(progress.upload) });
}

async function append(deps: ApiDeps, request: Request, reply: FastifyReply) {
  const { scope } = principalOf(request);
  const progress = await deps.uploads.append(scope, request.params.id, {
    offset: readOffset(request),
    stream: bodyOf(request),
    checksum: readChecksum(request),
    interrupt: () => void request.raw.destroy(),
  });
  setUploadHeaders(reply, progress);
  const { mediaId } = progress.upload;
  if (mediaId !== null) reply.header('Location', `/v1/media/${mediaId}`);
  return reply.code(204).send(null);
}

async function tell(deps: ApiDeps, request: Request, reply: FastifyReply) {
  const progress = await deps.uploads.resume(principalOf(request).scope, request.params.id);
  setUploadHeaders(reply, progress);
  const { bytes, metadata } = progress.upload;
  if (metadata !== null) reply.header('Upload-Metadata', metadata);
  return reply.header('Upload-Length', bytes).header('Cache-Control', 'no-store').code(200).send(null);
}

async function remove(deps: ApiDeps, request: Request, reply: FastifyReply) {
  const { id } = request.params;
  if (!(await deps.uploads.remove(principalOf(request).scope, id))) {
    throw new AppError('not_found', `There is no upload ${id}.`);
  }
  return reply.code(204).send(null);
}

/** Resumable uploads: tus 1.0 with creation, creation-with-upload, termination, checksum and expiration. */
export function registerResumableUploads(app: Api, deps: ApiDeps): void {
  // In a scope of its own: no other route takes this content type.
  app.register(async (child) => {
    const scope = child as Api;
    // The route reads the stream itself.
    scope.addContentTypeParser(PART_TYPE, (_request, payload, done) => done(null, payload));
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Tus-Resumable', TUS_VERSION).header('Tus-Version', TUS_VERSION);
    });
    scope.addHook('onError', async (request) => {
      if (!request.raw.complete && !request.raw.destroyed) discardRest(request.raw);
    });
    registerCreation(scope, deps);
    registerParts(scope, deps);
    registerState(scope, deps);
  });
}

function registerCreation(app: Api, deps: ApiDeps): void {
  app.options(
    '/v1/upload',
    {
      config: { scopes: [] },
      schema: {
        tags,
        summary: 'Ask what resumable uploads can do',
        response: { 204: tusAnswers.options, ...commonProblems },
      },
    },
    async (_request, reply) =>
      reply
        .header('Tus-Extension', TUS_EXTENSIONS)
        .header('Tus-Max-Size', deps.settings.maxUploadBytes)
        .header('Tus-Checksum-Algorithm', CHECKSUM_ALGORITHMS.join(','))
        .code(204)
        .send(null),
  );

  app.post(
    '/v1/upload',
    {
      config: { scopes: ['media.write'], idempotent: 'manual', requestHeaders: tusHeaders.creation },
      schema: {
        tags,
        summary: 'Begin a resumable upload (tus 1.0)',
        description:
          'For large files and bad lines: any tus client works. Location is the upload, which takes the bytes. With the content type ' +
          `${PART_TYPE}, the body is the beginning of the file, or all of it. What Upload-Metadata says is checked at once.`,
        response: {
          201: UploadStateAnswer,
          ...commonProblems,
          ...conflictProblem,
          ...fileProblems,
          ...uploadProblems,
        },
      },
      preHandler: async (request) => checkTusVersion(request),
    },
    async (request, reply) => create(deps, request, reply),
  );
}

function registerParts(app: Api, deps: ApiDeps): void {
  const answers = {
    204: tusAnswers.part,
    ...commonProblems,
    ...notFoundProblem,
    ...conflictProblem,
    ...fileProblems,
    ...uploadProblems,
  };
  const bodies = { [PART_TYPE]: { schema: { type: 'string', format: 'binary' } } };

  app.patch(
    '/v1/upload/:id',
    {
      config: { scopes: ['media.write'], requestHeaders: tusHeaders.part, bodies },
      schema: {
        tags,
        operationId: 'appendUpload',
        summary: 'Send the next bytes of an upload',
        description:
          'The last ones make the asset, which Touchline-Media-Id names. Another format than those of photos and videos is refused ' +
          'as soon as the first 64 KiB are here.',
        params: IdParams,
        response: answers,
      },
      preHandler: async (request) => checkTusVersion(request),
    },
    async (request, reply) => append(deps, request, reply),
  );

  app.delete(
    '/v1/upload/:id',
    {
      config: { scopes: ['media.write'], requestHeaders: tusHeaders.every },
      schema: {
        tags,
        summary: 'End an upload and forget its bytes',
        description: 'An asset that it has become stays.',
        params: IdParams,
        response: { 204: tusAnswers.removed, ...commonProblems, ...notFoundProblem, ...uploadProblems },
      },
      preHandler: async (request) => checkTusVersion(request),
    },
    async (request, reply) => remove(deps, request, reply),
  );

  app.post(
    '/v1/upload/:id',
    {
      config: { scopes: ['media.write'], requestHeaders: { ...tusHeaders.part, ...tusHeaders.override }, bodies },
      schema: {
        tags,
        operationId: 'overrideUpload',
        summary: 'Send PATCH, HEAD or DELETE as POST',
        description: 'For proxies that let no other method pass: X-HTTP-Method-Override says which one is meant.',
        params: IdParams,
        response: { 200: tusAnswers.state, ...answers },
      },
      preHandler: async (request) => checkTusVersion(request),
    },
    async (request, reply) => {
      const meant = [request.headers['x-http-method-override']].flat()[0]?.toUpperCase();
      if (meant === 'PATCH') return append(deps, request, reply);
      if (meant === 'HEAD') return tell(deps, request, reply);
      if (meant === 'DELETE') return remove(deps, request, reply);
      throw invalidField(
        'X-HTTP-Method-Override',
        `expected PATCH, HEAD or DELETE, received ${meant?.slice(0, 60) ?? 'none'}`,
      );
    },
  );
}

function registerState(app: Api, deps: ApiDeps): void {
  // Before GET, which would bring a HEAD of its own.
  app.head(
    '/v1/upload/:id',
    {
      config: { scopes: ['media.write'], requestHeaders: tusHeaders.every, swagger: { exposeHeadRoute: true } },
      schema: {
        tags,
        summary: 'Ask where to go on with an upload',
        description: 'Ends a request that still sends bytes to it. To look at it only, use GET.',
        params: IdParams,
        response: { 200: tusAnswers.state, ...commonProblems, ...notFoundProblem, ...uploadProblems },
      },
      preHandler: async (request) => checkTusVersion(request),
    },
    async (request, reply) => tell(deps, request, reply),
  );

  app.get(
    '/v1/upload/:id',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags,
        summary: 'Read how far an upload is, and which asset it has become',
        params: IdParams,
        response: { 200: UploadStateAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request) => {
      const { id } = request.params;
      const upload = await deps.uploads.find(principalOf(request).scope, id);
      if (!upload) throw new AppError('not_found', `There is no upload ${id}.`);
      return { upload: presentUpload(upload) };
    },
  );
}

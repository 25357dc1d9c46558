import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, invalidField, MIB, messageOf } from '../../base/index.ts';
import { cleanName, type ReceivedFile, type UploadFields } from '../../ingest/index.ts';
import { type Asset, findAsset } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { claimIdempotency } from '../plugins/idempotency.ts';
import { principalOf } from '../plugins/principal.ts';
import { createPartValidator } from '../plugins/validation.ts';
import { setLibraryVersion } from '../plugins/versions.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, fileProblems, uploadProblems } from '../wire/common.ts';
import { UploadAnswer, UploadMetadata, UploadParts } from '../wire/media.ts';
import { checkUsage, readAssetPatch, sendMedia } from './media.ts';

const POLL_MS = 100;
/** A large photograph or a short video: beyond it, the rest of a refused upload is not worth the wait. */
const MAX_DISCARDED_BYTES = 256 * MIB;
const MAX_WAIT_SECONDS = 60;
export const validateMetadata = createPartValidator<UploadMetadata>(UploadMetadata);

/** `Prefer: wait=30` (RFC 7240), in seconds. */
export function readWait(request: FastifyRequest): number {
  const found = /(?:^|[,\s])wait=(\d{1,4})\b/i.exec([request.headers['prefer']].flat().join(','));
  return Math.min(MAX_WAIT_SECONDS, Number(found?.[1] ?? 0));
}

/** The fields of an upload as the library takes them. @throws AppError `validation_failed` */
export function readUploadFields(metadata: UploadMetadata, fileName: string | undefined): UploadFields {
  const patch = readAssetPatch(metadata, {});
  if (patch.usage !== undefined) checkUsage(patch.usage, patch.usageAt);
  return {
    ...patch,
    name: metadata.name ?? cleanName(fileName),
    tagOptionIds: metadata.tag_options ?? [],
    tagSource: metadata.tag_source ?? 'manual',
  };
}

const metadataTooLarge = () => new AppError('payload_too_large', `/metadata: expected at most ${MIB} bytes`);

/** A metadata part that a client sends like a file, with a name: it is text of at most 1 MiB all the same. */
async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MIB) throw metadataTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The part as text, or as the object that the multipart reader makes of a part whose content type is JSON. */
function readMetadata(part: unknown): UploadMetadata {
  let value: unknown;
  try {
    value = typeof part === 'object' && part !== null && !Buffer.isBuffer(part) ? part : JSON.parse(String(part));
  } catch (cause) {
    throw new AppError('malformed_json', `Part metadata is not JSON: ${messageOf(cause)}`, { cause });
  }
  return validateMetadata(value, '/metadata');
}

type Upload = { readonly file: ReceivedFile; readonly fileName: string | undefined; readonly metadata: UploadMetadata };

/** Reads the parts as they arrive. A file that was received is discarded when a later part is refused. */
async function readParts(deps: ApiDeps, request: FastifyRequest, signal: AbortSignal): Promise<Upload> {
  if (!request.isMultipart()) {
    throw new AppError(
      'unsupported_media_type',
      'expected multipart/form-data with the parts metadata (JSON, optional) and file',
    );
  }
  let file: ReceivedFile | undefined;
  let fileName: string | undefined;
  let metadata: UploadMetadata = {};
  const receive = async (part: MultipartFile) => {
    if (part.fieldname !== 'file') throw invalidField(`/${part.fieldname}`, 'expected the file in the part named file');
    if (file) throw invalidField('/file', 'expected one file, received another one');
    fileName = part.filename;
    file = await deps.intake.receive(part.file, signal);
  };
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file' && part.fieldname === 'metadata') metadata = readMetadata(await readText(part.file));
      else if (part.type === 'file') await receive(part);
      else if (part.fieldname === 'metadata' && part.valueTruncated) throw metadataTooLarge();
      else if (part.fieldname === 'metadata') metadata = readMetadata(part.value);
      else throw invalidField(`/${part.fieldname}`, 'expected the parts metadata and file, received another one');
    }
    if (!file) throw invalidField('/file', 'expected a part named file, received none');
    return { file, fileName, metadata };
  } catch (error) {
    discardRest(request.raw);
    if (file) await deps.intake.discard(file);
    throw multipartFault(error) ?? error;
  }
}

/**
 * Reads and drops what is still to come of a refused upload: a client reads its answer only after it has sent all, and the
 * next request on the same connection waits behind it. A body that goes on for long is cut off with its connection.
 */
export function discardRest(raw: IncomingMessage): void {
  raw.unpipe();
  let bytes = 0;
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) raw.socket.destroy();
  });
  raw.resume();
}

/** Faults of the form itself, which its reader tells by their text alone (@fastify/busboy, types/multipart.js and Dicer.js). */
function multipartFault(error: unknown): AppError | undefined {
  const text = messageOf(error);
  if (/unexpected end of multipart data/i.test(text)) {
    return new AppError('upload_incomplete', 'The upload ended before its last part was complete.', { cause: error });
  }
  if (/boundary not found|needle/i.test(text)) {
    return invalidField('Content-Type', 'expected multipart/form-data with a boundary of 1 to 70 characters');
  }
  return undefined;
}

async function waitUntilProcessed(deps: ApiDeps, request: FastifyRequest, id: number): Promise<Asset | undefined> {
  const { scope } = principalOf(request);
  const deadline = Date.now() + readWait(request) * 1000;
  for (;;) {
    const asset = await findAsset(deps.db, scope, id);
    if (asset?.status !== 'processing' || Date.now() >= deadline || request.socket.destroyed) return asset;
    await delay(POLL_MS);
  }
}

export function registerUploadRoutes(app: Api, deps: ApiDeps): void {
  app.post(
    '/v1/media',
    {
      config: { scopes: ['media.write'], idempotent: 'manual', parts: UploadParts },
      schema: {
        tags: ['media'],
        summary: 'Upload a photo or video',
        description:
          'multipart/form-data: part metadata (JSON: name, captured_at, tag_options, details, external_id, usage, collections), then part file. ' +
          'Answers 201 while processing goes on; Prefer: wait=30 waits until the asset is ready or failed. ' +
          'The same bytes again answer the existing asset with duplicate true; a known external_id updates its asset.',
        consumes: ['multipart/form-data'],
        response: {
          200: UploadAnswer,
          201: UploadAnswer,
          ...commonProblems,
          ...conflictProblem,
          ...fileProblems,
          507: uploadProblems[507],
        },
      },
    },
    async (request, reply) => upload(deps, request, reply),
  );
}

async function upload(deps: ApiDeps, request: FastifyRequest, reply: FastifyReply) {
  const { scope } = principalOf(request);
  const gone = new AbortController();
  const onClose = () => gone.abort(new Error('the client has gone'));
  request.raw.once('aborted', onClose);
  try {
    const { file, fileName, metadata } = await readParts(deps, request, gone.signal);
    const fingerprint = `${file.sha256} ${JSON.stringify(metadata)}`;
    try {
      if (await claimIdempotency(deps.db, { request, reply, fingerprint })) return reply;
      const accepted = await deps.intake.accept(scope, file, readUploadFields(metadata, fileName));
      const asset = await waitUntilProcessed(deps, request, accepted.id);
      if (!asset) throw new AppError('not_found', `Asset ${accepted.id} was removed while it was processed.`);
      setLibraryVersion(reply, accepted.version);
      const body = await sendMedia(deps, { scope, reply, asset });
      return await reply
        .code(accepted.duplicate ? 200 : 201)
        .header('Location', `/v1/media/${asset.id}`)
        .send({ ...body, duplicate: accepted.duplicate });
    } finally {
      await deps.intake.discard(file);
    }
  } finally {
    request.raw.off('aborted', onClose);
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LibraryScope } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import { enqueueProcessing } from '../../ingest/index.ts';
import {
  type Asset,
  type AssetPatch,
  editAsset,
  findAsset,
  getAssetForWrite,
  type LibraryWrite,
  mergeDetails,
  moveToBin,
  restoreFromBin,
  retryProcessing,
  type Timeline,
  writeLibrary,
} from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import { readIfMatch, setLibraryVersion } from '../plugins/versions.ts';
import { etagOfVersion, presentMedia } from '../present/media.ts';
import { organizationOf } from '../present/organization.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem, preconditionProblem } from '../wire/common.ts';
import { MediaAnswer, MediaPatch, type TimelinePatch, type UploadMetadata } from '../wire/media.ts';

const tags = ['media'];

const time = (text: string | null | undefined) => (text === undefined || text === null ? text : new Date(text));

/** The fields an upload and a PATCH have in common, as the library takes them. */
export function readAssetPatch(body: UploadMetadata, details: Readonly<Record<string, unknown>>): AssetPatch {
  return {
    externalId: body.external_id,
    capturedAt: time(body.captured_at),
    rating: body.rating,
    usage: body.usage,
    usageAt: time(body.usage_at),
    collectionIds: body.collections,
    details: body.details && mergeDetails(details, body.details),
  };
}

/** A timeline after its merge patch. */
function readTimelinePatch(
  patch: TimelinePatch | null | undefined,
  present: Timeline | null,
): Timeline | null | undefined {
  if (patch === undefined || patch === null) return patch;
  const { angle, started_at_wallclock: startedAt, start_tc: startTimecode, periods } = patch;
  return {
    angle: angle === undefined ? (present?.angle ?? null) : angle,
    startedAt: startedAt === undefined ? (present?.startedAt ?? null) : (time(startedAt) ?? null),
    startTimecode: startTimecode === undefined ? (present?.startTimecode ?? null) : startTimecode,
    periods:
      periods === undefined
        ? (present?.periods ?? [])
        : (periods ?? []).map(({ period, start_ms: startMs }) => ({ period, startMs })),
  };
}

/** Usage that depends on a time needs one. @throws AppError `validation_failed` */
export function checkUsage(usage: string, usageAt: Date | null | undefined): void {
  if ((usage === 'embargoed' || usage === 'expired') && !usageAt) {
    const detail = `expected the time the asset is ${usage === 'embargoed' ? 'embargoed until' : 'expired after'}, received none`;
    throw new AppError('validation_failed', `/usage_at: ${detail}`, {
      errors: [{ pointer: '/usage_at', code: 'required', detail }],
    });
  }
}

/** Answers an asset with its ETag. */
export async function sendMedia(
  deps: ApiDeps,
  { scope, reply, asset }: { readonly scope: LibraryScope; readonly reply: FastifyReply; readonly asset: Asset },
) {
  const organization = await organizationOf(deps, scope);
  reply.header('ETag', etagOfVersion(asset.version));
  return { media: presentMedia(asset, { organization, urls: deps.urls }) };
}

export function registerMediaRoutes(app: Api, deps: ApiDeps): void {
  const { db } = deps;
  const answers = {
    200: MediaAnswer,
    ...commonProblems,
    ...notFoundProblem,
    ...conflictProblem,
    ...preconditionProblem,
  };

  /** One write to one asset, answered with the asset as it is afterwards. */
  const write = async (
    request: FastifyRequest<{ Params: { id: number } }>,
    reply: FastifyReply,
    work: (write: LibraryWrite, asset: Asset) => Promise<void>,
    options: { readonly inBin: boolean } = { inBin: false },
  ) => {
    const { scope } = principalOf(request);
    const { id } = request.params;
    const ifVersion = readIfMatch(request);
    const { result, version } = await writeLibrary(db, scope, async (open) => {
      await work(open, await getAssetForWrite(open, id, { ifVersion, inBin: options.inBin }));
      return findAsset(open.tx, scope, id);
    });
    if (!result) throw new AppError('not_found', `There is no asset ${id}.`);
    setLibraryVersion(reply, version);
    return sendMedia(deps, { scope, reply, asset: result });
  };

  app.get(
    '/v1/media/:id',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags,
        summary: 'Read an asset',
        params: IdParams,
        response: { 200: MediaAnswer, ...commonProblems, ...notFoundProblem },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const asset = await findAsset(db, scope, request.params.id);
      if (!asset || asset.status === 'deleted')
        throw new AppError('not_found', `There is no asset ${request.params.id}.`);
      return sendMedia(deps, { scope, reply, asset });
    },
  );

  app.patch(
    '/v1/media/:id',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags,
        summary: 'Change an asset (JSON Merge Patch)',
        description: 'tag_options replaces the tags of the asset; tags implied by a match follow from the match.',
        params: IdParams,
        body: MediaPatch,
        response: answers,
      },
    },
    (request, reply) =>
      write(request, reply, async (open, asset) => {
        const { body } = request;
        const patch = readAssetPatch(body, asset.details);
        if (body.usage !== undefined || body.usage_at !== undefined) {
          checkUsage(patch.usage ?? asset.usage, patch.usageAt === undefined ? asset.usageAt : patch.usageAt);
        }
        await editAsset(open, asset, {
          ...patch,
          name: body.name,
          status: body.status,
          focal: body.focal,
          timeline: readTimelinePatch(body.timeline, asset.timeline),
          actor: principalOf(request).key.name,
          tagOptionIds: body.tag_options,
        });
      }),
  );

  app.delete(
    '/v1/media/:id',
    {
      config: { scopes: ['media.write'] },
      schema: {
        tags,
        summary: 'Move an asset to the bin',
        description:
          'It can be restored for 30 days; then it is removed with every file. Its URLs stop working at once.',
        params: IdParams,
        response: {
          204: { type: 'null', description: 'In the bin' },
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
      const { version } = await writeLibrary(db, scope, async (open) =>
        moveToBin(open, await getAssetForWrite(open, id, { ifVersion, inBin: false })),
      );
      await deps.images.purge({ orgId: scope.organizationId, mediaId: id });
      setLibraryVersion(reply, version);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/v1/media/:id/restore',
    {
      config: { scopes: ['media.write'] },
      schema: { tags, summary: 'Take an asset out of the bin', params: IdParams, response: answers },
    },
    (request, reply) =>
      write(
        request,
        reply,
        async (open, asset) => {
          // Its job found it in the bin and left it alone, so an unprocessed asset needs another one.
          const process = await restoreFromBin(open, asset);
          await enqueueProcessing(deps.jobs, open, { id: asset.id, process });
        },
        { inBin: true },
      ),
  );

  app.post(
    '/v1/media/:id/retry',
    {
      config: { scopes: ['media.write'] },
      schema: { tags, summary: 'Process a failed asset again', params: IdParams, response: answers },
    },
    (request, reply) =>
      write(request, reply, async (open, asset) => {
        const process = await retryProcessing(open, asset);
        await enqueueProcessing(deps.jobs, open, { id: asset.id, process });
      }),
  );
}

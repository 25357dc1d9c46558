import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { AppError } from '../../base/index.ts';
import type { EmbeddedFile } from '../../ingest/index.ts';
import { type Asset, type AssetFile, findAsset } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { principalOf } from '../plugins/principal.ts';
import type { Api } from '../server.ts';
import { commonProblems, conflictProblem, IdParams, notFoundProblem } from '../wire/common.ts';
import { contentDisposition, extensionOf, sendStoredFile } from './stored-file.ts';

const choice = <const T extends string>(values: readonly T[], options: object) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options });

const DownloadQuery = Type.Object(
  {
    quality: choice(['photographer', 'compressed', 'thumbnail'], { default: 'photographer' }),
    metadata: choice(['none', 'embed', 'sidecar'], {
      default: 'none',
      description:
        'none: as stored, byte for byte. embed: a copy with the present details, tags and faces as IPTC, XMP and EXIF. sidecar: these as an XMP file alone',
    }),
  },
  { additionalProperties: false },
);

const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } },
});

const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
});

export function registerDownloadRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/v1/media/:id/download',
    {
      config: { scopes: ['media.read'] },
      schema: {
        tags: ['media'],
        summary: 'Download a file of an asset, with its present metadata where asked',
        description:
          'Whatever the usage of the asset. Byte ranges are supported with metadata=none. Camera RAW is never altered: ask for its sidecar.',
        params: IdParams,
        querystring: DownloadQuery,
        response: {
          200: bytes('The file, in its own content type'),
          206: bytes('The range of it that was asked for'),
          ...commonProblems,
          ...notFoundProblem,
          ...conflictProblem,
          415: problem('A file of this format is never altered; ask for metadata=sidecar'),
          422: problem('The file is damaged, or takes too long'),
          501: problem('ExifTool does not run here'),
        },
      },
    },
    async (request, reply) => {
      const { scope } = principalOf(request);
      const { quality, metadata } = request.query;
      const asset = await findAsset(deps.db, scope, request.params.id);
      if (!asset || asset.status === 'deleted')
        throw new AppError('not_found', `There is no asset ${request.params.id}.`);
      const file = asset.files.find((one) => one.quality === quality);
      if (!file) throw new AppError('not_found', `Asset ${asset.id} has no ${quality} file.`);
      if (metadata === 'none') {
        const headers = { 'Cache-Control': 'private, no-store' };
        return sendStoredFile(deps, { request, reply, asset, file, disposition: 'attachment', headers });
      }
      return sendWritten(deps, request, { reply, asset, file, metadata, quality });
    },
  );
}

async function sendWritten(
  deps: ApiDeps,
  request: FastifyRequest,
  wanted: {
    readonly reply: FastifyReply;
    readonly asset: Asset;
    readonly file: AssetFile;
    readonly metadata: 'embed' | 'sidecar';
    readonly quality: Static<typeof DownloadQuery>['quality'];
  },
): Promise<FastifyReply> {
  const { reply, asset, file, metadata, quality } = wanted;
  const extension = metadata === 'sidecar' ? 'xmp' : extensionOf(asset, file);
  reply.headers({
    'Cache-Control': 'private, no-store',
    'Content-Disposition': contentDisposition(asset, { extension, disposition: 'attachment' }),
  });
  // Its length is known only when it is written, which is not worth it for a HEAD.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort(new Error('the client has gone')));
  const { scope } = principalOf(request);
  const written = await deps.metadataEmbedder[metadata]({ scope, asset, quality, signal: gone.signal });
  const stream = (await openLast(written)).createReadStream();
  reply.raw.once('close', () => stream.destroy());
  reply.type(written.mimeType).header('Content-Length', written.bytes);
  return reply.send(stream);
}

/** Opens a temporary file and removes it: what is open can be read, and nothing is left behind, however the answer ends. */
async function openLast(file: EmbeddedFile): Promise<FileHandle> {
  try {
    return await open(file.path);
  } finally {
    await file.release();
  }
}

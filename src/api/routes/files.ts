import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../base/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Api } from '../server.ts';
import { Id, notFoundProblem } from '../wire/common.ts';
import { OPEN_HEADERS, openUrlSubject, readUrlSubject } from './media-access.ts';
import { sendStoredFile } from './stored-file.ts';

/** One hour: a revoked URL is gone from caches after that, and a page that shows a picture twice asks once. */
const PUBLIC_CACHE = 'public, max-age=3600';

export function registerFileRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/file/:organization/:media/:token/:name',
    {
      schema: {
        tags: ['files'],
        summary: 'A file of an asset, by the URL the API answered',
        description: 'Opens without an API key; unguessable, signed, revocable. Byte ranges are supported.',
        params: Type.Object({ organization: Id, media: Id, token: Type.String(), name: Type.String() }),
        response: { ...notFoundProblem },
      },
    },
    (request, reply) => sendFile(deps, request, reply),
  );
}

async function sendFile(
  deps: ApiDeps,
  request: FastifyRequest<{ Params: { organization: number; media: number; token: string; name: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { organization: organizationId, media: mediaId, token, name } = request.params;
  const subject = await readUrlSubject(deps, { organizationId, mediaId, tokenAndRevision: token });
  const { asset, isPublic } = await openUrlSubject(deps, subject, request);
  const file = asset.files.find((one) => one.quality === name.split('.')[0]);
  if (!file) throw new AppError('not_found', `Asset ${asset.id} has no file ${name}.`);
  return sendStoredFile(deps, {
    request,
    reply,
    asset,
    file,
    disposition: 'inline',
    headers: { ...OPEN_HEADERS, 'Cache-Control': isPublic ? PUBLIC_CACHE : 'private, no-store' },
  });
}

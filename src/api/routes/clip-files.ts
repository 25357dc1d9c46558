import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { scopeOf, verifyPath } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import { type AssetFile, findClip } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Api } from '../server.ts';
import { Id, notFoundProblem } from '../wire/common.ts';
import { OPEN_HEADERS } from './media-access.ts';
import { sendStoredFile } from './stored-file.ts';

const Params = Type.Object({ organization: Id, clip: Id, nonce: Type.String(), name: Type.String() });
type Params = { organization: number; clip: number; nonce: string; name: string };

const gone = () => new AppError('not_found', 'There is no such clip; it may have been removed or have expired.');

export function registerClipFileRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/clip-file/:organization/:clip/:nonce/:name',
    {
      schema: {
        tags: ['files'],
        summary: 'The file or poster of a clip, by the URL the API answered',
        description: 'Opens without an API key until the clip expires or is removed. Byte ranges are supported.',
        params: Params,
        response: { ...notFoundProblem },
      },
    },
    (request, reply) => sendClipFile(deps, request, reply),
  );
}

async function sendClipFile(
  deps: ApiDeps,
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { organization: organizationId, clip: clipId, nonce, name } = request.params;
  const organization = await deps.organizations.find(organizationId);
  const [path = ''] = request.url.split('?');
  const query = Object.fromEntries(
    Object.entries(request.query as Record<string, unknown>).map(([key, value]) => [key, String(value)]),
  );
  if (!organization || !verifyPath(organization.signingKey, { path, query, now: deps.clock.now() })) throw gone();
  const clip = await findClip(deps.db, scopeOf(organization.id), clipId);
  const isVideo = name.endsWith('.mp4');
  const storageKey = isVideo ? clip?.videoKey : clip?.posterKey;
  if (!clip?.facts || typeof storageKey !== 'string' || clip.urlNonce !== nonce) throw gone();
  const stored = isVideo ? clip.facts : await deps.storage.stat(storageKey);
  if (!stored) throw gone();
  const file: AssetFile = {
    quality: 'compressed',
    storageKey,
    width: null,
    height: null,
    bytes: stored.bytes,
    mimeType: isVideo ? 'video/mp4' : 'image/jpeg',
  };
  return sendStoredFile(deps, {
    request,
    reply,
    // The ending is taken off again for that of the file.
    asset: { name: `${clip.name}.mp4`, extension: 'mp4', mimeType: 'video/mp4' },
    file,
    disposition: isVideo ? 'attachment' : 'inline',
    headers: { ...OPEN_HEADERS, 'Cache-Control': 'private, no-store' },
  });
}

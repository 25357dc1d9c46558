import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../base/index.ts';
import type { Asset, AssetFile } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Api } from '../server.ts';
import { Id, notFoundProblem } from '../wire/common.ts';
import { hasEtag, OPEN_HEADERS, openUrlSubject, readUrlSubject } from './media-access.ts';

/** One hour: a revoked URL is gone from caches after that, and a page that shows a picture twice asks once. */
const PUBLIC_CACHE = 'public, max-age=3600';

type Range = { readonly start: number; readonly end: number };

/** One byte range (RFC 9110, 14.1.2); undefined for none or for several, which the whole answers; null when unsatisfiable. */
export function parseRange(header: string | undefined, bytes: number): Range | null | undefined {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return undefined;
  if (found[1] === '') {
    const length = Math.min(bytes, Number(found[2]));
    return length === 0 ? null : { start: bytes - length, end: bytes };
  }
  const start = Number(found[1]);
  const end = found[2] === '' ? bytes : Math.min(bytes, Number(found[2]) + 1);
  if (start >= bytes) return null;
  return end <= start ? undefined : { start, end };
}

function contentDisposition(asset: Asset, file: AssetFile): string {
  const stem = asset.name.replace(/\.[^.]{1,8}$/, '');
  const extension = file.quality === 'photographer' ? asset.extension : file.mimeType === 'video/mp4' ? 'mp4' : 'jpg';
  const name = `${stem}.${extension}`;
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `inline; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}

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
  const etag = `"${Buffer.from(file.storageKey).toString('base64url').slice(-40)}"`;
  const mimeType = file.quality === 'photographer' ? asset.mimeType : file.mimeType;
  reply.headers({
    ...OPEN_HEADERS,
    ETag: etag,
    'Cache-Control': isPublic ? PUBLIC_CACHE : 'private, no-store',
    'Accept-Ranges': 'bytes',
    'Content-Disposition': contentDisposition(asset, file),
  });
  if (hasEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const ifRange = request.headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? parseRange(request.headers.range, file.bytes) : undefined;
  if (range === null) {
    return reply.code(416).header('Content-Range', `bytes */${file.bytes}`).send();
  }
  const { start, end } = range ?? { start: 0, end: file.bytes };
  if (range) reply.code(206).header('Content-Range', `bytes ${start}-${end - 1}/${file.bytes}`);
  reply.type(mimeType).header('Content-Length', end - start);
  // An empty stream, because Fastify would set the length of anything else that answers HEAD.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  const aborted = new AbortController();
  request.raw.once('close', () => aborted.abort());
  return reply.send(await deps.storage.read(file.storageKey, { start, end }, aborted.signal));
}

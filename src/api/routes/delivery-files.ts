import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { isOwnSignature, scopeOf, verifyPath } from '../../auth/index.ts';
import { AppError } from '../../base/index.ts';
import type { ApiDeps } from '../deps.ts';
import type { Api } from '../server.ts';
import { Id, notFoundProblem } from '../wire/common.ts';
import { hasEtag, OPEN_HEADERS } from './media-access.ts';
import { dispositionOf, parseRange } from './stored-file.ts';

const Params = Type.Object({ organization: Id, delivery: Id, name: Type.String() });
type Params = { organization: number; delivery: number; name: string };

/** Parts of a path may have 300 characters. */
const MAX_NAME = 250;

const gone = () => new AppError('not_found', 'There is no such file.');

/** The path of what a delivery brings; it opens with a signature only. */
export function deliveryFilePath(
  organization: { readonly id: number },
  file: { readonly deliveryId: number; readonly name: string },
): string {
  const name = encodeURIComponent(file.name);
  return `/delivery-file/${organization.id}/${file.deliveryId}/${name.length <= MAX_NAME ? name : 'file'}`;
}

/** Files for destinations of kind webhook, which fetch them. */
export function registerDeliveryFileRoutes(app: Api, deps: ApiDeps): void {
  app.get(
    '/delivery-file/:organization/:delivery/:name',
    {
      schema: {
        tags: ['files'],
        summary: 'What a delivery brings, by the URL that its target was told',
        description:
          'Opens without an API key until the URL expires, with exactly the bytes that the target was told of; 410 when other ones would ' +
          'come of it by now. Byte ranges are supported.',
        params: Params,
        response: { ...notFoundProblem },
      },
    },
    (request, reply) => sendDeliveryFile(deps, request, reply),
  );
}

/** @throws AppError `not_found`, `url_expired` */
async function checkSignature(deps: ApiDeps, request: FastifyRequest, organizationId: number): Promise<void> {
  const organization = await deps.organizations.find(organizationId);
  const [path = ''] = request.url.split('?');
  const query = Object.fromEntries(
    Object.entries(request.query as Record<string, unknown>).map(([key, value]) => [key, String(value)]),
  );
  if (!organization || !isOwnSignature(organization.signingKey, { path, query })) throw gone();
  if (verifyPath(organization.signingKey, { path, query, now: deps.clock.now() })) return;
  throw new AppError('url_expired', 'The time that this URL was good for is over.');
}

async function sendDeliveryFile(
  deps: ApiDeps,
  request: FastifyRequest<{ Params: Params }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { organization: organizationId, delivery: id, name } = request.params;
  await checkSignature(deps, request, organizationId);
  const aborted = new AbortController();
  request.raw.once('close', () => aborted.abort());
  const source = await deps.deliveries.openFile(scopeOf(organizationId), id, aborted.signal);
  reply.raw.once('close', () => void source.release());
  const etag = `"${source.sha256}"`;
  reply.headers({
    ...OPEN_HEADERS,
    ETag: etag,
    'Cache-Control': 'private, no-store',
    'Accept-Ranges': 'bytes',
    'Content-Disposition': dispositionOf(name, 'attachment'),
  });
  if (hasEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const ifRange = request.headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? parseRange(request.headers.range, source.bytes) : undefined;
  if (range === null) return reply.code(416).header('Content-Range', `bytes */${source.bytes}`).send();
  const { start, end } = range ?? { start: 0, end: source.bytes };
  if (range) reply.code(206).header('Content-Range', `bytes ${start}-${end - 1}/${source.bytes}`);
  reply.type(source.contentType).header('Content-Length', end - start);
  if (request.method === 'HEAD' || end === start) return reply.send(Readable.from([]));
  return reply.send(createReadStream(source.file, { start, end: end - 1 }));
}

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asset, AssetFile } from '../../library/index.ts';
import type { ApiDeps } from '../deps.ts';
import { hasEtag } from './media-access.ts';

/** What a file is named and typed by: an asset, or a clip. */
type Named = Pick<Asset, 'name' | 'extension' | 'mimeType'>;
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

/** `Content-Disposition` with a name (RFC 6266): as ASCII for old programs, and as it is. */
export function dispositionOf(name: string, disposition: 'inline' | 'attachment'): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
}

/** The same with the asset's name, whose extension becomes the given one. */
export function contentDisposition(
  asset: Named,
  given: { readonly extension: string; readonly disposition: 'inline' | 'attachment' },
): string {
  return dispositionOf(`${asset.name.replace(/\.[^.]{1,8}$/, '')}.${given.extension}`, given.disposition);
}

export function extensionOf(asset: Named, file: AssetFile): string {
  if (file.quality === 'photographer') return asset.extension;
  return file.mimeType === 'video/mp4' ? 'mp4' : 'jpg';
}

/** Answers a file as it is stored: whole or one range of it, or 304 where the client has it. */
export async function sendStoredFile(
  deps: ApiDeps,
  sent: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly asset: Named;
    readonly file: AssetFile;
    readonly disposition: 'inline' | 'attachment';
    readonly headers: Readonly<Record<string, string>>;
  },
): Promise<FastifyReply> {
  const { request, reply, asset, file, disposition } = sent;
  const etag = `"${Buffer.from(file.storageKey).toString('base64url').slice(-40)}"`;
  const mimeType = file.quality === 'photographer' ? asset.mimeType : file.mimeType;
  reply.headers({
    ...sent.headers,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Content-Disposition': contentDisposition(asset, { extension: extensionOf(asset, file), disposition }),
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

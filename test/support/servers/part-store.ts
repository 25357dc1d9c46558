/** Uploads of parts as S3 keeps them, with all its lists, which the quick server lacks. In memory; it takes any signature. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export type PartStore = {
  readonly port: number;
  readonly bucket: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** IDs of uploads that were neither completed nor ended. */
  uploads(): readonly string[];
  close(): Promise<void>;
};

type Upload = { readonly key: string; readonly parts: Map<number, Buffer> };
type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string;
};
type Asked = { readonly method: string; readonly key: string; readonly query: URLSearchParams; readonly body: Buffer };

const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');
const xml = (body: string): Answer => ({ status: 200, headers: { 'content-type': 'application/xml' }, body });
const refused = (status: number, code: string): Answer => ({ status, body: `<Error><Code>${code}</Code></Error>` });

export async function startPartStore(): Promise<PartStore> {
  const bucket = 'library';
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();

  const toUpload = (id: string, { method, query, body }: Asked): Answer => {
    const upload = uploads.get(id);
    if (!upload) return refused(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      uploads.delete(id);
      return { status: 204 };
    }
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: `"${md5(body)}"` } };
    }
    const parts = [...upload.parts].toSorted(([left], [right]) => left - right);
    if (method === 'GET') {
      const listed = parts.map(
        ([number, bytes]) =>
          `<Part><PartNumber>${number}</PartNumber><ETag>"${md5(bytes)}"</ETag><Size>${bytes.length}</Size></Part>`,
      );
      return xml(`<ListPartsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListPartsResult>`);
    }
    objects.set(upload.key, Buffer.concat(parts.map(([, bytes]) => bytes)));
    uploads.delete(id);
    const digests = parts.map(([, bytes]) => Buffer.from(md5(bytes), 'hex'));
    const etag = `${md5(Buffer.concat(digests))}-${parts.length}`;
    return xml(`<CompleteMultipartUploadResult><ETag>"${etag}"</ETag></CompleteMultipartUploadResult>`);
  };
  const toObject = ({ method, key, body }: Asked): Answer => {
    if (method === 'PUT') objects.set(key, body);
    const found = objects.get(key);
    if (!found) return refused(404, 'NoSuchKey');
    return {
      status: 200,
      headers: { etag: `"${md5(found)}"`, ...(method === 'HEAD' && { 'content-length': found.length }) },
    };
  };
  const answer = (asked: Asked): Answer => {
    const { method, key, query } = asked;
    const id = query.get('uploadId');
    if (id !== null) return toUpload(id, asked);
    if (!query.has('uploads')) return toObject(asked);
    if (method === 'POST') {
      const made = randomUUID();
      uploads.set(made, { key, parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`);
    }
    const listed = [...uploads].map(([one, at]) => `<Upload><Key>${at.key}</Key><UploadId>${one}</UploadId></Upload>`);
    return xml(`<ListMultipartUploadsResult>${listed.join('')}</ListMultipartUploadsResult>`);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://store');
    const key = decodeURIComponent(url.pathname.slice(`/${bucket}/`.length));
    const sent = await buffer(request).catch(() => undefined);
    if (!sent) return;
    const asked = { method: request.method ?? '', key, query: url.searchParams, body: sent };
    const { status, headers, body } = answer(asked);
    response.writeHead(status, headers).end(body);
  };

  const server = createServer((request, response) => void serve(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server on a TCP port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    bucket,
    objects,
    uploads: () => [...uploads.keys()],
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

import type { FastifyRequest } from 'fastify';
import { AppError, invalidField, messageOf } from '../base/index.ts';
import { type Checksum, CHECKSUM_ALGORITHMS } from '../ingest/index.ts';
import { validateMetadata } from './routes/upload.ts';
import type { UploadMetadata } from './wire/media.ts';

/** The headers of tus 1.0 (https://tus.io/protocols/resumable-upload). */
export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = 'creation,creation-with-upload,termination,checksum,expiration';
export const PART_TYPE = 'application/offset+octet-stream';

const one = (request: FastifyRequest, name: string): string | undefined => [request.headers[name]].flat()[0];

/** "The Server MUST respond with 412 and MUST include Tus-Version" to another version. */
export function checkTusVersion(request: FastifyRequest): void {
  const given = one(request, 'tus-resumable');
  if (given === TUS_VERSION) return;
  const received = given === undefined ? 'none' : given.slice(0, 60);
  throw new AppError(
    'tus_version_unsupported',
    `expected the header Tus-Resumable: ${TUS_VERSION}, received ${received}`,
  );
}

function readWhole(request: FastifyRequest, name: string): number {
  const given = one(request, name.toLowerCase());
  const value = Number(given);
  if (given !== undefined && /^\d{1,16}$/.test(given) && Number.isSafeInteger(value)) return value;
  throw invalidField(
    name,
    `expected a number of bytes, received ${given === undefined ? 'nothing' : given.slice(0, 60)}`,
  );
}

export const readOffset = (request: FastifyRequest): number => readWhole(request, 'Upload-Offset');

/** @throws AppError `validation_failed`, `file_empty` */
export function readLength(request: FastifyRequest): number {
  if (one(request, 'upload-defer-length') !== undefined) {
    throw invalidField(
      'Upload-Defer-Length',
      'expected the length of the file in Upload-Length: it cannot be told later',
    );
  }
  const length = readWhole(request, 'Upload-Length');
  if (length === 0) throw new AppError('file_empty', 'expected a file, received an Upload-Length of 0');
  return length;
}

/** `Upload-Checksum: sha1 <Base64>`, for the body of one request. */
export function readChecksum(request: FastifyRequest): Checksum | undefined {
  const given = one(request, 'upload-checksum');
  if (given === undefined) return undefined;
  const [name, encoded = '', ...more] = given.trim().split(' ');
  const algorithm = CHECKSUM_ALGORITHMS.find((known) => known === name);
  const digest = Buffer.from(encoded, 'base64');
  if (algorithm === undefined || digest.length === 0 || more.length > 0) {
    const detail = `expected one of ${CHECKSUM_ALGORITHMS.join(', ')}, a space and a checksum in Base64, received ${given.slice(0, 60)}`;
    throw invalidField('Upload-Checksum', detail);
  }
  return { algorithm, digest };
}

/** What clients send along of the file, and the service finds out itself. */
const IGNORED = new Set(['filetype', 'type', 'relativePath']);

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  rating: (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
  details: (text) => JSON.parse(text),
  // A list in JSON, or IDs with commas between.
  tag_options: (text) => JSON.parse(text.trim().startsWith('[') ? text : `[${text}]`),
  collections: (text) => JSON.parse(text.trim().startsWith('[') ? text : `[${text}]`),
};

/** "Keys MUST be ASCII and unique; values Base64, and may be left out." */
function readPairs(header: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of header.split(',').map((text) => text.trim())) {
    const [key = '', encoded = '', ...more] = pair.split(' ');
    if (!/^[\x21-\x7e]+$/.test(key) || more.length > 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) {
      const detail = `expected pairs of a key and a value in Base64 with commas between, received ${pair.slice(0, 60)}`;
      throw invalidField('Upload-Metadata', detail);
    }
    if (pairs.has(key)) throw invalidField('Upload-Metadata', `expected every key once, received ${key} twice`);
    try {
      pairs.set(key, new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64')));
    } catch (cause) {
      throw new AppError('validation_failed', `Upload-Metadata: expected ${key} in UTF-8`, {
        cause,
        errors: [{ pointer: `/metadata/${key}`, code: 'invalid', detail: 'expected UTF-8 in Base64' }],
      });
    }
  }
  return pairs;
}

export type TusMetadata = {
  /** The header as it came. */
  readonly header: string | null;
  readonly fileName: string | undefined;
  readonly metadata: UploadMetadata;
};

/**
 * `Upload-Metadata`: the name of the file, and each field of an upload under its own key or all of them as JSON under `metadata`.
 * @throws AppError `validation_failed` with the pointers of a multipart upload: `/metadata/rating`
 */
export function readMetadataHeader(request: FastifyRequest): TusMetadata {
  const header = one(request, 'upload-metadata') ?? '';
  const pairs = readPairs(header.trim() === '' ? 'filetype' : header);
  let fields: Record<string, unknown> = {};
  const read = (key: string, parse: (text: string) => unknown): unknown => {
    try {
      return parse(pairs.get(key) ?? '');
    } catch (cause) {
      const pointer = key === 'metadata' ? '/metadata' : `/metadata/${key}`;
      throw invalidField(pointer, `expected JSON, ${messageOf(cause)}`);
    }
  };
  if (pairs.has('metadata')) {
    const all = read('metadata', (text) => JSON.parse(text));
    if (typeof all !== 'object' || all === null || Array.isArray(all)) {
      throw invalidField('/metadata', 'expected an object in JSON, received something else');
    }
    fields = { ...all };
  }
  for (const key of pairs.keys()) {
    if (key === 'metadata' || key === 'filename' || IGNORED.has(key)) continue;
    fields[key] = read(key, readers[key] ?? String);
  }
  return {
    header: header === '' ? null : header,
    fileName: pairs.get('filename'),
    metadata: validateMetadata(fields, '/metadata'),
  };
}

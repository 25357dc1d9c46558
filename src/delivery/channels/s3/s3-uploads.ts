/**
 * The two requests that bring bytes, PutObject and UploadPart, without the client library, whose own work takes as long as all else that
 * is done with a small file. The MD5 is signed and compared by the store, so that it binds the body, over plain HTTP too; hashing
 * the body once more for the signature would cost both sides.
 */
import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { ChannelError } from '../../channel.ts';
import { createHttpPuts, type HttpAnswer, type HttpPuts } from './s3-http.ts';
import { toldBy } from './s3-region.ts';
import {
  createS3Signer,
  encodePart,
  queryOf,
  type S3Credentials,
  type S3Signer,
  UNSIGNED_BODY,
} from './s3-signature.ts';

export type S3Upload = {
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** In hex. */
  readonly md5: string;
  /**
   * Whether it may be sent again when nobody knows what became of it. A part may. An object must not: it may be visible, and be
   * delivered twice, or be found under its own name.
   */
  readonly mayRepeat: boolean;
  readonly signal: AbortSignal;
};
export type S3Uploaded = { readonly etag: string; readonly version: string | undefined };
export type S3Uploads = {
  /** Once it is answered, the memory of the body is free. @throws S3Refusal, or what the network says */
  send(upload: S3Upload): Promise<S3Uploaded>;
  close(): void;
};

/** What the store said instead of yes, in the form of the client library's errors. */
export class S3Refusal extends Error {
  readonly $metadata: { readonly httpStatusCode: number; readonly requestId: string | undefined };
  readonly region: string | undefined;
  readonly endpoint: string | undefined;
  constructor({ status, headers, text }: HttpAnswer) {
    super(`the S3 store answered ${status}`);
    this.name = /<Code>\s*([\w.-]+)\s*<\/Code>/.exec(text)?.[1] ?? 'UnknownError';
    ({ region: this.region, endpoint: this.endpoint } = toldBy(headers, text));
    const requestId = headers['x-amz-request-id'];
    this.$metadata = { httpStatusCode: status, requestId: typeof requestId === 'string' ? requestId : undefined };
  }
}

const TRIES = 3;
const WAIT_MS = 100;
/** The store did nothing: whatever it was may be sent again. */
const NOT_NOW: ReadonlySet<string> = new Set(['SlowDown', 'ServiceUnavailable', 'RequestTimeout']);
/** What a store, or the policy of a bucket, says to a body without a signed SHA-256. */
const WANTS_SIGNED_BODY: ReadonlySet<string> = new Set(['AccessDenied', 'XAmzContentSHA256Mismatch']);

type Access = {
  readonly client: S3Client;
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly credentials: S3Credentials;
  readonly connections: number;
  readonly stallMs: number;
};
type Store = { readonly url: URL; readonly http: HttpPuts; readonly sign: S3Signer };

export function createS3Uploads(access: Access): S3Uploads {
  let store: Store | undefined;
  let signsBodies = false;
  let clockAheadMs = 0;

  const once = (upload: S3Upload, isSigned: boolean): Promise<HttpAnswer> => {
    store ??= openStore(access);
    const { url, http, sign } = store;
    const { key, query = {}, body, signal } = upload;
    const path = `${url.pathname.replace(/\/$/, '')}/${key.split('/').map(encodePart).join('/')}`;
    const headers = sign({
      method: 'PUT',
      host: url.host,
      path,
      query,
      headers: { ...upload.headers, 'content-md5': Buffer.from(upload.md5, 'hex').toString('base64') },
      bodySha256: isSigned ? hash('sha256', body) : UNSIGNED_BODY,
      at: new Date(Date.now() + clockAheadMs),
    });
    const search = queryOf(query);
    return http.send({ path: search === '' ? path : `${path}?${search}`, headers, body, signal });
  };
  /** Sends again what was refused for its form alone. */
  const accepted = async (upload: S3Upload): Promise<S3Uploaded> => {
    const answer = await once(upload, signsBodies);
    if (answer.status < 300) return uploadedOf(answer);
    const refusal = new S3Refusal(answer);
    const isUnsigned = !signsBodies && WANTS_SIGNED_BODY.has(refusal.name);
    const theirMs = refusal.name === 'RequestTimeTooSkewed' ? Date.parse(answer.headers.date ?? '') : Number.NaN;
    if (!isUnsigned && Number.isNaN(theirMs)) throw refusal;
    if (!Number.isNaN(theirMs)) clockAheadMs = theirMs - Date.now();
    const second = await once(upload, signsBodies || isUnsigned);
    if (second.status >= 300) throw new S3Refusal(second);
    signsBodies ||= isUnsigned;
    return uploadedOf(second);
  };
  return {
    async send(upload) {
      for (let tried = 1; ; tried += 1) {
        try {
          return await accepted(upload);
        } catch (error) {
          if (upload.signal.aborted || tried === TRIES || !isRepeatable(error, upload.mayRepeat)) throw error;
          await delay(WAIT_MS * 2 ** tried * Math.random(), undefined, { signal: upload.signal });
        }
      }
    },
    close: () => store?.http.close(),
  };
}

function uploadedOf({ headers }: HttpAnswer): S3Uploaded {
  const version = headers['x-amz-version-id'];
  return { etag: (headers.etag ?? '').replaceAll('"', ''), version: typeof version === 'string' ? version : undefined };
}

function isRepeatable(error: unknown, mayRepeat: boolean): boolean {
  if (!(error instanceof S3Refusal)) return mayRepeat;
  const { httpStatusCode: status } = error.$metadata;
  return NOT_NOW.has(error.name) || (mayRepeat && (status >= 500 || status === 429));
}

/** The client library knows where the buckets of all regions are. */
function openStore(access: Access): Store {
  const { client, bucket, region, endpoint, credentials, connections, stallMs } = access;
  const found = client.config.endpointProvider({
    Bucket: bucket,
    Region: region,
    ForcePathStyle: client.config.forcePathStyle,
    ...(endpoint !== undefined && { Endpoint: endpoint }),
  });
  const schemes: unknown = found.properties?.['authSchemes'];
  const scheme = Array.isArray(schemes) ? schemes.find(isVersion4) : undefined;
  if (!scheme) {
    throw new ChannelError(
      'unsupported',
      'expected a bucket that takes AWS Signature 4, received another kind of bucket',
    );
  }
  return {
    url: found.url,
    http: createHttpPuts({ url: found.url, connections, stallMs }),
    sign: createS3Signer({ credentials, region: scheme.signingRegion ?? region, service: 's3' }),
  };
}

function isVersion4(scheme: unknown): scheme is { readonly name: 'sigv4'; readonly signingRegion?: string } {
  return typeof scheme === 'object' && scheme !== null && 'name' in scheme && scheme.name === 'sigv4';
}

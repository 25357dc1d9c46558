import { createHash } from 'node:crypto';
import { Upload, type UploadOptions } from 'tus-js-client';
import type { TestApp } from './app.ts';

export type TusAnswer = {
  readonly status: number;
  readonly headers: Headers;
  // The shape depends on the request.
  readonly body: any;
  readonly offset: number;
  readonly mediaId: number | undefined;
};

export type TusOptions = {
  readonly key?: string;
  readonly body?: Uint8Array | ReadableStream<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Pairs of `Upload-Metadata`. */
export function metadataHeader(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
}

export const checksumHeader = (algorithm: string, bytes: Uint8Array): string =>
  `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;

/** One request of tus without a client library, for what none of them sends. */
export async function tus(
  service: Pick<TestApp, 'url' | 'key'>,
  method: string,
  path: string,
  { key, body, headers }: TusOptions = {},
): Promise<TusAnswer> {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      'X-Api-Key': key ?? service.key,
      'Tus-Resumable': '1.0.0',
      ...(body && { 'Content-Type': 'application/offset+octet-stream' }),
      ...headers,
    },
    // What fetch asks for when the body is a stream.
    ...(body && { body: body instanceof Uint8Array ? new Uint8Array(body) : body, duplex: 'half' }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : JSON.parse(text),
    offset: Number(response.headers.get('upload-offset') ?? Number.NaN),
    mediaId: Number(response.headers.get('touchline-media-id') ?? 0) || undefined,
  };
}

/** Begins an upload and answers its path. */
export async function createUpload(
  service: Pick<TestApp, 'url' | 'key'>,
  length: number,
  options: TusOptions & { readonly pairs?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const answer = await tus(service, 'POST', '/v1/upload', {
    ...options,
    headers: {
      'Upload-Length': String(length),
      ...(options.pairs && { 'Upload-Metadata': metadataHeader(options.pairs) }),
      ...options.headers,
    },
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.headers.get('location') ?? '';
}

/** Sends a part. */
export function sendPart(
  service: Pick<TestApp, 'url' | 'key'>,
  path: string,
  part: { readonly offset: number; readonly body: Uint8Array | ReadableStream<Uint8Array> } & Omit<TusOptions, 'body'>,
): Promise<TusAnswer> {
  const { offset, body, headers, ...rest } = part;
  return tus(service, 'PATCH', path, { ...rest, body, headers: { 'Upload-Offset': String(offset), ...headers } });
}

export type ClientUpload = {
  /** The upload, absolute. */
  readonly url: string;
  /** Of the header that the last answer carried; a client that lost that answer asks for the upload. */
  readonly mediaId: number | undefined;
  /** `METHOD status offset`, in order; a request without an answer is not among them. */
  readonly answers: readonly string[];
};

/** Uploads with the reference client, which resumes by itself. */
export function uploadWithClient(
  target: { readonly url: string; readonly key: string },
  bytes: Buffer,
  options: Pick<UploadOptions, 'metadata' | 'chunkSize' | 'retryDelays' | 'uploadDataDuringCreation' | 'uploadUrl'> & {
    /** Of the answer to each request. */
    readonly onAnswer?: (method: string, offset: number) => void;
  } = {},
): Promise<ClientUpload> {
  const { onAnswer, ...rest } = options;
  const answers: string[] = [];
  let mediaId: number | undefined;
  return new Promise((resolve, reject) => {
    const upload: Upload = new Upload(bytes, {
      endpoint: `${target.url}/v1/upload`,
      headers: { 'X-Api-Key': target.key },
      // tus-js-client takes no delay for "never": a restart takes seconds.
      retryDelays: Array.from({ length: 1000 }, () => 100),
      ...rest,
      onAfterResponse: (request, response) => {
        const given = response.getHeader('Upload-Offset');
        answers.push(`${request.getMethod()} ${response.getStatus()} ${given ?? '-'}`);
        mediaId = Number(response.getHeader('Touchline-Media-Id') ?? 0) || mediaId;
        if (given !== undefined) onAnswer?.(request.getMethod(), Number(given));
      },
      onSuccess: () => resolve({ url: upload.url ?? '', mediaId, answers }),
      onError: reject,
    });
    upload.start();
  });
}

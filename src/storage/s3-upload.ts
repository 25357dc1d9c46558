import { Readable } from 'node:stream';
import { HeadObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { AppError, MIB } from '../base/index.ts';
import { type ExpectedBytes, readVerified } from './verified-read.ts';

/** Up to here one request is quicker than the four of a multipart upload, and its body can be sent again as it is. */
const SINGLE_REQUEST_BYTES = 16 * MIB;
/** S3 takes 10,000 parts of at most 5 GiB. */
const PARTS_MAX = 9_000;
/** 3 x 16 MiB in memory for each upload. */
const PARTS_AT_ONCE = 3;

type Target = {
  readonly Bucket: string;
  readonly Key: string;
  readonly ContentType: string;
  readonly Metadata: Record<string, string>;
};

/** Stores a file; the object appears when all bytes have arrived and are the expected ones. */
export async function uploadFile(
  client: S3Client,
  upload: { readonly path: string; readonly target: Target; readonly expected: ExpectedBytes },
): Promise<void> {
  const { target, expected } = upload;
  if (expected.bytes <= SINGLE_REQUEST_BYTES) await putWhole(client, upload);
  else await putParts(client, upload);
  const { Bucket, Key } = target;
  const stored = await client.send(new HeadObjectCommand({ Bucket, Key }), abortOptions(expected.signal));
  if (stored.ContentLength !== expected.bytes) {
    throw new AppError('unavailable', `expected ${expected.bytes} stored bytes, received ${stored.ContentLength}`);
  }
}

/** `abortSignal` only when there is a signal: the SDK's options do not take `undefined`. */
export function abortOptions(signal: AbortSignal | undefined): { readonly abortSignal?: AbortSignal } {
  return signal ? { abortSignal: signal } : {};
}

type FileUpload = { readonly path: string; readonly target: Target; readonly expected: ExpectedBytes };

async function putWhole(client: S3Client, { path, target, expected }: FileUpload): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of readVerified(path, expected)) chunks.push(chunk);
  const command = new PutObjectCommand({ ...target, Body: Buffer.concat(chunks), ContentLength: expected.bytes });
  await client.send(command, abortOptions(expected.signal));
}

/**
 * Aborting and wrong bytes both end the body with an error: the upload then never completes, and it waits for the parts
 * under way before it discards them. (The uploader's own abort leaves those requests running behind our back.)
 */
async function putParts(client: S3Client, { path, target, expected }: FileUpload): Promise<void> {
  let failure: unknown;
  async function* body(): AsyncGenerator<Buffer> {
    try {
      yield* readVerified(path, expected);
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  const upload = new Upload({
    client,
    queueSize: PARTS_AT_ONCE,
    partSize: Math.max(SINGLE_REQUEST_BYTES, Math.ceil(expected.bytes / PARTS_MAX)),
    params: { ...target, Body: Readable.from(body(), { objectMode: false }) },
  });
  try {
    await upload.done();
  } catch (error) {
    // When discarding the parts fails as well, that error comes here; the first one says what happened.
    throw failure ?? error;
  }
}

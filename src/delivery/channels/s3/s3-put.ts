/**
 * One request for small files, else a multipart upload that is completed when every byte was checked. Each body is sent with its MD5,
 * which the store compares; the store's ETag, the MD5 of these, is its own word about the whole. Stores that encrypt with keys of
 * their own answer another ETag: their object is read back.
 */
import { hash } from 'node:crypto';
import {
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  type S3Client,
  type ServerSideEncryption,
  type StorageClass,
} from '@aws-sdk/client-s3';
import { MIB, MINUTE_MS, SECOND_MS } from '../../../base/index.ts';
import { ChannelError, type PutOptions } from '../../channel.ts';
import type { PutMemory } from '../file-pieces.ts';
import { networkFault, sourceChanged, withinLimit } from '../transfer.ts';
import { s3Name } from './s3-faults.ts';
import type { HashThread } from './s3-hashes.ts';
import type { S3Source } from './s3-source.ts';
import { S3Refusal, type S3Uploaded, type S3Uploads } from './s3-uploads.ts';

/** Up to here one request is quicker than the four of a multipart upload. */
export const PART_BYTES = 8 * MIB;
/** One request with its retries: a part at 0.5 Mbit/s. */
export const REQUEST_LIMIT_MS = 5 * MINUTE_MS;
/** Up to here hashing takes no longer than a few messages to another thread. */
const HASHED_HERE_BYTES = MIB;
/** To find out what became of an object whose answer was lost; the next try asks again. */
const LOOK_LIMIT_MS = 10 * SECOND_MS;

export type S3Place = {
  readonly client: S3Client;
  readonly uploads: S3Uploads;
  readonly hashes: HashThread;
  readonly memory: PutMemory;
  readonly classify: (error: unknown) => ChannelError;
  readonly Bucket: string;
  readonly Key: string;
  readonly headers: {
    readonly StorageClass?: StorageClass;
    readonly ServerSideEncryption?: ServerSideEncryption;
    readonly SSEKMSKeyId?: string;
  };
};
export type Stored = {
  readonly etag: string;
  readonly expectedEtag: string;
  readonly version: string | undefined;
  readonly sentBytes: number;
};

export const limited = <Result>(
  { signal }: Pick<PutOptions, 'signal'>,
  work: (abortSignal: AbortSignal) => Promise<Result>,
): Promise<Result> => withinLimit({ signal, limitMs: REQUEST_LIMIT_MS, what: 'an answer of the S3 store' }, work);

export const plain = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '');

export const nameTaken = (path: string): ChannelError =>
  new ChannelError('name_taken', `expected no object under ${path}, received one`);

/** Stores a file that fits into one request. */
export async function putWhole(place: S3Place, put: PutOptions, source: S3Source): Promise<Stored> {
  const { uploads, memory, Key } = place;
  const { bytes, md5 } = await readWhole(place, put, source);
  const headers = { ...headersOf(place), 'content-type': put.contentType, 'x-amz-meta-sha256': put.sha256 };
  const stored = { expectedEtag: md5, sentBytes: put.bytes };
  try {
    const answer = await onlyIfFree(put, (condition) => {
      const conditions = condition.IfNoneMatch === undefined ? {} : { 'if-none-match': condition.IfNoneMatch };
      const upload = { key: Key, headers: { ...headers, ...conditions }, body: bytes, md5, mayRepeat: false };
      return limited(put, (signal) => uploads.send({ ...upload, signal }));
    });
    memory.give(bytes);
    put.onProgress?.(put.bytes);
    return { ...stored, ...answer };
  } catch (error) {
    const found = isLostAnswer(error) ? await findStored(place, put) : undefined;
    if (!found) throw error;
    put.onProgress?.(put.bytes);
    return { ...stored, ...found };
  }
}

/** All bytes in memory, with their MD5, when they are those that were said. */
async function readWhole(
  { hashes, memory }: S3Place,
  put: PutOptions,
  source: S3Source,
): Promise<{ readonly bytes: Buffer<ArrayBuffer>; readonly md5: string }> {
  let whole = Buffer.allocUnsafeSlow(0);
  for await (const piece of source.pieces(Math.max(1, put.bytes))) whole = piece;
  const hashed = whole.length <= HASHED_HERE_BYTES ? hashHere(whole) : await hashThere(hashes, whole);
  const { bytes, md5, sha256 } = hashed;
  if (sha256 === put.sha256) return { bytes, md5 };
  memory.give(bytes);
  throw sourceChanged();
}

const hashHere = (bytes: Buffer<ArrayBuffer>) => ({ bytes, md5: hash('md5', bytes), sha256: hash('sha256', bytes) });

async function hashThere(hashes: HashThread, whole: Buffer<ArrayBuffer>) {
  const file = hashes.open();
  const { bytes, md5 } = await file.part(whole);
  return { bytes, md5, sha256: await file.sha256() };
}

function headersOf({ headers }: S3Place): Readonly<Record<string, string>> {
  const { StorageClass, ServerSideEncryption, SSEKMSKeyId } = headers;
  return {
    ...(StorageClass !== undefined && { 'x-amz-storage-class': StorageClass }),
    ...(ServerSideEncryption !== undefined && { 'x-amz-server-side-encryption': ServerSideEncryption }),
    ...(SSEKMSKeyId !== undefined && { 'x-amz-server-side-encryption-aws-kms-key-id': SSEKMSKeyId }),
  };
}

/** Some compatible stores do not know the condition; the name was looked up before. */
export async function onlyIfFree<Answer>(
  put: PutOptions,
  send: (condition: { readonly IfNoneMatch?: '*' }) => Promise<Answer>,
): Promise<Answer> {
  if (put.replace) return send({});
  try {
    return await send({ IfNoneMatch: '*' });
  } catch (error) {
    if (s3Name(error) !== 'NotImplemented') throw error;
    return send({});
  }
}

/** Whether the object may be there for all that this error says. */
function isLostAnswer(error: unknown): boolean {
  if (error instanceof S3Refusal) return error.$metadata.httpStatusCode >= 500;
  if (error instanceof ChannelError) return ['timeout', 'connection_lost'].includes(error.code);
  return networkFault(error)?.code !== 'unreachable';
}

/** The object of this put, when the store has it although its answer was lost. */
async function findStored(place: S3Place, put: PutOptions): Promise<S3Uploaded | undefined> {
  if (put.signal.aborted) return undefined;
  const signal = AbortSignal.any([put.signal, AbortSignal.timeout(LOOK_LIMIT_MS)]);
  const head = await headObject(place, signal).catch(() => undefined);
  return isOurs(head, put) ? { etag: plain(head.ETag), version: head.VersionId } : undefined;
}

/** What an object says of itself; its bytes are shown by the ETag, or read back. */
export function isOurs(
  head: HeadObjectCommandOutput | undefined,
  { bytes, sha256 }: PutOptions,
): head is HeadObjectCommandOutput {
  return head !== undefined && head.Metadata?.['sha256'] === sha256 && head.ContentLength === bytes;
}

/** The store's present word about an object; undefined when there is none. */
export async function headObject(place: S3Place, signal: AbortSignal): Promise<HeadObjectCommandOutput | undefined> {
  const { client, Bucket, Key } = place;
  try {
    return await limited({ signal }, (abortSignal) =>
      client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal }),
    );
  } catch (error) {
    // HEAD has no body, so that a missing bucket says no more than a missing key.
    if (['NotFound', 'NoSuchKey'].includes(s3Name(error))) return undefined;
    throw error;
  }
}

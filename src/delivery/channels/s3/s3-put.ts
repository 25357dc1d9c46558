/**
 * One request for small files, else a multipart upload that is completed when every byte was checked. Each part is sent with its MD5,
 * which the store compares; the store's ETag, the MD5 of these, is its own word about the whole. Stores that encrypt with keys of
 * their own answer another ETag: their object is read back.
 */
import { createHash } from 'node:crypto';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  type ServerSideEncryption,
  type StorageClass,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { MIB, MINUTE_MS } from '../../../base/index.ts';
import { ChannelError, type PutOptions, type PutResult } from '../../channel.ts';
import { type CheckedSource, piecesOf, withinLimit } from '../transfer.ts';
import { s3Name } from './s3-faults.ts';

/** Up to here one request is quicker than the four of a multipart upload. */
export const PART_BYTES = 8 * MIB;
/** S3 takes 10,000 parts. */
const PARTS_MAX = 9_000;
/** With the one that is being read: 32 MiB in memory for a put. */
export const PARTS_AT_ONCE = 3;
/** One request with its retries: a part at 0.5 Mbit/s. */
export const REQUEST_LIMIT_MS = 5 * MINUTE_MS;

export type S3Place = {
  readonly client: S3Client;
  readonly Bucket: string;
  readonly Key: string;
  readonly headers: {
    readonly StorageClass?: StorageClass;
    readonly ServerSideEncryption?: ServerSideEncryption;
    readonly SSEKMSKeyId?: string;
  };
};
type Stored = {
  readonly etag: string;
  readonly expectedEtag: string;
  readonly version: string | undefined;
  readonly sentBytes: number;
};

/** Stores the object; its checksum is left to the caller when `verified` is undefined. */
export async function putObject(
  place: S3Place,
  put: PutOptions,
  source: CheckedSource,
): Promise<Omit<PutResult, 'verified'> & { readonly verified: 'checksum' | undefined }> {
  const stored = put.bytes <= PART_BYTES ? await putWhole(place, put, source) : await putParts(place, put, source);
  const { etag, expectedEtag, version, sentBytes } = stored;
  return {
    verified: etag === expectedEtag ? 'checksum' : undefined,
    ...(etag !== '' && { etag, checksum: etag }),
    ...(version !== undefined && { version }),
    sentBytes,
  };
}

const limited = <Result>(put: PutOptions, work: (abortSignal: AbortSignal) => Promise<Result>): Promise<Result> =>
  withinLimit({ signal: put.signal, limitMs: REQUEST_LIMIT_MS, what: 'an answer of the S3 store' }, work);

const md5 = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest();
const plain = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '');

async function putWhole(
  { client, Bucket, Key, headers }: S3Place,
  put: PutOptions,
  source: CheckedSource,
): Promise<Stored> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source.chunks) chunks.push(chunk);
  const Body = Buffer.concat(chunks);
  const digest = md5(Body);
  const input = {
    Bucket,
    Key,
    Body,
    ContentLength: Body.length,
    ContentType: put.contentType,
    ContentMD5: digest.toString('base64'),
    Metadata: { sha256: put.sha256 },
    ...headers,
  };
  const answer = await onlyIfFree(put, (condition) =>
    limited(put, (abortSignal) => client.send(new PutObjectCommand({ ...input, ...condition }), { abortSignal })),
  );
  put.onProgress?.(put.bytes);
  return {
    etag: plain(answer.ETag),
    expectedEtag: digest.toString('hex'),
    version: answer.VersionId,
    sentBytes: put.bytes,
  };
}

/** Some compatible stores do not know the condition; the name was looked up before. */
async function onlyIfFree<Answer>(
  put: PutOptions,
  send: (condition: { readonly IfNoneMatch?: string }) => Promise<Answer>,
): Promise<Answer> {
  if (put.replace) return send({});
  try {
    return await send({ IfNoneMatch: '*' });
  } catch (error) {
    if (s3Name(error) !== 'NotImplemented') throw error;
    return send({});
  }
}

type PartMark = { readonly ETag: string; readonly bytes: number };

async function putParts(place: S3Place, put: PutOptions, source: CheckedSource): Promise<Stored> {
  const { client, Bucket, Key } = place;
  const present = await findParts(place, put);
  const UploadId = present?.uploadId ?? (await beginUpload(place, put));
  const parts: CompletedPart[] = [];
  const digests: Buffer[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let [sentBytes, doneBytes, PartNumber] = [0, 0, 0];
  const send = async (Body: Buffer, part: { readonly PartNumber: number; readonly digest: Buffer }): Promise<void> => {
    const ContentMD5 = part.digest.toString('base64');
    const command = new UploadPartCommand({
      Bucket,
      Key,
      UploadId,
      PartNumber: part.PartNumber,
      Body,
      ContentLength: Body.length,
      ContentMD5,
    });
    const { ETag } = await limited(put, (abortSignal) => client.send(command, { abortSignal }));
    parts.push({ PartNumber: part.PartNumber, ETag });
    sentBytes += Body.length;
    doneBytes += Body.length;
    put.onProgress?.(doneBytes);
  };
  try {
    for await (const piece of piecesOf(source.chunks, partBytes(put))) {
      PartNumber += 1;
      const digest = md5(piece);
      digests.push(digest);
      const there = present?.parts.get(PartNumber);
      if (there && plain(there.ETag) === digest.toString('hex') && there.bytes === piece.length) {
        parts.push({ PartNumber, ETag: there.ETag });
        doneBytes += piece.length;
        put.onProgress?.(doneBytes);
        continue;
      }
      const sending = send(piece, { PartNumber, digest })
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
      if (underWay.size >= PARTS_AT_ONCE) await Promise.race(underWay);
      if (failure) throw failure.error;
    }
  } finally {
    // What is under way may arrive, so that the next try finds it.
    await Promise.all(underWay);
  }
  if (failure) throw failure.error;
  const Parts = parts.toSorted((left, right) => (left.PartNumber ?? 0) - (right.PartNumber ?? 0));
  const input = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
  const answer = await onlyIfFree(put, (condition) =>
    limited(put, (abortSignal) =>
      client.send(new CompleteMultipartUploadCommand({ ...input, ...condition }), { abortSignal }),
    ),
  );
  const expectedEtag = `${md5(Buffer.concat(digests)).toString('hex')}-${digests.length}`;
  return { etag: plain(answer.ETag), expectedEtag, version: answer.VersionId, sentBytes };
}

const partBytes = (put: PutOptions): number => Math.max(PART_BYTES, Math.ceil(put.bytes / PARTS_MAX));

async function beginUpload({ client, Bucket, Key, headers }: S3Place, put: PutOptions): Promise<string> {
  const input = { Bucket, Key, ContentType: put.contentType, Metadata: { sha256: put.sha256 }, ...headers };
  const { UploadId } = await limited(put, (abortSignal) =>
    client.send(new CreateMultipartUploadCommand(input), { abortSignal }),
  );
  if (UploadId === undefined) throw new ChannelError('failed', 'expected an upload ID of the S3 store, received none');
  await put.onToken?.(UploadId);
  return UploadId;
}

/** The parts of an earlier try; undefined when its upload is gone, or the store has no list of parts. */
async function findParts(
  { client, Bucket, Key }: S3Place,
  put: PutOptions,
): Promise<{ readonly uploadId: string; readonly parts: ReadonlyMap<number, PartMark> } | undefined> {
  const uploadId = put.resumeFrom;
  if (uploadId === undefined) return undefined;
  const parts = new Map<number, PartMark>();
  try {
    let PartNumberMarker: string | undefined;
    do {
      const page = await limited(put, (abortSignal) =>
        client.send(new ListPartsCommand({ Bucket, Key, UploadId: uploadId, PartNumberMarker }), { abortSignal }),
      );
      for (const { PartNumber, ETag, Size } of page.Parts ?? []) {
        if (PartNumber !== undefined && ETag !== undefined) parts.set(PartNumber, { ETag, bytes: Size ?? 0 });
      }
      PartNumberMarker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
    } while (PartNumberMarker !== undefined);
    return { uploadId, parts };
  } catch (error) {
    if (isRefusedList(error)) return undefined;
    throw error;
  }
}

function isRefusedList(error: unknown): boolean {
  return ['NoSuchUpload', 'NotImplemented', 'NoSuchKey', 'AccessDenied', 'MethodNotAllowed', 'SyntaxError'].includes(
    s3Name(error),
  );
}

/** The store's present word about an object; undefined when there is none. */
export async function headObject(place: S3Place, signal: AbortSignal) {
  const { client, Bucket, Key } = place;
  try {
    return await withinLimit({ signal, limitMs: REQUEST_LIMIT_MS, what: 'an answer of the S3 store' }, (abortSignal) =>
      client.send(new HeadObjectCommand({ Bucket, Key }), { abortSignal }),
    );
  } catch (error) {
    // HEAD has no body, so that a missing bucket says no more than a missing key.
    if (['NotFound', 'NoSuchKey'].includes(s3Name(error))) return undefined;
    throw error;
  }
}

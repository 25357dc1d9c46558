/**
 * One request for small files, else a multipart upload that is completed when every byte was checked. Each part is sent with its MD5,
 * which the store compares; the store's ETag, the MD5 of these, is its own word about the whole. Stores that encrypt with keys of
 * their own answer another ETag: their object is read back.
 */
import { createHash, webcrypto } from 'node:crypto';
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
import { type CheckedSource, piecesOf, wholeOf, withinLimit } from '../transfer.ts';
import type { BodyHashes } from './s3-body-hashes.ts';
import { s3Name } from './s3-faults.ts';
import type { Md5Thread } from './s3-md5.ts';

/** Up to here one request is quicker than the four of a multipart upload. */
export const PART_BYTES = 8 * MIB;
/** S3 takes 10,000 parts. */
const PARTS_MAX = 9_000;
/** With the one that is being read: 40 MiB in memory for a put. */
export const PARTS_AT_ONCE = 4;
/** One request with its retries: a part at 0.5 Mbit/s. */
export const REQUEST_LIMIT_MS = 5 * MINUTE_MS;

export type S3Place = {
  readonly client: S3Client;
  readonly bodyHashes: BodyHashes;
  readonly md5: Md5Thread;
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
  /** Beginning an upload was answered at the second asking: the first one may have begun another. */
  readonly wasBegunAgain: boolean;
};

/** Stores the object; its checksum is left to the caller when `verified` is undefined. */
export async function putObject(
  place: S3Place,
  put: PutOptions,
  source: CheckedSource,
): Promise<
  Omit<PutResult, 'verified'> & { readonly verified: 'checksum' | undefined; readonly wasBegunAgain: boolean }
> {
  const stored = put.bytes <= PART_BYTES ? await putWhole(place, put, source) : await putParts(place, put, source);
  const { etag, expectedEtag, version, sentBytes, wasBegunAgain } = stored;
  return {
    verified: etag === expectedEtag ? 'checksum' : undefined,
    ...(etag !== '' && { etag, checksum: etag }),
    ...(version !== undefined && { version }),
    sentBytes,
    wasBegunAgain,
  };
}

const limited = <Result>(put: PutOptions, work: (abortSignal: AbortSignal) => Promise<Result>): Promise<Result> =>
  withinLimit({ signal: put.signal, limitMs: REQUEST_LIMIT_MS, what: 'an answer of the S3 store' }, work);

const { subtle } = webcrypto;
const md5 = (bytes: Uint8Array): Buffer => createHash('md5').update(bytes).digest();
const plain = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '');

async function putWhole(
  { client, bodyHashes, Bucket, Key, headers }: S3Place,
  put: PutOptions,
  source: CheckedSource,
): Promise<Stored> {
  const Body = await wholeOf(source.chunks, put.bytes);
  bodyHashes.set(Body, put.sha256);
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
  const answer = await onlyIfFree(put, (condition) => {
    const command = new PutObjectCommand({ ...input, ...condition });
    return limited(put, (abortSignal) => client.send(command, { abortSignal }));
  });
  put.onProgress?.(put.bytes);
  return {
    etag: plain(answer.ETag),
    expectedEtag: digest.toString('hex'),
    version: answer.VersionId,
    sentBytes: put.bytes,
    wasBegunAgain: false,
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
  const { client, bodyHashes, Bucket, Key } = place;
  const present = await findParts(place, put);
  const begun = present ? { uploadId: present.uploadId, wasAskedAgain: false } : await beginUpload(place, put);
  const UploadId = begun.uploadId;
  const parts: CompletedPart[] = [];
  const digests: Buffer[] = [];
  const pieceBytes = partBytes(put);
  const used: Buffer<ArrayBuffer>[] = [];
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let [sentBytes, doneBytes, PartNumber] = [0, 0, 0];
  const keep = (
    piece: Buffer<ArrayBuffer>,
    part: { readonly PartNumber: number; readonly ETag: string | undefined },
  ): void => {
    parts.push(part);
    if (piece.length === pieceBytes) used.push(piece);
    doneBytes += piece.length;
    put.onProgress?.(doneBytes);
  };
  const send = async (piece: Buffer<ArrayBuffer>, PartNumber: number): Promise<void> => {
    const { bytes: Body, md5: digest } = await place.md5.digest(piece);
    digests[PartNumber - 1] = Buffer.from(digest, 'hex');
    const there = present?.parts.get(PartNumber);
    if (there && plain(there.ETag) === digest && there.bytes === Body.length) {
      return keep(Body, { PartNumber, ETag: there.ETag });
    }
    const ContentMD5 = Buffer.from(digest, 'hex').toString('base64');
    const input = { Bucket, Key, UploadId, PartNumber, Body, ContentLength: Body.length, ContentMD5 };
    // Hashed beside this thread, which has the hash of the whole to do.
    bodyHashes.set(Body, Buffer.from(await subtle.digest('SHA-256', Body)).toString('hex'));
    const { ETag } = await limited(put, (abortSignal) => client.send(new UploadPartCommand(input), { abortSignal }));
    sentBytes += Body.length;
    return keep(Body, { PartNumber, ETag });
  };
  try {
    for await (const piece of piecesOf(source.chunks, { pieceBytes, bytes: put.bytes, used })) {
      PartNumber += 1;
      const sending = send(piece, PartNumber)
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
  const expectedEtag = `${md5(Buffer.concat(digests)).toString('hex')}-${digests.length}`;
  const completed = await complete(place, put, { UploadId, Parts, expectedEtag });
  return { ...completed, expectedEtag, sentBytes, wasBegunAgain: begun.wasAskedAgain };
}

/** Makes the object, and answers what the store calls it. */
async function complete(
  place: S3Place,
  put: PutOptions,
  upload: { readonly UploadId: string; readonly Parts: CompletedPart[]; readonly expectedEtag: string },
): Promise<Pick<Stored, 'etag' | 'version'>> {
  const { client, Bucket, Key } = place;
  const { UploadId, Parts, expectedEtag } = upload;
  // Some stores do not know the condition below. Parts take minutes, in which another put may have got the name.
  if (!put.replace && (await headObject(place, put.signal))) throw nameTaken(put.path);
  try {
    const input = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
    const answer = await onlyIfFree(put, (condition) =>
      limited(put, (abortSignal) =>
        client.send(new CompleteMultipartUploadCommand({ ...input, ...condition }), { abortSignal }),
      ),
    );
    const etag = plain(answer.ETag);
    if (etag !== '') return { etag, version: answer.VersionId };
    // Ceph 16 leaves the ETag of its answer empty.
    const head = await headObject(place, put.signal);
    return { etag: plain(head?.ETag), version: answer.VersionId ?? head?.VersionId };
  } catch (error) {
    if (s3Name(error) !== 'NoSuchUpload') throw error;
    // The client asks again when an answer is lost, and the upload is over by then.
    const head = await headObject(place, put.signal);
    if (plain(head?.ETag) !== expectedEtag) throw error;
    return { etag: expectedEtag, version: head?.VersionId };
  }
}

export const nameTaken = (path: string): ChannelError =>
  new ChannelError('name_taken', `expected no object under ${path}, received one`);

const partBytes = (put: PutOptions): number => Math.max(PART_BYTES, Math.ceil(put.bytes / PARTS_MAX));

async function beginUpload(
  { client, Bucket, Key, headers }: S3Place,
  put: PutOptions,
): Promise<{ readonly uploadId: string; readonly wasAskedAgain: boolean }> {
  const input = { Bucket, Key, ContentType: put.contentType, Metadata: { sha256: put.sha256 }, ...headers };
  const { UploadId, $metadata } = await limited(put, (abortSignal) =>
    client.send(new CreateMultipartUploadCommand(input), { abortSignal }),
  );
  if (UploadId === undefined) throw new ChannelError('failed', 'expected an upload ID of the S3 store, received none');
  await put.onToken?.(UploadId);
  return { uploadId: UploadId, wasAskedAgain: ($metadata.attempts ?? 1) > 1 };
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

import { hash } from 'node:crypto';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
} from '@aws-sdk/client-s3';
import { ChannelError, type PutOptions } from '../../channel.ts';
import { sourceChanged } from '../transfer.ts';
import { s3Name } from './s3-faults.ts';
import type { FileHashes } from './s3-hashes.ts';
import {
  headObject,
  isOurs,
  limited,
  nameTaken,
  onlyIfFree,
  PART_BYTES,
  plain,
  type S3Place,
  type Stored,
} from './s3-put.ts';
import type { S3Source } from './s3-source.ts';
import { isRefusedList } from './s3-unfinished.ts';

/** S3 takes 10,000 parts. */
const PARTS_MAX = 9_000;
/** With the one that is read and hashed meanwhile: 40 MiB in memory for a put. */
export const PARTS_AT_ONCE = 4;

type PartMark = { readonly ETag: string; readonly bytes: number };
export type Upload = {
  readonly id: string;
  /** What an earlier try has brought. */
  readonly parts: ReadonlyMap<number, PartMark>;
  /** Its beginning was answered at the second asking: the first one may have begun another. */
  readonly wasAskedAgain: boolean;
};

/** Sends the parts that are missing, and completes the upload. */
export async function putParts(
  place: S3Place,
  put: PutOptions,
  { source, hashes, upload }: { readonly source: S3Source; readonly hashes: FileHashes; readonly upload: Upload },
): Promise<Stored> {
  const parts: CompletedPart[] = [];
  const digests: Buffer[] = [];
  const pieceBytes = Math.max(PART_BYTES, Math.ceil(put.bytes / PARTS_MAX));
  const underWay = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  let [sentBytes, doneBytes] = [0, 0];
  const keep = (bytes: Buffer<ArrayBuffer>, part: CompletedPart): void => {
    parts.push(part);
    place.memory.give(bytes);
    doneBytes += bytes.length;
    put.onProgress?.(doneBytes);
  };
  const send = async (bytes: Buffer<ArrayBuffer>, md5: string, PartNumber: number): Promise<void> => {
    const there = upload.parts.get(PartNumber);
    if (there && plain(there.ETag) === md5 && there.bytes === bytes.length) {
      return keep(bytes, { PartNumber, ETag: there.ETag });
    }
    const query = { partNumber: String(PartNumber), uploadId: upload.id };
    const request = { key: place.Key, query, headers: {}, body: bytes, md5, mayRepeat: true };
    const { etag } = await limited(put, (signal) => place.uploads.send({ ...request, signal }));
    sentBytes += bytes.length;
    return keep(bytes, { PartNumber, ETag: `"${etag}"` });
  };
  let sha256: string | undefined;
  try {
    for await (const piece of source.pieces(pieceBytes)) {
      const { bytes, md5 } = await hashes.part(piece);
      if (underWay.size >= PARTS_AT_ONCE) await Promise.race(underWay);
      if (failure) throw failure.error;
      const sending = send(bytes, md5, digests.push(Buffer.from(md5, 'hex')))
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
    sha256 = await hashes.sha256();
  } finally {
    if (sha256 === undefined) hashes.drop();
    // What is under way may arrive, so that the next try finds it.
    await Promise.all(underWay);
  }
  if (failure) throw failure.error;
  if (sha256 !== put.sha256) throw sourceChanged();
  const Parts = parts.toSorted((left, right) => (left.PartNumber ?? 0) - (right.PartNumber ?? 0));
  const expectedEtag = `${hash('md5', Buffer.concat(digests))}-${digests.length}`;
  const completed = await complete(place, put, { UploadId: upload.id, Parts });
  return { ...completed, expectedEtag, sentBytes };
}

/** Makes the object, and answers what the store calls it. */
async function complete(
  place: S3Place,
  put: PutOptions,
  upload: { readonly UploadId: string; readonly Parts: CompletedPart[] },
): Promise<Pick<Stored, 'etag' | 'version'>> {
  const { client, Bucket, Key } = place;
  const { UploadId, Parts } = upload;
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
    // The client asks again when an answer is lost, and the upload is over by then: an upload makes one object at most.
    if (!isOverSince(error)) throw error;
    const head = await headObject(place, put.signal);
    if (!isOurs(head, put)) throw error;
    return { etag: plain(head.ETag), version: head.VersionId };
  }
}

function isOverSince(error: unknown): boolean {
  const name = s3Name(error);
  return name === 'NoSuchUpload' || (name === 'PreconditionFailed' && attemptsOf(error) > 1);
}

/** How often the client asked before it gave up. */
function attemptsOf(error: unknown): number {
  if (!(error instanceof Error) || !('$metadata' in error)) return 1;
  const metadata: unknown = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('attempts' in metadata)) return 1;
  return typeof metadata.attempts === 'number' ? metadata.attempts : 1;
}

export async function beginUpload({ client, Bucket, Key, headers }: S3Place, put: PutOptions): Promise<Upload> {
  const input = { Bucket, Key, ContentType: put.contentType, Metadata: { sha256: put.sha256 }, ...headers };
  const { UploadId, $metadata } = await limited(put, (abortSignal) =>
    client.send(new CreateMultipartUploadCommand(input), { abortSignal }),
  );
  if (UploadId === undefined) throw new ChannelError('failed', 'expected an upload ID of the S3 store, received none');
  await put.onToken?.(UploadId);
  return { id: UploadId, parts: new Map(), wasAskedAgain: ($metadata.attempts ?? 1) > 1 };
}

/** The upload of an earlier try; undefined when it is gone, or the store has no list of parts. */
export async function findUpload({ client, Bucket, Key }: S3Place, put: PutOptions): Promise<Upload | undefined> {
  const id = put.resumeFrom;
  if (id === undefined) return undefined;
  const parts = new Map<number, PartMark>();
  try {
    let PartNumberMarker: string | undefined;
    do {
      const page = await limited(put, (abortSignal) =>
        client.send(new ListPartsCommand({ Bucket, Key, UploadId: id, PartNumberMarker }), { abortSignal }),
      );
      for (const { PartNumber, ETag, Size } of page.Parts ?? []) {
        if (PartNumber !== undefined && ETag !== undefined) parts.set(PartNumber, { ETag, bytes: Size ?? 0 });
      }
      PartNumberMarker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
    } while (PartNumberMarker !== undefined);
    return { id, parts, wasAskedAgain: false };
  } catch (error) {
    if (isRefusedList(error)) return undefined;
    throw error;
  }
}

import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, ListPartsCommand } from '@aws-sdk/client-s3';
import type { PutOptions } from '../../channel.ts';
import { s3Name } from './s3-faults.ts';
import { limited, type S3Place } from './s3-put.ts';

type Call = Pick<PutOptions, 'signal'>;

/** The IDs of all uploads of the key that were not completed. */
export async function listUploads({ client, Bucket, Key }: S3Place, call: Call): Promise<readonly string[]> {
  try {
    const { Uploads = [] } = await limited(call, (abortSignal) =>
      client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }), { abortSignal }),
    );
    return Uploads.flatMap((one) => (one.Key === Key && one.UploadId !== undefined ? [one.UploadId] : []));
  } catch (error) {
    // A store without the list: its lifecycle rules end what is unfinished.
    if (['NotImplemented', 'MethodNotAllowed', 'AccessDenied'].includes(s3Name(error))) return [];
    throw error;
  }
}

/** One that is gone is fine. */
export async function abortUpload({ client, Bucket, Key }: S3Place, call: Call & { readonly id: string }) {
  try {
    await limited(call, (abortSignal) =>
      client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId: call.id }), { abortSignal }),
    );
  } catch (error) {
    if (!['NoSuchUpload', 'NotFound'].includes(s3Name(error))) throw error;
  }
}

/**
 * Ends uploads that nobody knows the ID of, of those that were there when this put began: their beginning was never answered, so
 * that no part ever comes. One that has parts is of another put of the same key, or can be gone on from: it stays.
 */
export async function abortEmpty(place: S3Place, call: Call & { readonly ids: readonly string[] }): Promise<void> {
  for (const id of call.ids) {
    if (await isEmpty(place, { ...call, id })) await abortUpload(place, { ...call, id });
  }
}

async function isEmpty({ client, Bucket, Key }: S3Place, call: Call & { readonly id: string }): Promise<boolean> {
  try {
    const { Parts = [] } = await limited(call, (abortSignal) =>
      client.send(new ListPartsCommand({ Bucket, Key, UploadId: call.id, MaxParts: 1 }), { abortSignal }),
    );
    return Parts.length === 0;
  } catch (error) {
    if (isRefusedList(error)) return false;
    throw error;
  }
}

/** The upload is gone, or the store has no list of parts. */
export function isRefusedList(error: unknown): boolean {
  return ['NoSuchUpload', 'NotImplemented', 'NoSuchKey', 'AccessDenied', 'MethodNotAllowed', 'SyntaxError'].includes(
    s3Name(error),
  );
}

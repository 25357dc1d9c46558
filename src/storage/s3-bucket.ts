import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { AppError, SECOND_MS } from '../base/index.ts';
import { notFound } from './faults.ts';
import type { ByteRange, StoredObject } from './object-storage.ts';
import { isMissingObject, s3ErrorName, s3Fault } from './s3-client.ts';
import { abortOptions, uploadFile } from './s3-upload.ts';
import type { ExpectedBytes } from './verified-read.ts';

/** Hidden, hence no key can name it. */
const PROBE_KEY = '.touchline-probe';
/** Readiness is asked every few seconds and must not wait for all the retries. */
const CHECK_TIMEOUT_MS = 10 * SECOND_MS;
const REMOVALS_AT_ONCE = 16;

type ObjectAt = (key: string) => { readonly Bucket: string; readonly Key: string };

export type Bucket = ReturnType<typeof createBucket>;

/** The calls to the store, with the key prefix put on and errors translated. */
export function createBucket(client: S3Client, place: { readonly bucket: string; readonly base: string }) {
  const { bucket: Bucket, base } = place;
  const at: ObjectAt = (key) => ({ Bucket, Key: base + key });
  const context: Context = { client, at };
  return {
    stat: (key: string, signal?: AbortSignal) => statObject(context, key, signal),
    async upload(
      key: string,
      file: { readonly path: string; readonly contentType: string; readonly expected: ExpectedBytes },
    ): Promise<void> {
      const { path, contentType, expected } = file;
      const Metadata: Record<string, string> = expected.sha256 === undefined ? {} : { sha256: expected.sha256 };
      try {
        await uploadFile(client, { path, target: { ...at(key), ContentType: contentType, Metadata }, expected });
      } catch (error) {
        throw s3Fault(error, expected.signal);
      }
    },
    read: (key: string, options: ReadOptions) => readObject(context, key, options),
    remove: (keys: readonly string[]) => removeObjects(context, keys),
    async *list(prefix: string): AsyncGenerator<StoredObject> {
      let token: string | undefined;
      do {
        const page = await client
          .send(new ListObjectsV2Command({ Bucket, Prefix: base + prefix, ContinuationToken: token }))
          .catch((error: unknown) => {
            throw s3Fault(error);
          });
        for (const { Key = '', Size = 0 } of page.Contents ?? []) {
          const key = Key.slice(base.length);
          if (key !== PROBE_KEY) yield { key, bytes: Size };
        }
        token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
    },
    async check(signal?: AbortSignal): Promise<void> {
      const limit = AbortSignal.timeout(CHECK_TIMEOUT_MS);
      const command = new PutObjectCommand({ ...at(PROBE_KEY), Body: Buffer.from('probe'), ContentLength: 5 });
      try {
        await client.send(command, { abortSignal: signal ? AbortSignal.any([signal, limit]) : limit });
      } catch (error) {
        throw s3Fault(error, signal);
      }
    },
  };
}

type Context = { readonly client: S3Client; readonly at: ObjectAt };
type ReadOptions = { readonly range?: ByteRange | undefined; readonly signal?: AbortSignal | undefined };

async function statObject(
  { client, at }: Context,
  key: string,
  signal?: AbortSignal,
): Promise<{ readonly bytes: number; readonly sha256: string | undefined } | undefined> {
  try {
    const head = await client.send(new HeadObjectCommand(at(key)), abortOptions(signal));
    return { bytes: head.ContentLength ?? 0, sha256: head.Metadata?.['sha256'] };
  } catch (error) {
    if (isMissingObject(error)) return undefined;
    throw s3Fault(error, signal);
  }
}

async function readObject(context: Context, key: string, { range, signal }: ReadOptions): Promise<Readable> {
  const empty = (): Readable => Readable.from([], { objectMode: false });
  if (range && range.start === range.end) {
    // HTTP has no empty range.
    if (!(await statObject(context, key, signal))) throw notFound(key);
    return empty();
  }
  const Range = range && `bytes=${range.start}-${range.end - 1}`;
  try {
    const command = new GetObjectCommand({ ...context.at(key), Range });
    const { Body, ContentLength = 0 } = await context.client.send(command, abortOptions(signal));
    if (!(Body instanceof Readable)) throw new AppError('internal', 'expected a Node.js stream from the S3 client');
    if (range && ContentLength > range.end - range.start) {
      // Some proxies drop `Range`: the whole object must not pass for a part of it.
      Body.destroy();
      throw new AppError('unavailable', `expected bytes ${range.start}..${range.end} only, received ${ContentLength}`);
    }
    endWithSignal(Body, signal);
    return Body;
  } catch (error) {
    if (isMissingObject(error)) throw notFound(key, error);
    if (s3ErrorName(error) === 'InvalidRange') return empty();
    throw s3Fault(error, signal);
  }
}

/** The SDK's own signal covers a request only up to the answer's headers. */
function endWithSignal(body: Readable, signal: AbortSignal | undefined): void {
  if (!signal) return;
  const onAbort = (): void => {
    const reason: unknown = signal.reason;
    body.destroy(reason instanceof Error ? reason : new Error('aborted', { cause: reason }));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  body.once('close', () => signal.removeEventListener('abort', onAbort));
}

/** One by one: the bulk call needs a checksum in a form on which compatible stores disagree, and some lack the call. */
async function removeObjects({ client, at }: Context, keys: readonly string[]): Promise<void> {
  const waiting = [...keys];
  const work = async (): Promise<void> => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
      try {
        await client.send(new DeleteObjectCommand(at(key)));
      } catch (error) {
        if (!isMissingObject(error)) throw s3Fault(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(REMOVALS_AT_ONCE, keys.length) }, work));
}

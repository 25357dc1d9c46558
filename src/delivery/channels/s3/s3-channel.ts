import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { type Static, Type } from 'typebox';
import { SECOND_MS } from '../../../base/index.ts';
import {
  ChannelError,
  type ChannelSession,
  defineChannel,
  type Leftover,
  type PutOptions,
  type PutResult,
} from '../../channel.ts';
import { S3_NAMES } from '../../name-rules.ts';
import { checkedSource, faultOf, sha256Of, STALL_MS, withinLimit } from '../transfer.ts';
import { useBodyHashes } from './s3-body-hashes.ts';
import { classifyS3, s3Name } from './s3-faults.ts';
import { createMd5Thread } from './s3-md5.ts';
import { headObject, nameTaken, PARTS_AT_ONCE, putObject, REQUEST_LIMIT_MS, type S3Place } from './s3-put.ts';

const configSchema = Type.Object(
  {
    bucket: Type.String({ minLength: 3, maxLength: 255 }),
    region: Type.Optional(Type.String({ minLength: 1, maxLength: 64, default: 'us-east-1' })),
    endpoint: Type.Optional(
      Type.String({ pattern: '^https?://[^@\\s]+$', description: 'Of a compatible store; AWS without it.' }),
    ),
    path_style: Type.Optional(Type.Boolean({ description: 'The bucket in the path. Default: true with an endpoint.' })),
    prefix: Type.Optional(Type.String({ maxLength: 512, pattern: '^([^/].*)?$', description: 'Folder of all keys.' })),
    storage_class: Type.Optional(
      Type.Union([
        Type.Literal('STANDARD'),
        Type.Literal('STANDARD_IA'),
        Type.Literal('INTELLIGENT_TIERING'),
        Type.Literal('GLACIER_IR'),
      ]),
    ),
    encryption: Type.Optional(Type.Union([Type.Literal('AES256'), Type.Literal('aws:kms')])),
    kms_key_id: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  },
  { additionalProperties: false },
);
const secretsSchema = Type.Object(
  {
    access_key_id: Type.String({ minLength: 1, maxLength: 256 }),
    secret_access_key: Type.String({ minLength: 1, maxLength: 512 }),
    session_token: Type.Optional(Type.String({ minLength: 1, maxLength: 4096 })),
  },
  { additionalProperties: false },
);
type Config = Static<typeof configSchema>;

/** Amazon S3 and every compatible store. */
export const s3Channel = defineChannel({
  kind: 's3',
  configSchema,
  secretsSchema,
  names: S3_NAMES,
  open: async ({ config, secrets, concurrency, stallMs = STALL_MS, signal }) => {
    signal.throwIfAborted();
    const client = new S3Client({
      region: config.region ?? 'us-east-1',
      forcePathStyle: config.path_style ?? config.endpoint !== undefined,
      ...(config.endpoint !== undefined && { endpoint: config.endpoint }),
      credentials: {
        accessKeyId: secrets.access_key_id,
        secretAccessKey: secrets.secret_access_key,
        ...(secrets.session_token !== undefined && { sessionToken: secrets.session_token }),
      },
      maxAttempts: 3,
      // Compatible stores refuse the CRC trailers of newer SDKs; every body has its MD5 and its signed SHA-256.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: 10 * SECOND_MS,
        requestTimeout: REQUEST_LIMIT_MS,
        throwOnRequestTimeout: true,
        socketTimeout: stallMs,
        httpsAgent: { maxSockets: concurrency * PARTS_AT_ONCE + 4, keepAlive: true },
        httpAgent: { maxSockets: concurrency * PARTS_AT_ONCE + 4, keepAlive: true },
      },
    });
    return createSession({ client, bodyHashes: useBodyHashes(client), md5: createMd5Thread() }, config);
  },
});

function createSession(store: Pick<S3Place, 'client' | 'bodyHashes' | 'md5'>, config: Config): ChannelSession {
  const { client } = store;
  const Bucket = config.bucket;
  const prefix = config.prefix === undefined || config.prefix === '' ? '' : `${config.prefix.replace(/\/+$/, '')}/`;
  const headers = {
    ...(config.storage_class && { StorageClass: config.storage_class }),
    ...(config.encryption && { ServerSideEncryption: config.encryption }),
    ...(config.kms_key_id !== undefined && { SSEKMSKeyId: config.kms_key_id }),
  };
  const at = (path: string): S3Place => ({ ...store, Bucket, Key: prefix + path, headers });
  const call = async <Result>(
    signal: AbortSignal,
    work: (abortSignal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await withinLimit({ signal, limitMs: REQUEST_LIMIT_MS, what: 'an answer of the S3 store' }, work);
    } catch (error) {
      throw faultOf(error, { signal, classify: classifyS3 });
    }
  };
  const abort = ({ path, id }: Leftover, signal: AbortSignal) =>
    call(signal, async (abortSignal) => {
      try {
        const input = { Bucket, Key: prefix + path, UploadId: id };
        await client.send(new AbortMultipartUploadCommand(input), { abortSignal });
      } catch (error) {
        if (!['NoSuchUpload', 'NotFound'].includes(s3Name(error))) throw error;
      }
    });
  const leftovers = (path: string, signal: AbortSignal): Promise<readonly Leftover[]> =>
    call(signal, async (abortSignal) => {
      try {
        const input = { Bucket, Prefix: prefix + path };
        const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand(input), { abortSignal });
        return Uploads.flatMap(({ Key, UploadId }) =>
          Key === prefix + path && UploadId !== undefined ? [{ id: UploadId, path }] : [],
        );
      } catch (error) {
        // A store without the list: its lifecycle rules end what is unfinished.
        if (['NotImplemented', 'MethodNotAllowed', 'AccessDenied'].includes(s3Name(error))) return [];
        throw error;
      }
    });
  return {
    put: (options) => put(at(options.path), options, { leftovers, abort }),
    stat: (path, signal) =>
      call(signal, async (abortSignal) => {
        const head = await headObject(at(path), abortSignal);
        if (!head) return undefined;
        return {
          bytes: head.ContentLength ?? 0,
          ...(head.LastModified && { modifiedAt: head.LastModified }),
          ...(head.ETag !== undefined && { etag: head.ETag.replaceAll('"', '') }),
        };
      }),
    read: (path, signal) => read(at(path), signal),
    remove: (path, signal) =>
      call(signal, async (abortSignal) => {
        try {
          await client.send(new DeleteObjectCommand({ Bucket, Key: prefix + path }), { abortSignal });
        } catch (error) {
          if (s3Name(error) !== 'NoSuchKey') throw error;
        }
      }),
    leftovers,
    removeLeftover: abort,
    close: async () => {
      client.destroy();
      await store.md5.close();
    },
  };
}

type Unfinished = {
  leftovers(path: string, signal: AbortSignal): Promise<readonly Leftover[]>;
  abort(leftover: Leftover, signal: AbortSignal): Promise<void>;
};

async function put(place: S3Place, options: PutOptions, unfinished: Unfinished): Promise<PutResult> {
  const { path, signal } = options;
  const source = checkedSource(options);
  let token = options.resumeFrom;
  const onToken = async (given: string): Promise<void> => {
    token = given;
    await options.onToken?.(given);
  };
  try {
    signal.throwIfAborted();
    if (!options.replace && (await headObject(place, signal))) throw nameTaken(path);
    const { wasBegunAgain, ...stored } = await putObject(place, { ...options, onToken }, source);
    if (!stored.verified) await readBack(place, options);
    if (wasBegunAgain || options.isFirst === false) {
      // An upload whose beginning was never answered has nobody who knows its ID. Whoever writes under this name has just been replaced.
      for (const leftover of await unfinished.leftovers(path, signal)) await unfinished.abort(leftover, signal);
    }
    return { ...stored, verified: stored.verified ?? 'read_back' };
  } catch (error) {
    const fault = faultOf(error, { signal, source, classify: classifyS3 });
    if (fault instanceof ChannelError && fault.permanent && token !== undefined) {
      // Nobody goes on from what was refused for good. The first fault is the one to tell.
      await unfinished.abort({ id: token, path }, signal).catch(() => {});
    }
    throw fault;
  }
}

async function readBack(place: S3Place, { bytes, sha256, signal }: PutOptions): Promise<void> {
  const back = await sha256Of(read(place, signal));
  if (back.bytes === bytes && back.sha256 === sha256) return;
  const { client, Bucket, Key } = place;
  await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal: signal });
  throw new ChannelError('corrupted', 'expected the bytes that were sent when reading them back, received others');
}

async function* read({ client, Bucket, Key }: S3Place, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    signal.throwIfAborted();
    const { Body } = await withinLimit(
      { signal, limitMs: REQUEST_LIMIT_MS, what: 'an answer of the S3 store' },
      (abortSignal) => client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal }),
    );
    if (!(Body instanceof Readable))
      throw new ChannelError('failed', 'expected a stream of the S3 client, received none');
    const stream: Readable = Body;
    const end = (): void => void stream.destroy();
    signal.addEventListener('abort', end, { once: true });
    try {
      yield* stream;
    } finally {
      signal.removeEventListener('abort', end);
      stream.destroy();
    }
    signal.throwIfAborted();
  } catch (error) {
    throw faultOf(error, { signal, classify: classifyS3 });
  }
}

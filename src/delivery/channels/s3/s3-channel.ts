import { Readable } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { type Static, Type } from 'typebox';
import { SECOND_MS } from '../../../base/index.ts';
import { ChannelError, type ChannelSession, defineChannel, type PutOptions, type PutResult } from '../../channel.ts';
import { S3_NAMES } from '../../name-rules.ts';
import { createPutMemory } from '../file-pieces.ts';
import { faultOf, sha256Of, STALL_MS, withinLimit } from '../transfer.ts';
import { classifierOf, s3Name } from './s3-faults.ts';
import { createHashThread } from './s3-hashes.ts';
import { beginUpload, findUpload, PARTS_AT_ONCE, putParts } from './s3-parts.ts';
import { headObject, nameTaken, PART_BYTES, putWhole, REQUEST_LIMIT_MS, type S3Place, type Stored } from './s3-put.ts';
import { type S3Source, s3Source } from './s3-source.ts';
import { abortEmpty, abortUpload, listUploads } from './s3-unfinished.ts';
import { createS3Uploads } from './s3-uploads.ts';

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
    const region = config.region ?? 'us-east-1';
    const connections = concurrency * PARTS_AT_ONCE + 4;
    const credentials = {
      accessKeyId: secrets.access_key_id,
      secretAccessKey: secrets.secret_access_key,
      ...(secrets.session_token !== undefined && { sessionToken: secrets.session_token }),
    };
    const client = new S3Client({
      region,
      forcePathStyle: config.path_style ?? config.endpoint !== undefined,
      ...(config.endpoint !== undefined && { endpoint: config.endpoint }),
      credentials,
      maxAttempts: 3,
      // Compatible stores refuse the CRC trailers of newer SDKs.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: 10 * SECOND_MS,
        requestTimeout: REQUEST_LIMIT_MS,
        throwOnRequestTimeout: true,
        socketTimeout: stallMs,
        httpsAgent: { maxSockets: connections, keepAlive: true },
        httpAgent: { maxSockets: connections, keepAlive: true },
      },
    });
    const { bucket, endpoint } = config;
    const uploads = createS3Uploads({ client, bucket, region, endpoint, credentials, connections, stallMs });
    const memory = createPutMemory((PARTS_AT_ONCE + 1) * PART_BYTES);
    const classify = classifierOf(region);
    return createSession({ client, uploads, hashes: createHashThread(), memory, classify }, config);
  },
});

function createSession(
  store: Pick<S3Place, 'client' | 'uploads' | 'hashes' | 'memory' | 'classify'>,
  config: Config,
): ChannelSession {
  const { client } = store;
  const Bucket = config.bucket;
  const prefix = config.prefix === undefined || config.prefix === '' ? '' : `${config.prefix.replace(/\/+$/, '')}/`;
  const headers = {
    ...(config.storage_class && { StorageClass: config.storage_class }),
    ...(config.encryption && { ServerSideEncryption: config.encryption }),
    ...(config.kms_key_id !== undefined && { SSEKMSKeyId: config.kms_key_id }),
  };
  const closing = new AbortController();
  const at = (path: string): S3Place => ({ ...store, Bucket, Key: prefix + path, headers });
  const call = async <Result>(
    signal: AbortSignal,
    work: (abortSignal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await withinLimit({ signal, limitMs: REQUEST_LIMIT_MS, what: 'an answer of the S3 store' }, work);
    } catch (error) {
      throw faultOf(error, { signal, classify: store.classify });
    }
  };
  return {
    put: (options) => put(at(options.path), { ...options, signal: AbortSignal.any([options.signal, closing.signal]) }),
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
    leftovers: (path, signal) =>
      call(signal, async (abortSignal) =>
        (await listUploads(at(path), { signal: abortSignal })).map((id) => ({ id, path })),
      ),
    removeLeftover: ({ path, id }, signal) =>
      call(signal, (abortSignal) => abortUpload(at(path), { id, signal: abortSignal })),
    close: async () => {
      closing.abort(new ChannelError('connection_lost', 'expected an open session, it was closed'));
      client.destroy();
      store.uploads.close();
      await store.hashes.close();
    },
  };
}

async function put(place: S3Place, options: PutOptions): Promise<PutResult> {
  const { path, signal } = options;
  const source = s3Source(options, place.memory);
  let token = options.resumeFrom;
  const onToken = async (given: string): Promise<void> => {
    token = given;
    await options.onToken?.(given);
  };
  try {
    signal.throwIfAborted();
    if (!options.replace && (await headObject(place, signal))) throw nameTaken(path);
    const { etag, expectedEtag, version, sentBytes } = await store(place, { ...options, onToken }, source);
    const isShown = etag === expectedEtag;
    if (!isShown) await readBack(place, options);
    return {
      verified: isShown ? 'checksum' : 'read_back',
      ...(etag !== '' && { etag, checksum: etag }),
      ...(version !== undefined && { version }),
      sentBytes,
    };
  } catch (error) {
    const fault = faultOf(error, { signal, source, classify: place.classify });
    if (fault instanceof ChannelError && fault.permanent && token !== undefined) {
      // Nobody goes on from what was refused for good. The first fault is the one to tell.
      await abortUpload(place, { id: token, signal }).catch(() => {});
    }
    throw fault;
  }
}

/** Makes the object, and ends what earlier tries have left beside it. */
async function store(place: S3Place, put: PutOptions, source: S3Source): Promise<Stored> {
  if (put.staleToken !== undefined) await abandon(place, put, put.staleToken);
  const before = put.isFirst === false ? await othersOf(place, put) : [];
  if (put.bytes <= PART_BYTES) {
    const stored = await putWhole(place, put, source);
    await tidy(place, put, before);
    return stored;
  }
  // Its thread starts while the upload is begun.
  const hashes = place.hashes.open();
  const found = await findUpload(place, put);
  if (!found && put.resumeFrom !== undefined) await abandon(place, put, put.resumeFrom);
  const upload = found ?? (await beginUpload(place, put));
  const unknown = upload.wasAskedAgain ? await othersOf(place, put) : before;
  const stored = await putParts(place, put, { source, hashes, upload });
  await tidy(
    place,
    put,
    unknown.filter((id) => id !== upload.id),
  );
  return stored;
}

/** What is unfinished under the same key. Nothing that a store says of it keeps a file from arriving. */
const othersOf = (place: S3Place, put: PutOptions): Promise<readonly string[]> =>
  listUploads(place, put).catch(() => []);

/** An upload of an earlier try, which nobody goes on from. Where it cannot be ended, lifecycle rules of the store do it. */
async function abandon(place: S3Place, { signal }: PutOptions, id: string): Promise<void> {
  await abortUpload(place, { id, signal }).catch(() => {});
  signal.throwIfAborted();
}

/** Never throws: the file is there, whatever becomes of what lies beside it. */
async function tidy(place: S3Place, { signal }: PutOptions, ids: readonly string[]): Promise<void> {
  await abortEmpty(place, { ids, signal }).catch(() => {});
}

async function readBack(place: S3Place, { bytes, sha256, signal }: PutOptions): Promise<void> {
  const back = await sha256Of(read(place, signal));
  if (back.bytes === bytes && back.sha256 === sha256) return;
  const { client, Bucket, Key } = place;
  await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal: signal });
  throw new ChannelError('corrupted', 'expected the bytes that were sent when reading them back, received others');
}

async function* read({ client, Bucket, Key, classify }: S3Place, signal: AbortSignal): AsyncGenerator<Uint8Array> {
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
    throw faultOf(error, { signal, classify });
  }
}

import { Readable } from 'node:stream';
import { BlobServiceClient, type BlockBlobClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import { type Static, Type } from 'typebox';
import { invalidField } from '../../../base/index.ts';
import { ChannelError, type ChannelSession, defineChannel, type PutResult } from '../../channel.ts';
import { AZURE_NAMES } from '../../name-rules.ts';
import { checkedSource, faultOf, STALL_MS } from '../transfer.ts';
import { azureStatus, classifyAzure } from './azure-faults.ts';
import {
  type AzureCall,
  type AzurePut,
  BLOCK_BYTES,
  createAzureCall,
  putBlocks,
  putWhole,
  REQUEST_LIMIT_MS,
} from './azure-put.ts';

const configSchema = Type.Object(
  {
    account: Type.String({ pattern: '^[a-z0-9]{3,24}$' }),
    container: Type.String({ pattern: '^(\\$root|[a-z0-9](-?[a-z0-9]){2,62})$' }),
    endpoint: Type.Optional(
      Type.String({
        pattern: '^https?://[^@?\\s]+$',
        description: 'With the account where it is part of the path. Default: Azure.',
      }),
    ),
    prefix: Type.Optional(Type.String({ maxLength: 512, pattern: '^([^/].*)?$', description: 'Folder of all blobs.' })),
  },
  { additionalProperties: false },
);
const secretsSchema = Type.Object(
  {
    account_key: Type.Optional(Type.String({ minLength: 1, maxLength: 256, pattern: '^[A-Za-z0-9+/]+={0,2}$' })),
    sas_token: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'Of the container: read, add, create, write, delete' }),
    ),
  },
  { additionalProperties: false },
);
type Config = Static<typeof configSchema>;
type Secrets = Static<typeof secretsSchema>;

/** Azure Blob Storage, with the account's key or a shared access signature. */
export const azureBlobChannel = defineChannel({
  kind: 'azure_blob',
  configSchema,
  secretsSchema,
  names: AZURE_NAMES,
  check: ({ prefix = '' }) => {
    if (prefix.split('/').some((part) => part === '..' || part === '.'))
      throw invalidField('/config/prefix', 'expected no "." or ".."');
  },
  open: async ({ config, secrets, stallMs = STALL_MS, signal }) => {
    signal.throwIfAborted();
    const services = { again: createService(config, secrets, REQUEST_TRIES), once: createService(config, secrets, 1) };
    return createSession(services, { config, request: createAzureCall(stallMs) });
  },
});

/** How often the client sends what may be sent twice. */
const REQUEST_TRIES = 3;

function createService(config: Config, secrets: Secrets, maxTries: number): BlobServiceClient {
  const url = (config.endpoint ?? `https://${config.account}.blob.core.windows.net`).replace(/\/+$/, '');
  const options = {
    retryOptions: { maxTries, tryTimeoutInMs: REQUEST_LIMIT_MS, retryDelayInMs: 200, maxRetryDelayInMs: 2000 },
  };
  if (secrets.account_key !== undefined) {
    return new BlobServiceClient(url, new StorageSharedKeyCredential(config.account, secrets.account_key), options);
  }
  if (secrets.sas_token === undefined) {
    throw new ChannelError('credentials', 'expected secrets.account_key or secrets.sas_token, received neither');
  }
  return new BlobServiceClient(`${url}?${secrets.sas_token.replace(/^\?/, '')}`, undefined, options);
}

function createSession(
  services: { readonly again: BlobServiceClient; readonly once: BlobServiceClient },
  { config, request }: { readonly config: Config; readonly request: AzureCall },
): ChannelSession {
  const prefix = config.prefix === undefined || config.prefix === '' ? '' : `${config.prefix.replace(/\/+$/, '')}/`;
  const closing = new AbortController();
  const blobOf = (service: BlobServiceClient, path: string): BlockBlobClient =>
    service.getContainerClient(config.container).getBlockBlobClient(prefix + path);
  const at = (path: string): BlockBlobClient => blobOf(services.again, path);
  const call = async <Result>(
    signal: AbortSignal,
    work: (abortSignal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await request(AbortSignal.any([signal, closing.signal]), work);
    } catch (error) {
      throw faultOf(error, { signal, classify: classifyAzure });
    }
  };
  const stat: ChannelSession['stat'] = (path, signal) =>
    call(signal, async (abortSignal) => {
      try {
        const found = await at(path).getProperties({ abortSignal });
        return {
          bytes: found.contentLength ?? 0,
          ...(found.lastModified && { modifiedAt: found.lastModified }),
          ...(found.etag !== undefined && { etag: found.etag.replaceAll('"', '') }),
        };
      } catch (error) {
        if (azureStatus(error) === 404) return undefined;
        throw error;
      }
    });
  return {
    put: async (options) => {
      if (!options.replace && (await stat(options.path, options.signal))) {
        throw new ChannelError('name_taken', `expected no blob under ${options.path}, received one`);
      }
      const signal = AbortSignal.any([options.signal, closing.signal]);
      const target = { blob: at(options.path), once: blobOf(services.once, options.path) };
      return put({ ...target, call: request, put: { ...options, signal } });
    },
    stat,
    read: (path, signal) => read(at(path), { call: request, signal }),
    remove: (path, signal) =>
      call(signal, async (abortSignal) => {
        await at(path).deleteIfExists({ abortSignal });
      }),
    // Blocks that no list names are seen by nobody, go with the next put of the name, and else by themselves after a week.
    leftovers: async (_path, signal) => {
      signal.throwIfAborted();
      return [];
    },
    removeLeftover: async (_leftover, signal) => signal.throwIfAborted(),
    close: async () => closing.abort(new ChannelError('connection_lost', 'expected an open session, it was closed')),
  };
}

async function put(work: AzurePut): Promise<PutResult> {
  const options = work.put;
  const source = checkedSource(options);
  try {
    options.signal.throwIfAborted();
    return await (options.bytes <= BLOCK_BYTES ? putWhole(work, source) : putBlocks(work, source));
  } catch (error) {
    throw faultOf(error, { signal: options.signal, source, classify: classifyAzure });
  }
}

async function* read(
  blob: BlockBlobClient,
  { call, signal }: { readonly call: AzureCall; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  try {
    const { readableStreamBody } = await call(signal, () => blob.download(0, undefined, { abortSignal: signal }));
    if (!(readableStreamBody instanceof Readable))
      throw new ChannelError('failed', 'expected a stream of the Azure client, received none');
    const stream: Readable = readableStreamBody;
    yield* stream;
    signal.throwIfAborted();
  } catch (error) {
    throw faultOf(error, { signal, classify: classifyAzure });
  }
}

import { S3Client } from '@aws-sdk/client-s3';
import { AppError, createPermits, MINUTE_MS, SECOND_MS } from '../base/index.ts';
import type { StorageConfig } from './storage-url.ts';

export type S3Config = Extract<StorageConfig, { readonly kind: 's3' }>;

/** The SDK pauses 0.1 to 0.8 s in between: enough for a dropped connection. A store that restarts needs a retried job. */
const ATTEMPTS = 5;

/** Further ones wait here and not for a socket: the SDK counts that wait as one for a connection, and gives up after 5 s. */
const REQUESTS_AT_ONCE = 64;
/** Answers have come when their bodies have not: these hold sockets that no request waits for. */
const SOCKETS_MAX = 1024;

export function createS3Client(config: S3Config): S3Client {
  const requests = createPermits({
    name: 'object storage',
    running: REQUESTS_AT_ONCE,
    waiting: Number.POSITIVE_INFINITY,
    maxWaitMs: 10 * MINUTE_MS,
  });
  const client = new S3Client({
    region: config.region,
    forcePathStyle: config.pathStyle,
    maxAttempts: ATTEMPTS,
    // Newer SDKs add CRC checksums as trailers, which many compatible stores refuse. The bodies that we send are
    // buffers, so SigV4 signs their SHA-256 anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 5 * SECOND_MS,
      // From the first byte sent to the answer's headers: a part of 16 MiB at 0.25 Mbit/s, or a store that assembles a
      // large object.
      requestTimeout: 10 * MINUTE_MS,
      throwOnRequestTimeout: true,
      // Silence on the wire, in either direction: what finds a hung connection.
      socketTimeout: 2 * MINUTE_MS,
      httpsAgent: { maxSockets: SOCKETS_MAX, keepAlive: true },
      httpAgent: { maxSockets: SOCKETS_MAX, keepAlive: true },
    },
    ...(config.endpoint === undefined ? {} : { endpoint: config.endpoint }),
    ...(config.credentials === undefined ? {} : { credentials: config.credentials }),
  });
  // Around each attempt.
  client.middlewareStack.add((next) => (args) => requests.run(() => next(args)), {
    name: 'requestsAtOnce',
    step: 'deserialize',
    priority: 'low',
  });
  return client;
}

/** The name that S3 or the SDK gave an error. */
export function s3ErrorName(error: unknown): string {
  return error instanceof Error ? error.name : 'UnknownError';
}

export function isMissingObject(error: unknown): boolean {
  const name = s3ErrorName(error);
  return name === 'NoSuchKey' || name === 'NotFound';
}

/**
 * What the store refuses or does not answer is the installation's trouble: wrong credentials, no bucket, timeouts. The
 * message carries the error's name alone, since S3 quotes requests in its texts.
 */
export function s3Fault(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof AppError) return error;
  return new AppError('unavailable', `expected an answer from the object storage, received ${s3ErrorName(error)}`, {
    cause: error,
    retryAfterSeconds: 10,
  });
}

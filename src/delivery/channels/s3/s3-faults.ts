import { ChannelError, type FaultCode } from '../../channel.ts';
import { elsewhereFault } from './s3-region.ts';

/** Names of https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html and what compatible stores add. */
const CODES: Readonly<Record<string, FaultCode>> = {
  InvalidAccessKeyId: 'credentials',
  SignatureDoesNotMatch: 'credentials',
  ExpiredToken: 'credentials',
  InvalidToken: 'credentials',
  CredentialsProviderError: 'credentials',
  AccessDenied: 'permission',
  AllAccessDisabled: 'permission',
  AccountProblem: 'permission',
  Forbidden: 'permission',
  NoSuchBucket: 'not_found',
  NoSuchKey: 'not_found',
  // Somebody discarded the parts: the next try sends them again.
  NoSuchUpload: 'failed',
  InvalidPart: 'failed',
  NotFound: 'not_found',
  QuotaExceeded: 'disk_full',
  XMinioStorageFull: 'disk_full',
  KeyTooLongError: 'name_illegal',
  InvalidObjectName: 'name_illegal',
  PreconditionFailed: 'name_taken',
  BadDigest: 'corrupted',
  XAmzContentSHA256Mismatch: 'corrupted',
  SlowDown: 'busy',
  ServiceUnavailable: 'busy',
  OperationAborted: 'busy',
  ConditionalRequestConflict: 'busy',
  RequestTimeout: 'timeout',
  InternalError: 'failed',
};

export function s3Name(error: unknown): string {
  return error instanceof Error ? error.name : 'UnknownError';
}

/** For a bucket of this region. The name and status alone make the message: S3 quotes requests, and with them keys, in its texts. */
export const classifierOf =
  (region: string) =>
  (error: unknown): ChannelError => {
    const name = s3Name(error);
    const status = statusOf(error);
    const elsewhere = error instanceof Error ? elsewhereFault(error, { status, region }) : undefined;
    if (elsewhere) return elsewhere;
    const code = CODES[name] ?? byStatus(status);
    return new ChannelError(code, `expected the S3 store to accept the request, received ${name} (status ${status})`, {
      cause: error,
    });
  };

function byStatus(status: number): FaultCode {
  if (status === 401 || status === 403) return 'permission';
  if (status === 404) return 'not_found';
  if (status === 507) return 'disk_full';
  if (status === 429 || status === 503) return 'busy';
  return status >= 400 && status < 500 ? 'refused' : 'failed';
}

function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('$metadata' in error)) return 0;
  const metadata: unknown = error.$metadata;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return 0;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : 0;
}

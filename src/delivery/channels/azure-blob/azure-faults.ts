import { ChannelError, type FaultCode } from '../../channel.ts';

/** Names of https://learn.microsoft.com/rest/api/storageservices/blob-service-error-codes */
const CODES: Readonly<Record<string, FaultCode>> = {
  AuthenticationFailed: 'credentials',
  InvalidAuthenticationInfo: 'credentials',
  AuthorizationFailure: 'permission',
  AuthorizationPermissionMismatch: 'permission',
  InsufficientAccountPermissions: 'permission',
  AccountIsDisabled: 'permission',
  ContainerNotFound: 'not_found',
  BlobNotFound: 'not_found',
  ResourceNotFound: 'not_found',
  ContainerBeingDeleted: 'busy',
  ServerBusy: 'busy',
  OperationTimedOut: 'timeout',
  InvalidResourceName: 'name_illegal',
  BlobAlreadyExists: 'name_taken',
  Md5Mismatch: 'corrupted',
  InvalidBlockList: 'corrupted',
  LeaseIdMissing: 'refused',
  BlobImmutableDueToPolicy: 'refused',
  REQUEST_SEND_ERROR: 'connection_lost',
  ABORT_ERR: 'timeout',
};

const textOf = (error: unknown, name: 'code' | 'name'): string => {
  if (typeof error !== 'object' || error === null || !(name in error)) return '';
  // Checked: the member is there; what it is decides the next line.
  const value = (error as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : '';
};

export const azureCode = (error: unknown): string => textOf(error, 'code');

export function azureStatus(error: unknown): number {
  if (!(error instanceof Error) || !('statusCode' in error)) return 0;
  return typeof error.statusCode === 'number' ? error.statusCode : 0;
}

/** Code and status alone make the message: the service quotes what it was sent, and with it signatures. */
export function classifyAzure(error: unknown): ChannelError {
  const status = azureStatus(error);
  const name = azureCode(error) || textOf(error, 'name') || 'unknown';
  const code = CODES[name] ?? byStatus(status);
  return new ChannelError(code, `expected Azure to accept the request, received ${name} (status ${status})`, {
    cause: error,
  });
}

function byStatus(status: number): FaultCode {
  if (status === 401) return 'credentials';
  if (status === 403) return 'permission';
  if (status === 404) return 'not_found';
  if (status === 429 || status === 503) return 'busy';
  return status >= 400 && status < 500 ? 'refused' : 'failed';
}

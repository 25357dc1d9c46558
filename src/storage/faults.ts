import { AppError } from '../base/index.ts';

/** The `code` of a Node.js system error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export function isMissing(error: unknown): boolean {
  const code = systemCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

const DISK_CODES: ReadonlySet<string> = new Set(['EACCES', 'EDQUOT', 'EIO', 'EMFILE', 'ENOENT', 'ENOSPC', 'EROFS']);

/** Whether the local disk refused something, in a call that also talks to the network. */
export function isDiskFault(error: unknown): boolean {
  return DISK_CODES.has(systemCode(error) ?? '');
}

export function notFound(key: string, cause?: unknown): AppError {
  return new AppError('not_found', `expected a stored object, found none under ${key}`, { cause });
}

/** Everything that a disk or file system refuses is the installation's trouble, not the request's. */
export function localFault(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  if (error instanceof AppError) return error;
  const code = systemCode(error);
  if (code === undefined) return error;
  return new AppError('unavailable', `expected a readable and writable storage folder, received ${code}`, {
    cause: error,
    retryAfterSeconds: 10,
  });
}

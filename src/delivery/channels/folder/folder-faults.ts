import { ChannelError, type FaultCode } from '../../channel.ts';

const CODES: Readonly<Record<string, readonly [FaultCode, string]>> = {
  EACCES: ['permission', 'the service may not write there'],
  EPERM: ['permission', 'the service may not write there'],
  EROFS: ['permission', 'the folder is read-only'],
  ENOENT: ['not_found', 'the folder or file is not there'],
  ENOTDIR: ['name_taken', 'a file stands where a folder is needed'],
  EISDIR: ['name_taken', 'a folder stands where the file is to be'],
  EEXIST: ['name_taken', 'a file stands where a folder is needed'],
  ENOSPC: ['disk_full', 'the disk is full'],
  EDQUOT: ['disk_full', 'the quota is used up'],
  EFBIG: ['refused', 'the file system takes no file of this size'],
  ENAMETOOLONG: ['name_illegal', 'the name is too long'],
  EILSEQ: ['name_illegal', 'the file system does not take this name'],
  EINVAL: ['name_illegal', 'the file system does not take this name'],
  ELOOP: ['name_illegal', 'too many links lead there'],
  EBUSY: ['busy', 'the file is in use'],
  ETIMEDOUT: ['timeout', 'the share does not answer'],
  ESTALE: ['connection_lost', 'the share has gone'],
  EHOSTDOWN: ['unreachable', 'the share does not answer'],
};

const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

export function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
}

export const isTaken = (error: unknown): boolean => systemCode(error) === 'EEXIST';

/** A refusal of the file system in our words. Paths stay out of it: callers see the path that they know. */
export function folderFault(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof ChannelError) return error;
  const code = systemCode(error);
  if (code === undefined) return error;
  const [fault, words] = CODES[code] ?? ['failed', 'the folder refused'];
  return new ChannelError(fault, `${words} (${code})`, { cause: error });
}

import { constants } from 'node:os';
import { ChannelError, type FaultCode } from '../../channel.ts';

/** A request that the library answered with an error of a system call. */
export class SmbError extends Error {
  readonly errno: number;
  constructor(errno: number) {
    super(`errno ${errno}`);
    this.name = 'SmbError';
    this.errno = errno;
  }
}

const { errno: numbers } = constants;

/** Samba says NT status codes in these words: libcli/util/errmap_unix.c. */
const CODES: ReadonlyMap<number, FaultCode> = new Map([
  [numbers.EACCES, 'permission'],
  [numbers.EPERM, 'permission'],
  [numbers.EROFS, 'permission'],
  [numbers.ENOENT, 'not_found'],
  [numbers.ENOTDIR, 'not_found'],
  [numbers.ENODEV, 'not_found'],
  [numbers.ENOSPC, 'disk_full'],
  [numbers.EDQUOT, 'disk_full'],
  [numbers.EFBIG, 'refused'],
  [numbers.ENAMETOOLONG, 'name_illegal'],
  [numbers.EEXIST, 'name_taken'],
  [numbers.EISDIR, 'name_taken'],
  [numbers.ENOTEMPTY, 'name_taken'],
  [numbers.EINVAL, 'name_illegal'],
  [numbers.EBUSY, 'busy'],
  [numbers.ETXTBSY, 'busy'],
  [numbers.ETIMEDOUT, 'timeout'],
  [numbers.ECONNREFUSED, 'unreachable'],
  [numbers.EHOSTUNREACH, 'unreachable'],
  [numbers.ENETUNREACH, 'unreachable'],
  [numbers.ECONNRESET, 'connection_lost'],
  [numbers.ECONNABORTED, 'connection_lost'],
  // Its word for a connection that was reset.
  [numbers.ENETRESET, 'connection_lost'],
  [numbers.ENOTCONN, 'connection_lost'],
  [numbers.EPIPE, 'connection_lost'],
  [numbers.EBADF, 'connection_lost'],
]);

/** After these the connection is another one, or none. */
const OF_CONNECTION: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'timeout',
  'unreachable',
  'connection_lost',
  'failed',
]);

const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(numbers).map(([name, number]) => [number, name]));

const codeOf = (error: unknown): FaultCode =>
  (error instanceof SmbError ? CODES.get(error.errno) : undefined) ?? 'failed';

export const isMissing = (error: unknown): boolean => codeOf(error) === 'not_found';
export const isBusy = (error: unknown): boolean =>
  (error instanceof ChannelError ? error.code : codeOf(error)) === 'busy';
export const isTakenName = (error: unknown): boolean => error instanceof SmbError && error.errno === numbers.EEXIST;

/** Whether the child's connection cannot be trusted any more. */
export const isOfConnection = (error: unknown): boolean => OF_CONNECTION.has(codeOf(error));

export function classifySmb(error: unknown): ChannelError {
  const said = error instanceof SmbError ? (NAMES.get(error.errno) ?? `error ${error.errno}`) : 'another error';
  return new ChannelError(codeOf(error), `expected the SMB server to accept the request, received ${said}`, {
    cause: error,
  });
}

/** What went wrong before there was a connection: the library has one word for all that a server refuses then. */
export function classifySmbConnect(error: unknown): ChannelError {
  if (!(error instanceof SmbError)) return classifySmb(error);
  const said = NAMES.get(error.errno) ?? `error ${error.errno}`;
  if (error.errno === numbers.EACCES || error.errno === numbers.EPERM) {
    const expected = 'expected the SMB server to take user, password and encryption, and the user to have the share';
    return new ChannelError('credentials', `${expected}; received ${said}`, { cause: error });
  }
  if (isMissing(error)) {
    return new ChannelError('not_found', `expected the share on the SMB server, received ${said}`, { cause: error });
  }
  return classifySmb(error);
}

import { ChannelError, type FaultCode } from '../../channel.ts';

/** Status codes of https://datatracker.ietf.org/doc/html/draft-ietf-secsh-filexfer-02#section-7 */
const STATUS: ReadonlyMap<unknown, FaultCode> = new Map<unknown, FaultCode>([
  [2, 'not_found'],
  [3, 'permission'],
  [6, 'connection_lost'],
  [7, 'connection_lost'],
  [8, 'unsupported'],
]);

const LEVELS: Readonly<Record<string, FaultCode>> = {
  'client-authentication': 'credentials',
  'client-timeout': 'timeout',
  'client-socket': 'connection_lost',
  protocol: 'refused',
};

/** The server's answer to a request that it did not do. */
export class SftpStatusError extends Error {
  override name = 'SftpStatusError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function sftpStatus(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function classifySftp(error: unknown): ChannelError {
  const status = sftpStatus(error);
  const level = error instanceof Error && 'level' in error && typeof error.level === 'string' ? error.level : '';
  const code = STATUS.get(status) ?? LEVELS[level] ?? textCode(error) ?? 'failed';
  const said = level === '' ? `status ${typeof status === 'number' ? status : 'unknown'}` : level;
  return new ChannelError(code, `expected the SFTP server to accept the request, received ${said}`, { cause: error });
}

/** The client library has no codes for its own faults. */
function textCode(error: unknown): FaultCode | undefined {
  if (!(error instanceof Error)) return undefined;
  if (/privateKey|passphrase|Encrypted/.test(error.message)) return 'credentials';
  if (/No response from server|Not connected|Channel (open|closed)/i.test(error.message)) return 'connection_lost';
  return undefined;
}

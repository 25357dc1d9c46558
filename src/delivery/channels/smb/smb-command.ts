/**
 * Samba's command, for what libsmbclient does not do: renaming in one step without taking a name from another file (its own rename
 * removes what is in the way), and refusing servers without encryption. Each use is a login.
 */
import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { findTools } from '../../../base/index.ts';
import { ChannelError, type FaultCode } from '../../channel.ts';
import { withinLimit } from '../transfer.ts';
import { SMB_SETTINGS, type SmbShare } from './smb-messages.ts';

/** Where Linux systems have it; the PATH of the service is not asked. */
const FOLDERS = '/usr/bin:/usr/local/bin:/bin';
/** Of a login and a rename, and one for the process. */
const ANSWERS = 8;
/** Its greeting after a login; every refusal ends it before. */
const LOGGED_IN = 'Try "help" to get a list of possible commands.';
/** It reads a password for each of the two ways to ask for one. */
const PASSWORD_COPIES = 2;

/** https://learn.microsoft.com/openspecs/windows_protocols/ms-erref, by the names that Samba prints. */
const CODES: Readonly<Record<string, FaultCode>> = {
  NT_STATUS_OBJECT_NAME_NOT_FOUND: 'not_found',
  NT_STATUS_OBJECT_PATH_NOT_FOUND: 'not_found',
  NT_STATUS_ACCESS_DENIED: 'permission',
  NT_STATUS_MEDIA_WRITE_PROTECTED: 'permission',
  NT_STATUS_LOGON_FAILURE: 'credentials',
  NT_STATUS_SHARING_VIOLATION: 'busy',
  NT_STATUS_OBJECT_NAME_INVALID: 'name_illegal',
  NT_STATUS_IO_TIMEOUT: 'timeout',
  NT_STATUS_CONNECTION_REFUSED: 'unreachable',
  NT_STATUS_CONNECTION_RESET: 'connection_lost',
  NT_STATUS_CONNECTION_DISCONNECTED: 'connection_lost',
};

export const findSmbCommand = (): string | undefined => findTools({ path: FOLDERS }).smbclient;

/** Connects with encryption or not at all. @throws ChannelError `refused`, or the signal's reason */
export async function checkEncryption(share: SmbShare, signal: AbortSignal): Promise<void> {
  const said = await withinLimit({ signal, limitMs: share.stallMs * ANSWERS, what: 'a login by smbclient' }, (one) =>
    runCommand(share, 'quit\n', one),
  );
  if (said.includes(LOGGED_IN)) return;
  const status = /NT_STATUS_\w+/.exec(said)?.[0] ?? 'none';
  throw new ChannelError('refused', `expected the SMB server to encrypt, received a refusal (${status})`);
}

/** Whether the file has got the name; false: another file has it, and keeps it. @throws ChannelError, or the signal's reason */
export async function renameUnlessTaken(
  share: SmbShare,
  { from, to, signal }: { readonly from: string; readonly to: string; readonly signal: AbortSignal },
): Promise<boolean> {
  const line = `rename ${quoted(share, from)} ${quoted(share, to)}\n`;
  const limit = { signal, limitMs: share.stallMs * ANSWERS, what: 'a rename by smbclient' };
  const said = await withinLimit(limit, (one) => runCommand(share, line, one));
  const status = /NT_STATUS_\w+/.exec(said)?.[0];
  // It has no word for success.
  if (status === undefined && said.split(LOGGED_IN)[1]?.trim() === '') return true;
  if (status === 'NT_STATUS_OBJECT_NAME_COLLISION') return false;
  const code = CODES[status ?? ''] ?? 'failed';
  throw new ChannelError(code, `expected the SMB server to rename a file, received ${status ?? 'other words'}`);
}

/** Its words; nothing of what it is given is shown. */
async function runCommand(share: SmbShare, line: string, signal: AbortSignal): Promise<string> {
  const child = spawn(findSmbCommand() ?? 'smbclient', argumentsOf(share), {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    // Which stream has the password, not the password.
    env: { HOME: '/nonexistent', PASSWD_FD: '3' },
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  // The fourth stream was asked for as a pipe.
  for (const stream of [child.stdin, child.stdio[3] as Writable]) stream?.on('error', () => {});
  (child.stdio[3] as Writable).end(`${share.password}\n`.repeat(PASSWORD_COPIES));
  child.stdin?.end(line);
  const [said, code] = await Promise.all([child.stdout ? text(child.stdout) : '', ended]);
  if (code === null || (said === '' && code !== 0)) {
    throw new ChannelError('failed', `expected smbclient to end with 0, received ${code ?? 'a signal'}`);
  }
  return said;
}

function argumentsOf({ host, port, share, user, domain, encryption, minProtocol }: SmbShare): readonly string[] {
  return [
    `--configfile=${fileURLToPath(SMB_SETTINGS)}`,
    `--option=client min protocol=${minProtocol}`,
    ...(encryption === 'required' ? ['--option=client smb encrypt=required'] : []),
    `--port=${port}`,
    `--workgroup=${domain}`,
    `--user=${user}`,
    `//${host}/${share}`,
  ];
}

/** One word of a command line. Path rules forbid quotes and line ends; here they would be other commands. */
function quoted({ prefix }: SmbShare, path: string): string {
  const whole = [...prefix.split('/'), ...path.split('/')].filter((segment) => segment !== '').join('\\');
  if (/["\n\r\0]/.test(whole)) throw new ChannelError('name_illegal', 'expected a name without quotes and line ends');
  return `"${whole}"`;
}

import { ChannelError } from '../../channel.ts';
import { callsOf } from '../put-by-rename.ts';
import { openSessionLanes } from '../threads/session-lanes.ts';
import type { OpenSession } from '../threads/thread-messages.ts';
import { faultOf, STALL_MS } from '../transfer.ts';
import type { SftpConfig, SftpSecrets } from './sftp-config.ts';
import { connectSftp, type SftpConnection } from './sftp-connection.ts';
import { classifySftp } from './sftp-faults.ts';
import { createSftpFiles } from './sftp-files.ts';

const CONNECTIONS_MAX = 4;

/** A server works for a connection on one processor, for several on more. */
export const openSftpSession: OpenSession<SftpConfig, SftpSecrets> = (target) =>
  openSessionLanes({
    most: Math.min(target.concurrency, CONNECTIONS_MAX),
    signal: target.signal,
    open: (signal) => openConnection({ ...target, signal }),
  });

/** One connection, which is made again when it has ended. */
const openConnection: OpenSession<SftpConfig, SftpSecrets> = async ({
  config,
  secrets,
  stallMs = STALL_MS,
  signal,
}) => {
  const server = {
    host: config.host,
    port: config.port ?? 22,
    user: config.user,
    hostKey: config.host_key,
    password: secrets.password,
    privateKey: secrets.private_key,
    passphrase: secrets.passphrase,
    stallMs,
  };
  let connecting: Promise<SftpConnection> | undefined;
  let current: SftpConnection | undefined;
  let isClosed = false;
  const connect = async (one: AbortSignal): Promise<SftpConnection> => {
    if (isClosed) throw new ChannelError('connection_lost', 'expected an open session, it was closed');
    if (current && !current.ended.aborted) return current;
    connecting ??= connectSftp(server, one).finally(() => {
      connecting = undefined;
    });
    current = await connecting;
    return current;
  };
  const prefix = config.prefix ?? '.';
  const files = createSftpFiles({ connect, root: prefix.replace(/(?<=.)\/+$/, '') });
  const guarded = async <Result>(one: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    try {
      one.throwIfAborted();
      return await work();
    } catch (error) {
      throw faultOf(error, { signal: one, classify: classifySftp });
    }
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    current?.client.destroy();
  };
  try {
    await guarded(signal, async () => {
      if (await files.isFolder('', signal)) return;
      throw new ChannelError('not_found', `expected the folder ${prefix} on the SFTP server, it is not there`);
    });
  } catch (error) {
    await close();
    throw error;
  }
  return { ...callsOf(files), stat: (path, one) => guarded(one, () => files.stat(path, one)), close };
};

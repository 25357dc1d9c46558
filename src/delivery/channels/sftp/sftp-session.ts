import { ChannelError, type ChannelSession } from '../../channel.ts';
import { callsOf } from '../put-by-rename.ts';
import { openSessionLanes } from '../threads/session-lanes.ts';
import type { OpenSession } from '../threads/thread-messages.ts';
import { faultOf, STALL_MS } from '../transfer.ts';
import type { SftpConfig, SftpSecrets } from './sftp-config.ts';
import { keepConnection, type SftpServer } from './sftp-connection.ts';
import { classifySftp } from './sftp-faults.ts';
import { createSftpFiles } from './sftp-files.ts';
import { createSftpReader, type SftpReader } from './sftp-reader.ts';

const CONNECTIONS_MAX = 4;

/** A server works for a connection on one processor, for several on more. */
export const openSftpSession: OpenSession<SftpConfig, SftpSecrets> = async ({ config, secrets, ...target }) => {
  const server = serverOf({ config, secrets }, target.stallMs ?? STALL_MS);
  // A destination that is given one file at a time may be one that takes one connection.
  const reader = target.concurrency > 1 ? createSftpReader(server) : undefined;
  const close = async (): Promise<void> => reader?.close();
  try {
    const session = await openSessionLanes({
      most: Math.min(target.concurrency, CONNECTIONS_MAX),
      signal: target.signal,
      open: (signal) => openConnection({ server, prefix: config.prefix ?? '.', reader, signal }),
    });
    return { ...session, close: async () => void (await Promise.all([session.close(), close()])) };
  } catch (error) {
    await close();
    throw error;
  }
};

const serverOf = (
  { config, secrets }: { readonly config: SftpConfig; readonly secrets: SftpSecrets },
  stallMs: number,
): SftpServer => ({
  host: config.host,
  port: config.port ?? 22,
  user: config.user,
  hostKey: config.host_key,
  password: secrets.password,
  privateKey: secrets.private_key,
  passphrase: secrets.passphrase,
  stallMs,
});

async function openConnection(target: {
  readonly server: SftpServer;
  readonly prefix: string;
  readonly reader: SftpReader | undefined;
  readonly signal: AbortSignal;
}): Promise<ChannelSession> {
  const { prefix, reader, signal } = target;
  const connection = keepConnection(target.server);
  const files = createSftpFiles({ connect: connection.connect, root: prefix.replace(/(?<=.)\/+$/, ''), reader });
  const guarded = async <Result>(one: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    try {
      one.throwIfAborted();
      return await work();
    } catch (error) {
      throw faultOf(error, { signal: one, classify: classifySftp });
    }
  };
  const close = async (): Promise<void> => connection.close();
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
}

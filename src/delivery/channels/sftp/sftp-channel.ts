import { Type } from 'typebox';
import { ChannelError, defineChannel } from '../../channel.ts';
import { POSIX_NAMES } from '../../name-rules.ts';
import { callsOf } from '../put-by-rename.ts';
import { faultOf, STALL_MS } from '../transfer.ts';
import { connectSftp, type SftpConnection } from './sftp-connection.ts';
import { classifySftp } from './sftp-faults.ts';
import { createSftpFiles } from './sftp-files.ts';

const configSchema = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255 }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, default: 22 })),
    user: Type.String({ minLength: 1, maxLength: 255 }),
    host_key: Type.Optional(
      Type.String({
        pattern: '^SHA256:[A-Za-z0-9+/]{43}$',
        description:
          'Fingerprint of the server, as `ssh-keygen -lf` writes it. Without it nothing is sent, and the refusal tells it.',
      }),
    ),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1024, default: '.', description: 'Folder that exists' }),
    ),
  },
  { additionalProperties: false },
);
const secretsSchema = Type.Object(
  {
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    private_key: Type.Optional(Type.String({ minLength: 1, maxLength: 20_000, description: 'OpenSSH or PEM' })),
    passphrase: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  },
  { additionalProperties: false },
);

/** Folders of an SSH server. */
export const sftpChannel = defineChannel({
  kind: 'sftp',
  configSchema,
  secretsSchema,
  names: POSIX_NAMES,
  open: async ({ config, secrets, stallMs = STALL_MS, signal }) => {
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
  },
});

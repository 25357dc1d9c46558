import { Type } from 'typebox';
import { defineChannel } from '../../channel.ts';
import { POSIX_NAMES } from '../../name-rules.ts';
import { callsOf } from '../put-by-rename.ts';
import { faultOf, networkFault, STALL_MS } from '../transfer.ts';
import { connectFtp } from './ftp-connection.ts';
import { classifyFtp } from './ftp-faults.ts';
import { createFtpFiles } from './ftp-files.ts';
import { createFtpPool } from './ftp-pool.ts';

const PORTS = { explicit: 21, implicit: 990, none: 21 };

/** One command is one line. */
const LINE = '^[^\\r\\n\\0]+$';
const configSchema = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\s/]+$' }),
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: 'Default: 21, of implicit security 990' }),
    ),
    user: Type.String({ minLength: 1, maxLength: 255, pattern: LINE }),
    security: Type.Optional(
      Type.Union([Type.Literal('explicit'), Type.Literal('implicit'), Type.Literal('none')], {
        default: 'explicit',
        description: 'TLS for all connections, asked for or from the first byte. `none` sends the password readable.',
      }),
    ),
    ca: Type.Optional(
      Type.String({ maxLength: 20_000, description: 'Certificate, in PEM, that signed the one of the server' }),
    ),
    insecure: Type.Optional(Type.Boolean({ description: 'Takes any certificate' })),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 1024, pattern: LINE, description: 'Folder that exists' }),
    ),
  },
  { additionalProperties: false },
);
const secretsSchema = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 1024, pattern: LINE }) },
  { additionalProperties: false },
);

/** Folders of an FTP server, with TLS unless it is turned off. */
export const ftpChannel = defineChannel({
  kind: 'ftp',
  configSchema,
  secretsSchema,
  names: POSIX_NAMES,
  open: async ({ config, secrets, concurrency, stallMs = STALL_MS, signal }) => {
    const security = config.security ?? 'explicit';
    const server = {
      host: config.host,
      port: config.port ?? PORTS[security],
      security,
      user: config.user,
      password: secrets.password,
      ca: config.ca,
      insecure: config.insecure === true,
      folder: config.prefix ?? '',
      stallMs,
    };
    const pool = createFtpPool({
      connect: (one) => connectFtp(server, one),
      size: concurrency,
      isBusy: (error) => (networkFault(error) ?? classifyFtp(error)).code === 'busy',
    });
    const files = createFtpFiles(pool);
    const guarded = async <Result>(one: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
      try {
        one.throwIfAborted();
        return await work();
      } catch (error) {
        throw faultOf(error, { signal: one, classify: classifyFtp });
      }
    };
    const close = async (): Promise<void> => pool.close();
    try {
      // Logs in, and enters the folder.
      await guarded(signal, () => pool.use(signal, async () => {}));
    } catch (error) {
      await close();
      throw error;
    }
    return { ...callsOf(files), stat: (path, one) => guarded(one, () => files.stat(path, one)), close };
  },
});

import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { Type } from 'typebox';
import { ChannelError, defineChannel } from '../../channel.ts';
import { POSIX_NAMES } from '../../name-rules.ts';
import { callsOf } from '../put-by-rename.ts';
import { faultOf, STALL_MS } from '../transfer.ts';
import { createWebdavFiles } from './webdav-files.ts';
import { classifyWebdav, createWebdavRequests } from './webdav-requests.ts';

const configSchema = Type.Object(
  {
    url: Type.String({ pattern: '^https?://[^@?#\\s]+$', maxLength: 2000, description: 'Folder that exists' }),
    user: Type.Optional(Type.String({ minLength: 1, maxLength: 255, pattern: '^[^:]*$' })),
    ca: Type.Optional(
      Type.String({ maxLength: 20_000, description: 'Certificate, in PEM, that signed the one of the server' }),
    ),
    insecure: Type.Optional(Type.Boolean({ description: 'Takes any certificate' })),
  },
  { additionalProperties: false },
);
const secretsSchema = Type.Object(
  {
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
    token: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'Sent as a bearer token',
      }),
    ),
  },
  { additionalProperties: false },
);

/** Folders of a WebDAV server, such as Nextcloud. */
export const webdavChannel = defineChannel({
  kind: 'webdav',
  configSchema,
  secretsSchema,
  names: POSIX_NAMES,
  open: async ({ config, secrets, stallMs = STALL_MS, signal }) => {
    const root = new URL(config.url);
    const agent = root.protocol === 'https:' ? new TlsAgent({ keepAlive: true }) : new PlainAgent({ keepAlive: true });
    const authorization =
      secrets.token === undefined ? basic(config.user, secrets.password) : `Bearer ${secrets.token}`;
    const files = createWebdavFiles(
      createWebdavRequests({
        root,
        agent,
        headers: authorization === undefined ? {} : { authorization },
        stallMs,
        tls: { ...(config.ca !== undefined && { ca: config.ca }), rejectUnauthorized: config.insecure !== true },
      }),
    );
    const guarded = async <Result>(one: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
      try {
        one.throwIfAborted();
        return await work();
      } catch (error) {
        throw faultOf(error, { signal: one, classify: classifyWebdav });
      }
    };
    const close = async (): Promise<void> => agent.destroy();
    try {
      await guarded(signal, async () => {
        if (await files.isFolder('', signal)) return;
        throw new ChannelError('not_found', 'expected the folder of config.url on the WebDAV server, it is not there');
      });
    } catch (error) {
      await close();
      throw error;
    }
    return { ...callsOf(files), stat: (path, one) => guarded(one, () => files.stat(path, one)), close };
  },
});

function basic(user: string | undefined, password: string | undefined): string | undefined {
  if (user === undefined || password === undefined) return undefined;
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

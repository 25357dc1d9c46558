import { Client } from 'basic-ftp';
import { SECOND_MS } from '../../../base/index.ts';
import { ChannelError } from '../../channel.ts';
import { withinLimit } from '../transfer.ts';
import { replyCode } from './ftp-faults.ts';

export type FtpServer = {
  readonly host: string;
  readonly port: number;
  readonly security: 'explicit' | 'implicit' | 'none';
  readonly user: string;
  readonly password: string;
  readonly ca: string | undefined;
  readonly insecure: boolean;
  /** Empty: the folder in which the server puts the user. */
  readonly folder: string;
  /** Silence of the server, on the control or the data connection. */
  readonly stallMs: number;
};

export type FtpConnection = {
  readonly client: Client;
  /** What the server says that it can, in upper case, with its parameters. */
  readonly features: ReadonlyMap<string, string>;
  readonly stallMs: number;
};

const CONNECT_LIMIT_MS = 20 * SECOND_MS;
/** Routers forget connections that are silent for minutes, as the control connection is while a large file goes out. */
const KEEPALIVE_MS = 30 * SECOND_MS;

/** Connects, logs in and enters the folder. @throws ChannelError for a missing folder, else the library's errors */
export async function connectFtp(server: FtpServer, signal: AbortSignal): Promise<FtpConnection> {
  const client = new Client(server.stallMs);
  try {
    return await withinLimit({ signal, limitMs: CONNECT_LIMIT_MS, what: 'an FTP connection' }, async () => {
      await logIn(client, server);
      client.ftp.socket.setKeepAlive(true, KEEPALIVE_MS);
      client.ftp.socket.setNoDelay(true);
      if (server.folder !== '') await enter(client, server.folder);
      const features = await client.features();
      const upper = [...features].map(([name, value]) => [name.toUpperCase(), value] as const);
      return { client, features: new Map(upper), stallMs: server.stallMs };
    });
  } catch (error) {
    client.close();
    throw error;
  }
}

async function logIn(client: Client, server: FtpServer): Promise<void> {
  const { host, port, user, password, security } = server;
  const tls = {
    // The certificate is that of this host, on the data connections too.
    host,
    ...(server.ca !== undefined && { ca: server.ca }),
    rejectUnauthorized: !server.insecure,
  };
  if (security === 'implicit') await client.connectImplicitTLS(host, port, tls);
  else await client.connect(host, port);
  if (security === 'explicit') {
    try {
      await client.useTLS(tls);
    } catch (error) {
      const reply = replyCode(error);
      if (reply === undefined || reply < 500) throw error;
      throw new ChannelError('refused', `expected the FTP server to begin TLS (config.security), received ${reply}`, {
        cause: error,
      });
    }
  }
  // Names and passwords may be of any language.
  await client.sendIgnoringError('OPTS UTF8 ON');
  await client.login(user, password);
  await client.useDefaultSettings();
}

async function enter(client: Client, folder: string): Promise<void> {
  try {
    await client.send(`CWD ${folder}`);
  } catch (error) {
    const reply = replyCode(error);
    if (reply !== 550 && reply !== 553) throw error;
    throw new ChannelError('not_found', `expected the folder ${folder} on the FTP server, it is not there`, {
      cause: error,
    });
  }
}

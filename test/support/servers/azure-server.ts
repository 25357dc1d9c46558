import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, runServer, type ServerProcess } from './server-process.ts';

const MODULES = join(import.meta.dirname, '..', '..', '..', 'node_modules');
/** It is 365 MB with what it needs, hence no dependency of the project: the second place is for a copy of its own. */
const PLACES = [MODULES, join(MODULES, '.cache', 'touchline', 'azurite', 'node_modules')];
const SCRIPT = join('azurite', 'dist', 'src', 'blob', 'main.js');

const found = (): string | undefined => PLACES.map((place) => join(place, SCRIPT)).find((path) => existsSync(path));

/** Why it cannot be started here; undefined when it can. */
export const missingAzureServer = (): string | undefined =>
  found() === undefined
    ? 'skipped: azurite is missing (npm install --prefix node_modules/.cache/touchline/azurite azurite@3.37.0)'
    : undefined;

export type AzureTestServer = ServerProcess & {
  readonly endpoint: string;
  readonly account: string;
  readonly accountKey: string;
};

/** Azurite, Microsoft's emulator of Blob Storage, which checks signatures. */
export async function startAzureServer(): Promise<AzureTestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-azure-'));
  const port = await freePort();
  const [account, accountKey] = ['library', Buffer.from('a key of the tests alone').toString('base64')];
  const server = await runServer({
    command: process.execPath,
    args: [
      found() ?? SCRIPT,
      '--location',
      folder,
      '--blobHost',
      '127.0.0.1',
      '--blobPort',
      String(port),
      '--silent',
      '--skipApiVersionCheck',
      '--disableTelemetry',
    ],
    port,
    env: { AZURITE_ACCOUNTS: `${account}:${accountKey}` },
  });
  return {
    ...server,
    endpoint: `http://127.0.0.1:${port}/${account}`,
    account,
    accountKey,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, runServer, type ServerProcess } from './server-process.ts';

/** Installed by scripts/setup-azurite.mjs. */
const SCRIPT = join(
  import.meta.dirname,
  '../../../node_modules/.cache/touchline/azurite/node_modules/azurite/dist/src/blob/main.js',
);

/** Why it cannot be started here; undefined when it can. */
export const missingAzureServer = (): string | undefined =>
  existsSync(SCRIPT) ? undefined : 'skipped: azurite is missing (node scripts/setup.mjs --test)';

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
    name: 'Azurite',
    command: process.execPath,
    args: [
      SCRIPT,
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

import { generateKeyText, hashKeyText, insertKey, SCOPES, scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { openDatabase } from '../../src/db/index.ts';
import { APPLICATION_NAME, openServer } from './data-folder.ts';
import { ORGANIZATION_ID } from './library.ts';

/**
 * A key that the rate limit never stops, for the library in a folder. PostgreSQL is stopped afterwards, so that the service
 * starts it itself; left running, the service adopts it where it is.
 */
export async function createBenchKey(
  dataDir: string,
  options: { readonly leaveServerRunning?: boolean } = {},
): Promise<string> {
  const server = await openServer(dataDir);
  const { db } = openDatabase({
    connection: server.connection,
    applicationName: APPLICATION_NAME,
    maxConnections: 1,
    logger: createLogger({ level: 'warn' }),
  });
  const { text: key, publicId } = generateKeyText();
  await insertKey(db, scopeOf(ORGANIZATION_ID), {
    publicId,
    secretSha256: hashKeyText(key),
    name: 'bench',
    scopes: SCOPES,
    cidrs: [],
    requestsPerSecond: 1_000_000,
    burst: 1_000_000,
    expiresAt: null,
  });
  await db.destroy();
  if (options.leaveServerRunning !== true) await server.stop({ applicationName: APPLICATION_NAME });
  return key;
}

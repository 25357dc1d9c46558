import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretBox } from '../../src/base/secret-box.ts';
import { createLogger } from '../../src/base/index.ts';
import { resealSecrets } from '../../src/db/index.ts';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import { createServiceFolder, type RunningService, type ServiceFolder } from '../support/process.ts';
import { missingSftpServer, type SftpTestServer, startSftpServer } from '../support/servers/sftp-server.ts';

const oldKey = randomBytes(32);
const newKey = randomBytes(32);

describe('secrets under two keys', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await startApp({ SECRET_KEY: oldKey.toString('hex') });
  });
  afterAll(() => service.close());

  test('are sealed with the first one, and the old one can be dropped', async () => {
    const secrets = { access_key_id: 'AKIA', secret_access_key: 'only-of-the-tests' };
    const config = { bucket: 'library', region: 'eu-central-1' };
    const body = { name: 'store', kind: 's3', config, secrets };
    const { id } = (await service.call('POST', '/v1/destination', { body })).body['destination'];
    const { db } = service.app.installation;
    const row = async () => {
      const found = await db.selectFrom('destination').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      return { sealed: found.secrets ?? Buffer.alloc(0), keyId: found.secret_key_id ?? '' };
    };
    const logger = createLogger({ level: 'silent' });
    const reseal = (...keys: [Buffer, ...Buffer[]]) => resealSecrets(db, { secretBox: createSecretBox(keys), logger });

    expect(await reseal(newKey), 'without the old key nothing is touched').toEqual({ resealed: 0, left: 1 });
    expect(createSecretBox([oldKey]).open(service.organizationId, await row())).toEqual(secrets);
    expect(await reseal(newKey, oldKey)).toEqual({ resealed: 1, left: 0 });
    expect(createSecretBox([newKey]).open(service.organizationId, await row())).toEqual(secrets);
    const sealed = await row();
    expect(() => createSecretBox([oldKey]).open(service.organizationId, sealed)).toThrow(/SECRET_KEY/);
    expect(await reseal(newKey, oldKey), 'once').toEqual({ resealed: 0, left: 0 });
  });
});

const missing = missingSftpServer();
describe.skipIf(missing !== undefined)(
  `an installation whose key is changed (${missing ?? 'with an SFTP server'})`,
  () => {
    let folder: ServiceFolder;
    let server: SftpTestServer;
    beforeAll(async () => {
      folder = await createServiceFolder();
      server = await startSftpServer();
    }, 60_000);
    afterAll(async () => {
      await folder.remove();
      await server.stop();
    });

    test('reaches its destinations before, meanwhile and afterwards', async () => {
      const withKeys = (...keys: readonly Buffer[]) =>
        folder.start({ SECRET_KEY: keys.map((key) => key.toString('hex')).join(',') });
      let service: RunningService = await withKeys(oldKey);
      const { api_key: key } = await folder.firstRun();
      const call = async (method: string, path: string, body?: object): Promise<Json> => {
        const headers = { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
        const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
        return (await (await fetch(service.url + path, sent)).json()) as Json;
      };
      const { port, user, hostKey, root: prefix, privateKey: private_key } = server;
      const config = { host: '127.0.0.1', port, user, host_key: hostKey, prefix };
      const body = { name: 'agency', kind: 'sftp', config, secrets: { private_key } };
      const { id } = (await call('POST', '/v1/destination', body))['destination'];
      const verified = async () => (await call('POST', `/v1/destination/${id}/verify`))['destination']['status'];
      expect(await verified()).toBe('ok');
      for (const keys of [[newKey, oldKey], [newKey]]) {
        await service.end('SIGTERM');
        service = await withKeys(...keys);
        expect(await verified()).toBe('ok');
      }
      await service.end('SIGTERM');
    }, 120_000);
  },
);

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { findProgram, freePort, missingProgram, runServer, type ServerProcess } from './server-process.ts';

const run = promisify(execFile);

const PROGRAMS = ['ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin'];
/** Its gateway makes its pools at the first start: 12 s on two quiet cores. */
const START_LIMIT_MS = 120_000;
const COMMAND_LIMIT_MS = 60_000;
/** In memory, for all objects. */
const STORE_BYTES = 3 * 1024 ** 3;

/** Why it cannot be started here; undefined when it can. */
export const missingCephServer = (): string | undefined => missingProgram(PROGRAMS, 'ceph-mon ceph-osd radosgw');

export type CephUser = { readonly accessKeyId: string; readonly secretAccessKey: string };

export type CephTestServer = ServerProcess & {
  /** The owner of all buckets, and one who may do nothing with them. */
  readonly owner: CephUser;
  readonly stranger: CephUser;
  makeBucket(name: string): Promise<void>;
  /** Further bytes in a bucket are refused. */
  limitBucket(name: string, maxBytes: number): Promise<void>;
};

/** Ceph on one machine, kept in memory: a monitor, a store, and the gateway that speaks S3. `restart` and `kill` are of the gateway. */
export async function startCephServer(): Promise<CephTestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-ceph-'));
  const [monitorPort, oldMonitorPort, storePort, port] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const cluster = { folder, id: randomUUID(), monitorPort, oldMonitorPort, storePort, port };
  const config = join(folder, 'ceph.conf');
  for (const name of ['mon', 'osd', 'rgw', 'run']) await mkdir(join(folder, name));
  await writeFile(config, `${settings(cluster).join('\n')}\n`);
  const call = async (command: string, args: readonly string[]): Promise<void> =>
    void (await run(findProgram(command) ?? command, args, {
      timeout: COMMAND_LIMIT_MS,
      env: { ...process.env, CEPH_CONF: config },
    }));
  const daemon = (command: string, args: readonly string[], listens: number): Promise<ServerProcess> =>
    runServer({
      command: findProgram(command) ?? command,
      args: ['-f', '-c', config, ...args],
      port: listens,
      limitMs: START_LIMIT_MS,
    });
  await prepare(cluster, call);
  const monitor = await daemon('ceph-mon', ['-i', 'a'], monitorPort);
  await call('ceph', ['-c', config, 'osd', 'new', cluster.id]);
  await call('ceph-osd', ['-c', config, '-i', '0', '--mkfs', '--osd-uuid', cluster.id]);
  const store = await daemon('ceph-osd', ['-i', '0'], storePort);
  const gateway = await daemon('radosgw', ['-n', 'client.rgw'], port);
  const admin = (args: readonly string[]): Promise<void> =>
    call('radosgw-admin', ['-c', config, '-n', 'client.rgw', ...args]);
  const makeUser = async (name: string): Promise<CephUser> => {
    const user = { accessKeyId: name.toUpperCase(), secretAccessKey: randomUUID() };
    const keys = ['--access-key', user.accessKeyId, '--secret-key', user.secretAccessKey];
    await admin(['user', 'create', '--uid', name, '--display-name', name, ...keys]);
    return user;
  };
  const [owner, stranger] = [await makeUser('owner'), await makeUser('stranger')];
  const client = new S3Client({
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    forcePathStyle: true,
    credentials: owner,
  });
  return {
    ...gateway,
    owner,
    stranger,
    makeBucket: async (Bucket) => void (await client.send(new CreateBucketCommand({ Bucket }))),
    limitBucket: async (name, maxBytes) => {
      await admin(['quota', 'set', '--bucket', name, '--max-size', String(maxBytes), '--quota-scope', 'bucket']);
      await admin(['quota', 'enable', '--bucket', name, '--quota-scope', 'bucket']);
    },
    stop: async () => {
      client.destroy();
      for (const server of [gateway, store, monitor]) await server.stop();
      await rm(folder, { recursive: true });
    },
  };
}

type Cluster = {
  readonly folder: string;
  readonly id: string;
  readonly monitorPort: number;
  readonly oldMonitorPort: number;
  readonly storePort: number;
  readonly port: number;
};

/** The keys of all parts, the map of the monitor, and its empty database. */
async function prepare(
  { folder, id, monitorPort, oldMonitorPort }: Cluster,
  call: (command: string, args: readonly string[]) => Promise<void>,
): Promise<void> {
  const at = (name: string): string => join(folder, name);
  const keys: readonly (readonly string[])[] = [
    ['mon.', '--cap', 'mon', 'allow *'],
    ['client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'],
    ['osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'],
    ['client.rgw', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *'],
  ];
  for (const [index, key] of keys.entries()) {
    await call('ceph-authtool', [
      ...(index === 0 ? ['--create-keyring'] : []),
      at('keyring'),
      '--gen-key',
      '-n',
      ...key,
    ]);
  }
  const address = `[v2:127.0.0.1:${monitorPort},v1:127.0.0.1:${oldMonitorPort}]`;
  await call('monmaptool', ['--create', '--addv', 'a', address, '--fsid', id, at('monmap')]);
  await call('ceph-mon', [
    '-c',
    at('ceph.conf'),
    '--mkfs',
    '-i',
    'a',
    '--monmap',
    at('monmap'),
    '--keyring',
    at('keyring'),
  ]);
}

function settings({ folder, id, monitorPort, oldMonitorPort, storePort, port }: Cluster): string[] {
  const at = (name: string): string => join(folder, name);
  return [
    '[global]',
    `fsid = ${id}`,
    `run dir = ${at('run')}`,
    `admin socket = ${at('run')}/$name.$pid.asok`,
    `pid file = ${at('run')}/$name.pid`,
    `log file = ${at('run')}/$name.log`,
    `crash dir = ${at('run')}`,
    `keyring = ${at('keyring')}`,
    `mon host = [v2:127.0.0.1:${monitorPort},v1:127.0.0.1:${oldMonitorPort}]`,
    'public addr = 127.0.0.1',
    'cluster addr = 127.0.0.1',
    // One store holds one copy.
    'osd pool default size = 1',
    'osd pool default min size = 1',
    'osd pool default pg num = 8',
    'osd pool default pgp num = 8',
    'osd crush chooseleaf type = 0',
    'mon allow pool size one = true',
    'mon max pg per osd = 1000',
    '[mon.a]',
    `mon data = ${at('mon')}`,
    '[osd]',
    `osd data = ${at('osd')}`,
    'osd objectstore = memstore',
    `memstore device bytes = ${STORE_BYTES}`,
    'osd max object name len = 256',
    `ms bind port min = ${storePort}`,
    `ms bind port max = ${storePort + 100}`,
    '[client.rgw]',
    `rgw frontends = beast endpoint=127.0.0.1:${port}`,
    `rgw data = ${at('rgw')}`,
    // Quotas count what was stored a moment ago.
    'rgw bucket quota ttl = 0',
    'rgw bucket quota soft threshold = 0',
    'rgw user quota bucket sync interval = 0',
    // What was removed makes room within seconds, not hours: the store is memory.
    'rgw gc obj min wait = 2',
    'rgw gc processor period = 2',
    'rgw gc processor max time = 2',
  ];
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createServiceFolder } from '../support/process.ts';

const BIN = '/usr/lib/postgresql/15/bin';
const FACE = join(import.meta.dirname, '..', 'fixtures', 'faces', 'astronaut.png');

async function accountOf(name: string): Promise<{ uid: number; gid: number } | undefined> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((one) => one.startsWith(`${name}:`));
  const fields = line?.split(':');
  return fields && { uid: Number(fields[2]), gid: Number(fields[3]) };
}

/** A PostgreSQL 15 of the system on a socket of its own. */
async function startPostgres15(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'touchline-pg15-'));
  const account = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
  if (account) await chown(folder, account.uid, account.gid);
  const data = join(folder, 'data');
  const options = { stdio: 'ignore' as const, cwd: folder, ...account };
  const [code] = await once(
    spawn(
      join(BIN, 'initdb'),
      ['-D', data, '-U', 'touchline', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8'],
      options,
    ),
    'exit',
  );
  if (code !== 0) throw new Error(`initdb ended with ${code}`);
  const server = spawn(
    join(BIN, 'postgres'),
    ['-D', data, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off'],
    options,
  );
  while (!existsSync(join(folder, '.s.PGSQL.5432'))) await delay(20);
  return {
    url: `postgres://touchline@localhost:5432/postgres?host=${encodeURIComponent(folder)}`,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

test.skipIf(!existsSync(join(BIN, 'initdb')))(
  'the service runs on PostgreSQL 15 through DATABASE_URL',
  async () => {
    const postgres = await startPostgres15();
    const folder = await createServiceFolder();
    try {
      const env = { DATABASE_URL: postgres.url };
      const service = await folder.start(env);
      const { api_key: key } = await folder.firstRun();
      const call = async (path: string, init: RequestInit): Promise<any> =>
        (await fetch(service.url + path, init)).json();
      const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
      const created = await call('/v1/tag', {
        method: 'POST',
        headers,
        body: JSON.stringify({ type: 'player', label: 'Šeško' }),
      });
      const form = new FormData();
      form.append('metadata', JSON.stringify({ tag_options: [created.tag_option.id] }));
      form.append('file', new Blob([new Uint8Array(await readFile(FACE))]), 'frame.png');
      const uploaded = await call('/v1/media', {
        method: 'POST',
        body: form,
        headers: { 'X-Api-Key': key, Prefer: 'wait=30' },
      });
      expect(uploaded.media).toMatchObject({ status: 'ready', people_count: 1 });
      const found = await call('/v1/media/search', {
        method: 'POST',
        headers,
        body: JSON.stringify({ player: { only: [created.tag_option.id] }, name: 'FRAME' }),
      });
      expect(found.total).toBe(1);
      expect(await call('/v1/tag/search?query=sesko', { headers })).toMatchObject({ players: [{ media_count: 1 }] });
      expect((await service.end('SIGTERM')).code).toBe(0);
      const again = await folder.start(env);
      expect((await again.end('SIGTERM')).code).toBe(0);
    } finally {
      await folder.remove();
      await postgres.stop();
    }
  },
  120_000,
);

import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import { missingSmbServer, type SmbTestServer, startSmbServer } from '../../../../test/support/servers/smb-server.ts';
import { MIB } from '../../../base/index.ts';
import type { ChannelSession } from '../../channel.ts';
import { putOf } from '../../channel-contract.ts';
import { smbChannel } from './smb-channel.ts';

const missing = smbChannel.missing?.() ?? missingSmbServer();
const never = (): AbortSignal => new AbortController().signal;

type Process = { readonly pid: number; readonly words: string; readonly environment: string };

/** Processes of the channel that this one has started. */
function children(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = / (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'utf8').replace(/^.*\) ./, ''))?.[1];
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8');
        if (Number(parent) !== process.pid || !/smb-child|smbclient/.test(words)) return [];
        return [{ pid: Number(name), words, environment: readFileSync(`/proc/${name}/environ`, 'utf8') }];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}

/** The bytes, with something that happens when `at` of them were read. */
async function* interrupted(bytes: Buffer, at: number, happen: () => Promise<void> | void): AsyncIterable<Uint8Array> {
  yield bytes.subarray(0, at);
  await happen();
  yield bytes.subarray(at);
}

if (missing !== undefined) {
  test.skip(`SMB processes (${missing})`);
} else {
  describe('SMB processes', () => {
    let server: SmbTestServer;
    let sealing: SmbTestServer;
    let folder = '';
    let session: ChannelSession;
    const open = (over: Readonly<Record<string, unknown>> = {}, at = server): Promise<ChannelSession> => {
      const { user, domain, port, password } = at;
      const config = { host: '127.0.0.1', port, share: 'media', user, domain, ...over };
      return smbChannel.open({ config, secrets: { password }, concurrency: 4, signal: never() });
    };
    const atServer = (path: string): Promise<Buffer> => readFile(join(server.root, path));

    beforeAll(async () => {
      server = await startSmbServer({ encryption: 'off' });
      sealing = await startSmbServer({ encryption: 'required' });
      session = await open();
      folder = await mkdtemp(join(tmpdir(), 'touchline-smb-source-'));
    }, 60_000);
    afterAll(async () => {
      await session?.close();
      await server?.stop();
      await sealing?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test.each([
      ['small', 1000],
      ['large', 6 * MIB],
    ])('leave a name to the file that took it while a %s one was sent', async (size, bytes) => {
      const path = `taken-${size}.bin`;
      const ours = randomBytes(bytes);
      const read = () => interrupted(ours, 500, () => writeFile(join(server.root, path), 'theirs'));
      const put = session.put(putOf(path, ours, { replace: false, read }));
      await expect(put).rejects.toMatchObject({ code: 'name_taken', permanent: true });
      expect((await atServer(path)).toString()).toBe('theirs');
      expect(await session.leftovers(path, never())).toEqual([]);
    });

    test.each([0, 1000, 4 * MIB, 11 * MIB + 5])('take %i bytes from a file of this machine', async (size) => {
      const bytes = randomBytes(size);
      const file = join(folder, `source-${size}.bin`);
      await writeFile(file, bytes);
      const seen: number[] = [];
      // What they do not read themselves would be missing.
      const read = (): AsyncIterable<Uint8Array> => {
        throw new Error('not asked for');
      };
      const path = `from/file-${size}.bin`;
      const onProgress = (done: number) => seen.push(done);
      expect(await session.put(putOf(path, bytes, { file, read, onProgress }))).toMatchObject({ sentBytes: size });
      expect((await atServer(path)).equals(bytes)).toBe(true);
      expect(seen.at(-1)).toBe(size);
    });

    test('go on with a file of this machine behind what is there, unless that is of others', async () => {
      const bytes = randomBytes(9 * MIB);
      const file = join(folder, 'resumed.bin');
      await writeFile(file, bytes);
      const broken = new Error('broken off');
      const leave = async (id: string, some: Buffer): Promise<void> => {
        const fail = () => Promise.reject(broken);
        const read = () => interrupted(some, 6 * MIB, fail);
        await expect(session.put(putOf(`resumed-${id}`, some, { id, read }))).rejects.toBe(broken);
      };
      await leave('same', bytes);
      await leave('other', randomBytes(9 * MIB));
      expect((await session.put(putOf('resumed-same', bytes, { id: 'same', file }))).sentBytes).toBe(4 * MIB);
      await session.put(putOf('resumed-other', bytes, { id: 'other', file }));
      for (const id of ['same', 'other']) expect((await atServer(`resumed-${id}`)).equals(bytes)).toBe(true);
    });

    test.each([1000, 6 * MIB])('show nothing of a file of %i bytes that has changed or is gone', async (size) => {
      const bytes = randomBytes(size);
      const file = join(folder, `changed-${size}.bin`);
      for (const now of [bytes.subarray(1), Buffer.concat([bytes, bytes]), randomBytes(size)]) {
        await writeFile(file, now);
        const read = (offset: number) => interrupted(now.subarray(offset), 0, () => {});
        const put = session.put(putOf('changed.bin', bytes, { file, read }));
        if (now.length > size && size > 4 * MIB) await put;
        else await expect(put).rejects.toMatchObject({ code: 'source_changed' });
        await session.remove('changed.bin', never());
      }
      await expect(session.put(putOf('gone.bin', bytes, { file: `${file}-gone` }))).rejects.toMatchObject({
        code: 'failed',
      });
      expect(await session.stat('gone.bin', never())).toBeUndefined();
    });

    test.each([300_000, 6 * MIB])('leave nothing of %i bytes on a disk that is full', async (size) => {
      if (server.fullShare === undefined) return;
      const full = await open({ share: server.fullShare });
      const put = full.put(putOf('full.bin', randomBytes(size)));
      await expect(put).rejects.toMatchObject({ code: 'disk_full' });
      expect(await full.leftovers('full.bin', never())).toEqual([]);
      await full.close();
    });

    test('let one of many have a name that all want and none may replace', async () => {
      const all = Array.from({ length: 6 }, () => randomBytes(2000));
      const puts = await Promise.allSettled(
        all.map((bytes) => session.put(putOf('wanted.bin', bytes, { replace: false }))),
      );
      const won = puts.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
      expect(won).toHaveLength(1);
      expect(await atServer('wanted.bin')).toEqual(all[won[0] ?? -1]);
      for (const put of puts) if (put.status === 'rejected') expect(put.reason).toMatchObject({ code: 'name_taken' });
    });

    test.each([
      "plain 'quotes' ; and %41 $x",
      '日本語/ファイル 🏆.jpg',
      '-f',
      '!ls',
      `${'l'.repeat(200)}/${'m'.repeat(200)}`,
    ])('give the free name %s', async (path) => {
      await session.put(putOf(path, Buffer.from(path), { replace: false }));
      expect((await atServer(path)).toString()).toBe(path);
    });

    test('that crash fail a try, and the next one goes on with another', async () => {
      const bytes = randomBytes(12 * MIB);
      const crash = () => children().forEach(({ pid }) => process.kill(pid, 'SIGSEGV'));
      const id = 'crashed-1';
      const put = session.put(
        putOf('crash.bin', bytes, { id, read: (at) => interrupted(bytes.subarray(at), 8 * MIB, crash) }),
      );
      await expect(put).rejects.toMatchObject({ code: 'connection_lost', permanent: false });
      const again = await session.put(putOf('crash.bin', bytes, { id }));
      expect(again.sentBytes).toBeLessThan(bytes.length);
      expect((await atServer('crash.bin')).equals(bytes)).toBe(true);
    });

    test('that hang are ended when the work is cancelled', async () => {
      const bytes = randomBytes(12 * MIB);
      const abort = new AbortController();
      const reason = new Error('no longer wanted');
      let stopped: readonly Process[] = [];
      const hang = () => {
        stopped = children();
        for (const { pid } of stopped) process.kill(pid, 'SIGSTOP');
        setTimeout(() => abort.abort(reason), 50);
      };
      const read = () => interrupted(bytes, 2 * MIB, hang);
      await expect(session.put(putOf('hang.bin', bytes, { signal: abort.signal, read }))).rejects.toBe(reason);
      // Those that rest are stopped as well; they would answer again.
      for (const { pid } of children()) process.kill(pid, 'SIGCONT');
      expect(stopped.length).toBeGreaterThan(0);
      await session.put(putOf('hang.bin', bytes));
      expect((await atServer('hang.bin')).equals(bytes)).toBe(true);
    });

    test('have the password neither in their arguments nor in their environment', async () => {
      const seen: Process[] = [];
      const bytes = randomBytes(12 * MIB);
      const read = () => interrupted(bytes, 6 * MIB, () => void seen.push(...children()));
      const watch = setInterval(() => seen.push(...children()), 5);
      await session.put(putOf('secret.bin', bytes, { replace: false, read }));
      clearInterval(watch);
      expect(seen.filter(({ words }) => words.includes('smb-child')).length).toBeGreaterThan(0);
      expect(seen.filter(({ words }) => words.includes('smbclient')).length).toBeGreaterThan(0);
      const all = seen.map(({ words, environment }) => words + environment).join('');
      expect(all).not.toContain(server.password);
      expect(all).not.toContain(server.password.slice(0, 10));
      expect(all).not.toContain('DATABASE_URL');
    });

    test('go on after the server has started anew', async () => {
      await server.restart();
      const put = () => session.put(putOf('restarted.bin', Buffer.from('whole')));
      await put().catch((error: unknown) => expect(error).toMatchObject({ permanent: false }));
      await put();
      expect((await atServer('restarted.bin')).toString()).toBe('whole');
    });

    test('do not wait for a server that says nothing any more', async () => {
      const proxy = await startCuttingProxy(server);
      const { user, domain, password } = server;
      const config = { host: '127.0.0.1', port: proxy.port, share: 'media', user, domain };
      const quick = await smbChannel.open({
        config,
        secrets: { password },
        concurrency: 1,
        stallMs: 1000,
        signal: never(),
      });
      proxy.stallAfter(5 * MIB);
      const began = performance.now();
      const put = quick.put(putOf('silent.bin', randomBytes(12 * MIB)));
      await expect(put).rejects.toMatchObject({ permanent: false });
      expect(performance.now() - began).toBeLessThan(15_000);
      await quick.close();
      await proxy.close();
    });

    test('end with their session', async () => {
      const before = new Set(children().map(({ pid }) => pid));
      const other = await open();
      await Promise.all(Array.from({ length: 4 }, (_, at) => other.put(putOf(`end/${at}`, randomBytes(100)))));
      const own = children().filter(({ pid }) => !before.has(pid));
      expect(own.length).toBeGreaterThan(0);
      await other.close();
      expect(children().filter(({ pid }) => !before.has(pid))).toEqual([]);
      await expect(other.stat('end/0', never())).rejects.toMatchObject({ permanent: false });
    });

    test('sign everything, and encrypt where the server has it', async () => {
      await session.stat('any', never());
      const signed = await server.status();
      expect(signed).toMatch(/SMB3_11 +- +AES-128-(?:GMAC|CMAC)/);
      const sealed = await open({ encryption: 'if_offered' }, sealing);
      expect(await sealing.status()).toMatch(/SMB3_11 +AES-\d+-GCM/);
      await sealed.close();
    });

    test('refuse a server that has no encryption where it is required', async () => {
      await expect(open({ encryption: 'required' })).rejects.toMatchObject({ permanent: true });
      const sealed = await open({ encryption: 'required', min_protocol: 'SMB3_11' }, sealing);
      await sealed.put(putOf('sealed.bin', Buffer.from('sealed'), { replace: false }));
      await sealed.close();
    });

    test("refuse another user's share, and a folder that is not there", async () => {
      await expect(open({ share: 'others' })).rejects.toMatchObject({ code: 'credentials' });
      await expect(open({ prefix: 'not/there' })).rejects.toMatchObject({ code: 'not_found' });
    });

    test('store below a prefix', async () => {
      await session.put(putOf('pre fix/ä/one.txt', Buffer.from('one')));
      const below = await open({ prefix: 'pre fix/ä' });
      await below.put(putOf('two.txt', Buffer.from('two'), { replace: false }));
      expect((await buffer(below.read('one.txt', never()))).toString()).toBe('one');
      expect((await atServer('pre fix/ä/two.txt')).toString()).toBe('two');
      await below.close();
    });
  });
}

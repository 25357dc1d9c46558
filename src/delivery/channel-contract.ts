/** What every channel must do; each kind's test file runs it against a real server. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MIB } from '../base/index.ts';
import { ChannelError, type ChannelSession, type DestinationChannel, type PutOptions } from './channel.ts';

type Fields = Readonly<Record<string, unknown>>;
export type ChannelTarget = { readonly config: Fields; readonly secrets: Fields };

export type ChannelSubject = {
  readonly channel: DestinationChannel;
  readonly target: ChannelTarget;
  /** Below how many bytes a cut try is sent again from the start: the part size of S3, for example. Undefined: never resumed. */
  readonly resumesFromBytes: number | undefined;
  /** Faults that only some kinds can have; each is a test. */
  readonly wrongCredentials?: ChannelTarget;
  readonly withoutPermission?: ChannelTarget;
  /** A root, bucket or share that is not there. */
  readonly missingRoot?: ChannelTarget;
  readonly fullDisk?: ChannelTarget;
  /** Nothing listens there. */
  readonly unreachable?: ChannelTarget;
  /** Ends the connections of `target` once this many bytes have passed to the server; for channels over a network. */
  cutAfter?(bytes: number): void;
  close(): Promise<void>;
};

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const never = (): AbortSignal => new AbortController().signal;
const CHUNK = 64 * 1024;

async function* chunksOf(bytes: Buffer, offset: number): AsyncIterable<Uint8Array> {
  for (let at = offset; at < bytes.length; at += CHUNK) yield bytes.subarray(at, Math.min(at + CHUNK, bytes.length));
}

/** A put of these bytes; members of `over` replace what it would be. */
export function putOf(path: string, bytes: Buffer, over: Partial<PutOptions> = {}): PutOptions {
  return {
    path,
    bytes: bytes.length,
    sha256: sha256(bytes),
    contentType: 'application/octet-stream',
    read: (offset) => chunksOf(bytes, offset),
    id: randomUUID(),
    replace: true,
    signal: never(),
    ...over,
  };
}

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Opens, puts a file and closes: where a fault shows itself is the channel's choice. */
async function tryPut(channel: DestinationChannel, target: ChannelTarget): Promise<unknown> {
  return errorOf(
    (async () => {
      const session = await channel.open({ ...target, concurrency: 1, signal: never() });
      try {
        await session.put(putOf('faults/one.bin', randomBytes(300_000)));
      } finally {
        await session.close();
      }
    })(),
  );
}

export function describeChannel(name: string, open: () => Promise<ChannelSubject>): void {
  describe(name, () => {
    let subject: ChannelSubject;
    let session: ChannelSession;
    const bytesAt = async (path: string): Promise<Buffer> => buffer(session.read(path, never()));
    const reopen = async (): Promise<void> => {
      await session.close();
      session = await subject.channel.open({ ...subject.target, concurrency: 4, signal: never() });
    };

    beforeAll(async () => {
      subject = await open();
      session = await subject.channel.open({ ...subject.target, concurrency: 4, signal: never() });
    }, 120_000);
    afterAll(async () => {
      await session?.close();
      await subject?.close();
    });

    test.each([
      ['an empty file', 0],
      ['one byte', 1],
      ['a small file', 70_001],
      ['a file of many parts', 40 * MIB + 12_345],
    ])('stores %s whole and reads it back', async (_what, size) => {
      const bytes = randomBytes(size);
      const seen: number[] = [];
      const path = `sizes/${size}.bin`;
      const result = await session.put(putOf(path, bytes, { onProgress: (done) => seen.push(done) }));
      expect(['checksum', 'read_back']).toContain(result.verified);
      expect(result.sentBytes).toBe(size);
      expect((await session.stat(path, never()))?.bytes).toBe(size);
      expect(sha256(await bytesAt(path))).toBe(sha256(bytes));
      expect(seen).toEqual(seen.toSorted((left, right) => left - right));
      if (size > 0) expect(seen.at(-1)).toBe(size);
      expect(await session.leftovers(path, never())).toEqual([]);
    });

    test('makes the folders that a path needs', async () => {
      const bytes = randomBytes(10);
      await session.put(putOf('deep/one/two/three/four/file.jpg', bytes));
      await session.put(putOf('deep/one/two/other.jpg', bytes));
      expect(await bytesAt('deep/one/two/three/four/file.jpg')).toEqual(bytes);
      expect(await bytesAt('deep/one/two/other.jpg')).toEqual(bytes);
    });

    test.each([
      'names/Beşiktaş – Šeško 1:0'.replace(':', '_'),
      'names/two  spaces (1) [x] {y} & ’ # % + = ~ @ ! $.jpg',
      'names/日本語/ファイル.jpg',
      'names/emoji 🏆.jpg',
      `names/${'l'.repeat(180)}.jpg`,
      'names/%41 is not A.jpg',
    ])('keeps the name %s as it is', async (path) => {
      const bytes = Buffer.from(path);
      await session.put(putOf(path, bytes));
      expect(await bytesAt(path)).toEqual(bytes);
      expect((await session.stat(path, never()))?.bytes).toBe(bytes.length);
    });

    test('replaces a file by a longer and by a shorter one', async () => {
      for (const text of ['the first', 'the second one, which is longer', 'third']) {
        await session.put(putOf('replaced.txt', Buffer.from(text)));
        expect((await bytesAt('replaced.txt')).toString()).toBe(text);
      }
    });

    test('leaves a file alone when it must not be replaced', async () => {
      await session.put(putOf('kept.txt', Buffer.from('first'), { replace: false }));
      const error = await errorOf(session.put(putOf('kept.txt', Buffer.from('second'), { replace: false })));
      expect(error).toMatchObject({ code: 'name_taken', permanent: true });
      expect((await bytesAt('kept.txt')).toString()).toBe('first');
      expect(await session.leftovers('kept.txt', never())).toEqual([]);
    });

    test.each([1, 50, 99])(
      'goes on after the source broke off at %i percent, and shows nothing before',
      async (percent) => {
        const bytes = randomBytes(24 * MIB + 77);
        const path = `cut/source-${percent}.bin`;
        const id = randomUUID();
        const until = Math.floor((bytes.length * percent) / 100);
        const broken = new Error('the disk went away');
        let token: string | undefined;
        const onToken = async (given: string) => {
          token = given;
        };
        async function* breaking(offset: number): AsyncIterable<Uint8Array> {
          for (let at = offset; at < until; at += CHUNK) yield bytes.subarray(at, Math.min(at + CHUNK, until));
          throw broken;
        }
        const error = await errorOf(session.put(putOf(path, bytes, { id, onToken, read: breaking })));
        expect(error).toBe(broken);
        expect(await session.stat(path, never())).toBeUndefined();
        await reopen();
        const result = await session.put(putOf(path, bytes, { id, onToken, resumeFrom: token }));
        if (subject.resumesFromBytes !== undefined && until > subject.resumesFromBytes) {
          expect(result.sentBytes).toBeLessThanOrEqual(bytes.length - until + subject.resumesFromBytes);
        }
        expect(sha256(await bytesAt(path))).toBe(sha256(bytes));
        expect(await session.leftovers(path, never())).toEqual([]);
      },
    );

    test.each([1, 50, 99])(
      'goes on after the connection was cut at %i percent, and shows nothing before',
      async (percent) => {
        if (!subject.cutAfter) return;
        const bytes = randomBytes(24 * MIB + 77);
        const path = `cut/connection-${percent}.bin`;
        const id = randomUUID();
        let token: string | undefined;
        const onToken = async (given: string) => {
          token = given;
        };
        subject.cutAfter(Math.floor((bytes.length * percent) / 100));
        const error = await errorOf(session.put(putOf(path, bytes, { id, onToken })));
        // A channel may go on by itself over a new connection.
        if (error !== undefined) {
          expect(error).toBeInstanceOf(ChannelError);
          expect(error).toMatchObject({ permanent: false });
          await reopen();
          expect(await session.stat(path, never())).toBeUndefined();
          await session.put(putOf(path, bytes, { id, onToken, resumeFrom: token }));
        }
        expect(sha256(await bytesAt(path))).toBe(sha256(bytes));
        expect(await session.leftovers(path, never())).toEqual([]);
      },
    );

    test('does not go on from what was left of other bytes', async () => {
      const path = 'cut/changed.bin';
      const id = randomUUID();
      const [first, second] = [randomBytes(3 * MIB), randomBytes(2 * MIB)];
      async function* half(): AsyncIterable<Uint8Array> {
        yield first.subarray(0, MIB);
        throw new Error('broken off');
      }
      await errorOf(session.put(putOf(path, first, { id, read: half })));
      await errorOf(session.put(putOf(path, second, { id })));
      await session.put(putOf(path, second, { id }));
      expect(await bytesAt(path)).toEqual(second);
    });

    test('leaves nothing but what can be removed when it is cancelled', async () => {
      const bytes = randomBytes(24 * MIB);
      const path = 'cancelled/one.bin';
      const abort = new AbortController();
      const reason = new Error('no longer wanted');
      async function* cancelling(): AsyncIterable<Uint8Array> {
        yield* chunksOf(bytes.subarray(0, 12 * MIB), 0);
        abort.abort(reason);
        yield* chunksOf(bytes.subarray(12 * MIB), 0);
      }
      const put = session.put(putOf(path, bytes, { signal: abort.signal, read: cancelling }));
      expect(await errorOf(put)).toBe(reason);
      expect(await session.stat(path, never())).toBeUndefined();
      for (const leftover of await session.leftovers(path, never())) await session.removeLeftover(leftover, never());
      expect(await session.leftovers(path, never())).toEqual([]);
      expect(await session.stat(path, never())).toBeUndefined();
    });

    test('does not begin what is cancelled already', async () => {
      const signal = AbortSignal.abort(new Error('too late'));
      expect(await errorOf(session.put(putOf('cancelled/two.bin', randomBytes(10), { signal })))).toBe(signal.reason);
      expect(await session.stat('cancelled/two.bin', never())).toBeUndefined();
      expect(await errorOf(session.stat('cancelled/two.bin', signal))).toBe(signal.reason);
    });

    test.each([5000, 12 * MIB])('shows nothing of %i bytes that are not those of the SHA-256', async (size) => {
      const path = `wrong/${size}.bin`;
      const put = session.put(putOf(path, randomBytes(size), { sha256: sha256(Buffer.from('other')) }));
      const error = await errorOf(put);
      expect(error).toBeInstanceOf(ChannelError);
      expect(['corrupted', 'source_changed']).toContain((error as ChannelError).code);
      expect(await session.stat(path, never())).toBeUndefined();
    });

    test.each(['shorter', 'longer'])('shows nothing of a source that is %s than was said', async (how) => {
      const bytes = randomBytes(100_000);
      const path = `wrong/${how}.bin`;
      const said = how === 'shorter' ? bytes.length + 1 : bytes.length - 1;
      const error = await errorOf(session.put(putOf(path, bytes, { bytes: said })));
      expect(error).toBeInstanceOf(ChannelError);
      expect(await session.stat(path, never())).toBeUndefined();
    });

    test('stores 20 files at once', async () => {
      const files = Array.from({ length: 20 }, (_, at) => ({
        path: `many/${at % 3}/${at}.bin`,
        bytes: randomBytes(90_000 + at),
      }));
      await Promise.all(files.map(({ path, bytes }) => session.put(putOf(path, bytes))));
      for (const { path, bytes } of files) expect(await bytesAt(path), path).toEqual(bytes);
    });

    test('says that a missing file is not there', async () => {
      expect(await session.stat('missing/one.jpg', never())).toBeUndefined();
      expect(await errorOf(bytesAt('missing/one.jpg'))).toMatchObject({ code: 'not_found' });
      expect(await session.leftovers('missing/one.jpg', never())).toEqual([]);
    });

    test('removes a file, and does not mind a missing one', async () => {
      await session.put(putOf('removal/a.txt', Buffer.from('a')));
      await session.put(putOf('removal/b.txt', Buffer.from('b')));
      await session.remove('removal/a.txt', never());
      await session.remove('removal/a.txt', never());
      expect(await session.stat('removal/a.txt', never())).toBeUndefined();
      expect((await bytesAt('removal/b.txt')).toString()).toBe('b');
    });

    test('tells what trying again cannot change', async () => {
      const cases = [
        [subject.wrongCredentials, ['credentials', 'permission']],
        [subject.withoutPermission, ['permission', 'credentials']],
        [subject.missingRoot, ['not_found', 'permission']],
        [subject.fullDisk, ['disk_full']],
      ] as const;
      for (const [target, codes] of cases) {
        if (!target) continue;
        const error = await tryPut(subject.channel, target);
        expect(error).toBeInstanceOf(ChannelError);
        expect(codes).toContain((error as ChannelError).code);
        expect(error).toMatchObject({ permanent: true });
        for (const secret of Object.values(target.secrets)) expect(String(error)).not.toContain(String(secret));
      }
    }, 60_000);

    test('tells what the next try may not meet', async () => {
      if (!subject.unreachable) return;
      const error = await tryPut(subject.channel, subject.unreachable);
      expect(error).toBeInstanceOf(ChannelError);
      expect(error).toMatchObject({ permanent: false });
    }, 60_000);
  });
}

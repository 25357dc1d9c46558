/** What every object storage must do; each implementation's test file runs it. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError, MIB } from '../base/index.ts';
import type { ObjectStorage, StoredObject } from './index.ts';

export type ContractSubject = {
  readonly storage: ObjectStorage;
  /** Ends once a copy into the storage has begun and is not complete. */
  copyBegun(): Promise<void>;
  close(): Promise<void>;
  /** Faults of the server that the tests run against, which real ones do not have. */
  readonly serverFaults?: {
    readonly firstByteAlone: true;
    readonly listOrder: true;
    readonly listPages: true;
    readonly mixedWrites: true;
  };
};

const JPEG = { contentType: 'image/jpeg' };

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The code of the AppError that the work ends with. */
export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await errorOf(work);
  if (error === undefined || error instanceof AppError) return error?.code;
  throw error;
}

export async function listed(storage: ObjectStorage, prefix: string): Promise<readonly StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const object of storage.list(prefix)) objects.push(object);
  return objects;
}

export function describeStorage(name: string, open: () => Promise<ContractSubject>): void {
  describe(name, () => {
    let subject: ContractSubject;
    let storage: ObjectStorage;
    let folder: string;
    let files = 0;
    const fileOf = async (bytes: Buffer): Promise<string> => {
      files += 1;
      const path = join(folder, `file-${files}`);
      await writeFile(path, bytes);
      return path;
    };
    const put = async (key: string, bytes: Buffer): Promise<void> => storage.putFile(key, await fileOf(bytes), JPEG);
    const orderOf = (objects: readonly StoredObject[]): readonly string[] => {
      const keys = objects.map(({ key }) => key);
      return subject.serverFaults?.listOrder ? keys.toSorted() : keys;
    };
    const bytesOf = async (key: string): Promise<Buffer> => buffer(await storage.read(key));

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'storage-contract-'));
      subject = await open();
      storage = subject.storage;
    });
    afterAll(async () => {
      await subject.close();
      await rm(folder, { recursive: true, force: true });
    });

    test('keeps a file under its key byte for byte and leaves the file', async () => {
      const bytes = randomBytes(100_000);
      const path = await fileOf(bytes);
      await storage.putFile('put/one/a.jpg', path, { ...JPEG, sha256: sha256(bytes) });
      expect(await storage.stat('put/one/a.jpg')).toEqual({ bytes: 100_000 });
      expect(await bytesOf('put/one/a.jpg')).toEqual(bytes);
      expect(await readFile(path)).toEqual(bytes);
    });

    test('keeps an empty file', async () => {
      await put('put/empty', Buffer.alloc(0));
      expect(await storage.stat('put/empty')).toEqual({ bytes: 0 });
      expect(await bytesOf('put/empty')).toHaveLength(0);
    });

    test('keeps a file of many parts', async () => {
      const bytes = randomBytes(40 * MIB + 12_345);
      await storage.putFile('put/large', await fileOf(bytes), { ...JPEG, sha256: sha256(bytes) });
      expect(await storage.stat('put/large')).toEqual({ bytes: bytes.length });
      expect(sha256(await bytesOf('put/large'))).toBe(sha256(bytes));
    });

    test('takes the file away when it is moved', async () => {
      const bytes = randomBytes(1000);
      const path = await fileOf(bytes);
      await storage.putFile('put/moved', path, { ...JPEG, move: true });
      expect(await errorOf(stat(path))).toMatchObject({ code: 'ENOENT' });
      expect(await bytesOf('put/moved')).toEqual(bytes);
    });

    test('takes a second call for the same moved file as done, and for another file not', async () => {
      const bytes = randomBytes(1000);
      const path = await fileOf(bytes);
      const options = { ...JPEG, move: true, sha256: sha256(bytes) };
      await storage.putFile('put/again', path, options);
      await storage.putFile('put/again', path, options);
      expect(await bytesOf('put/again')).toEqual(bytes);
      const other = sha256(Buffer.from('other'));
      expect(await errorOf(storage.putFile('put/again', path, { ...options, sha256: other }))).toBeInstanceOf(AppError);
      expect(await bytesOf('put/again')).toEqual(bytes);
    });

    test('replaces an object of the same key', async () => {
      await put('put/twice', Buffer.from('first, and longer'));
      await put('put/twice', Buffer.from('second'));
      expect((await bytesOf('put/twice')).toString()).toBe('second');
      expect(await listed(storage, 'put/twice')).toEqual([{ key: 'put/twice', bytes: 6 }]);
    });

    test.each([
      { size: 5000, move: false },
      { size: 5000, move: true },
      { size: 33 * MIB, move: false },
    ])('refuses $size bytes that are not those of the given SHA-256 (move: $move)', async ({ size, move }) => {
      const path = await fileOf(randomBytes(size));
      const key = `refused/${size}-${move}`;
      const wrong = sha256(Buffer.from('other bytes'));
      expect(await codeOf(storage.putFile(key, path, { ...JPEG, move, sha256: wrong }))).toBe('file_damaged');
      expect(await storage.stat(key)).toBeUndefined();
      expect(await listed(storage, 'refused/')).toEqual([]);
      expect((await stat(path)).size).toBe(size);
    });

    test('shows nothing of an object whose storing was aborted half way', async () => {
      const path = await fileOf(Buffer.alloc(0));
      await truncate(path, 192 * MIB);
      const abort = new AbortController();
      const reason = new Error('no longer wanted');
      const begun = subject.copyBegun();
      const work = errorOf(storage.putFile('aborted/one', path, { ...JPEG, signal: abort.signal }));
      await begun;
      expect(await storage.stat('aborted/one')).toBeUndefined();
      abort.abort(reason);
      expect(await work).toBe(reason);
      expect(await storage.stat('aborted/one')).toBeUndefined();
      expect(await listed(storage, 'aborted/')).toEqual([]);
    });

    test('does not begin what is aborted already', async () => {
      await put('aborted-before/there', Buffer.from('x'));
      const signal = AbortSignal.abort(new Error('too late'));
      const path = await fileOf(Buffer.from('y'));
      expect(await errorOf(storage.putFile('aborted-before/new', path, { ...JPEG, signal }))).toBe(signal.reason);
      expect(await errorOf(storage.read('aborted-before/there', undefined, signal))).toBe(signal.reason);
      expect(await errorOf(storage.openLocal('aborted-before/there', signal))).toBe(signal.reason);
      expect(await storage.stat('aborted-before/new')).toBeUndefined();
    });

    test('reads the bytes of any range as a slice of the whole', async () => {
      const bytes = randomBytes(1000);
      await put('ranges/one', bytes);
      const edge = fc.oneof(fc.nat(1100), fc.constantFrom(0, 1, 999, 1000, 1001));
      await fc.assert(
        fc.asyncProperty(edge, edge, async (a, b) => {
          const range = { start: Math.min(a, b), end: Math.max(a, b) };
          fc.pre(!(subject.serverFaults?.firstByteAlone && range.start === 0 && range.end === 1));
          expect(await buffer(await storage.read('ranges/one', range))).toEqual(bytes.subarray(range.start, range.end));
        }),
        { numRuns: 60 },
      );
    });

    test('says that a key without object is not found', async () => {
      expect(await storage.stat('missing/one')).toBeUndefined();
      expect(await codeOf(storage.read('missing/one'))).toBe('not_found');
      expect(await codeOf(storage.read('missing/one', { start: 0, end: 0 }))).toBe('not_found');
      expect(await codeOf(storage.read('missing/one', { start: 5, end: 9 }))).toBe('not_found');
      expect(await codeOf(storage.openLocal('missing/one'))).toBe('not_found');
    });

    test('does not take a folder of keys for an object', async () => {
      await put('folder/in/object', Buffer.from('x'));
      expect(await storage.stat('folder/in')).toBeUndefined();
      expect(await codeOf(storage.read('folder/in'))).toBe('not_found');
      expect(await codeOf(storage.openLocal('folder/in'))).toBe('not_found');
    });

    test('ends a stream when its reader aborts', async () => {
      await storage.putFile('aborted-read', await fileOf(randomBytes(20 * MIB)), JPEG);
      const abort = new AbortController();
      const stream = await storage.read('aborted-read', undefined, abort.signal);
      await new Promise((resolve) => stream.once('data', resolve));
      const ended = new Promise((resolve) => stream.once('close', resolve));
      stream.on('error', () => undefined);
      abort.abort(new Error('client has gone'));
      await ended;
      expect(stream.errored).toBeInstanceOf(Error);
    });

    test('gives a local path with the bytes until it is released, and keeps the object', async () => {
      const bytes = randomBytes(50_000);
      await put('local/one', bytes);
      const first = await storage.openLocal('local/one');
      const second = await storage.openLocal('local/one');
      await first.release();
      expect(await readFile(second.path)).toEqual(bytes);
      await second.release();
      await second.release();
      expect(await bytesOf('local/one')).toEqual(bytes);
    });

    test('removes objects, and does not mind missing ones', async () => {
      for (const key of ['removal/a', 'removal/b', 'removal/c']) await put(key, Buffer.from('x'));
      await storage.remove(['removal/a', 'removal/missing', 'removal/b']);
      await storage.remove([]);
      expect(await listed(storage, 'removal/')).toEqual([{ key: 'removal/c', bytes: 1 }]);
    });

    test('lists the objects of a key prefix in the order of their keys', async () => {
      const keys = ['list/a-b', 'list/a.b', 'list/a/b', 'list/a/c/d', 'list/a0', 'list/ab', 'list/B', 'list-other'];
      for (const key of keys) await put(key, Buffer.from(key));
      const keysOf = async (prefix: string) => orderOf(await listed(storage, prefix));
      expect(await keysOf('list/')).toEqual(keys.filter((key) => key !== 'list-other').toSorted());
      expect(await keysOf('list/a/')).toEqual(['list/a/b', 'list/a/c/d']);
      expect(await keysOf('list/a')).toEqual(keys.filter((key) => key.startsWith('list/a')).toSorted());
      expect(await keysOf('list')).toHaveLength(keys.length);
      expect(await keysOf('list/nothing')).toEqual([]);
    });

    test('stores, lists and removes many objects at once', async () => {
      const path = await fileOf(Buffer.from('x'));
      const count = subject.serverFaults?.listPages ? 200 : 1100;
      const keys = Array.from({ length: count }, (_, at) => `many/${at % 7}/${at}`);
      await Promise.all(keys.map((key) => storage.putFile(key, path, JPEG)));
      expect(orderOf(await listed(storage, 'many/'))).toEqual(keys.toSorted());
      await storage.remove(keys);
      expect(await listed(storage, 'many/')).toEqual([]);
    });

    test('leaves one whole object when many calls store under the same key at once', async () => {
      // Our keys name their content, so that equal keys carry equal bytes; a store must not mix different ones either.
      const equal = subject.serverFaults?.mixedWrites;
      const contents = Array.from({ length: 8 }, (_, at) => Buffer.alloc(300_000, equal ? 1 : at));
      await Promise.all(contents.map((bytes) => put('race/one', bytes)));
      const stored = await bytesOf('race/one');
      expect(contents.some((bytes) => bytes.equals(stored))).toBe(true);
    });

    test.each(['', '/a', 'a/', 'a//b', '../a', 'a/../b', 'a/./b', '.tmp/a', 'a/.b', 'a\\b', 'ä', 'a b', 'a\0b'])(
      'touches nothing for the unsafe key %j',
      async (key) => {
        const path = await fileOf(Buffer.from('x'));
        expect(await codeOf(storage.putFile(key, path, JPEG))).toBe('internal');
        expect(await codeOf(storage.stat(key))).toBe('internal');
        expect(await codeOf(storage.read(key))).toBe('internal');
        expect(await codeOf(storage.openLocal(key))).toBe('internal');
        expect(await codeOf(storage.remove(['removal/c', key]))).toBe('internal');
        expect(await storage.stat('removal/c')).toEqual({ bytes: 1 });
      },
    );

    test('is ready, and its probe is no object', async () => {
      await storage.check();
      const objects = await listed(storage, '');
      expect(objects.filter(({ key }) => key.includes('probe'))).toEqual([]);
    });
  });
}

import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingCephServer, startCephServer } from '../../../../test/support/servers/ceph-server.ts';
import { startCuttingProxy } from '../../../../test/support/servers/cutting-proxy.ts';
import type { ChannelSession } from '../../channel.ts';
import { describeChannel, putOf } from '../../channel-contract.ts';
import { s3Channel } from './s3-channel.ts';
import { PART_BYTES } from './s3-put.ts';

const missing = missingCephServer();
const never = (): AbortSignal => new AbortController().signal;
const isCompletion = ({ method, url }: { readonly method: string; readonly url: string }): boolean =>
  method === 'POST' && url.includes('uploadId=');

async function start() {
  const server = await startCephServer();
  const proxy = await startCuttingProxy(server);
  await server.makeBucket('library');
  const { accessKeyId, secretAccessKey } = server.owner;
  return {
    server,
    proxy,
    config: { bucket: 'library', endpoint: `http://127.0.0.1:${proxy.port}`, prefix: 'some/place' },
    secrets: { access_key_id: accessKeyId, secret_access_key: secretAccessKey },
    close: async () => {
      await proxy.close();
      await server.stop();
    },
  };
}

if (missing !== undefined) {
  test.skip(`S3 channel on Ceph (${missing})`);
} else {
  describeChannel('S3 channel on Ceph', async () => {
    const { server, proxy, config, secrets, close } = await start();
    await server.makeBucket('small');
    await server.limitBucket('small', 100_000);
    const { accessKeyId, secretAccessKey } = server.stranger;
    return {
      channel: s3Channel,
      target: { config, secrets },
      // The part that is being read; those that are under way arrive.
      resumesFromBytes: PART_BYTES,
      wrongCredentials: { config, secrets: { ...secrets, secret_access_key: 'not-the-secret' } },
      withoutPermission: { config, secrets: { access_key_id: accessKeyId, secret_access_key: secretAccessKey } },
      missingRoot: { config: { ...config, bucket: 'nowhere' }, secrets },
      fullDisk: { config: { ...config, bucket: 'small' }, secrets },
      unreachable: { config: { ...config, endpoint: 'http://127.0.0.1:1' }, secrets },
      cutAfter: proxy.cutAfter,
      close,
    };
  });

  describe('a put of parts to Ceph', () => {
    let place: Awaited<ReturnType<typeof start>>;
    let session: ChannelSession;
    const bytes = randomBytes(2 * PART_BYTES + 4321);
    const read = (path: string): Promise<Buffer> => buffer(session.read(path, never()));
    beforeAll(async () => {
      place = await start();
      const { config, secrets } = place;
      session = await s3Channel.open({ config, secrets, concurrency: 4, signal: never() });
    }, 180_000);
    afterAll(async () => {
      await session?.close();
      await place?.close();
    });

    test("is checked by the store's own word", async () => {
      expect(await session.put(putOf('word.bin', bytes))).toMatchObject({
        verified: 'checksum',
        etag: expect.stringMatching(/^[0-9a-f]{32}-3$/),
        sentBytes: bytes.length,
      });
    });

    test.each([true, false])(
      'is complete when the answer to its completion was lost (replace: %s)',
      async (replace) => {
        const path = `lost-answer-${replace}.bin`;
        place.proxy.actOn('answer', isCompletion, () => place.proxy.goOn());
        const result = await session.put(putOf(path, bytes, { replace }));
        expect(result).toMatchObject({ verified: 'checksum', sentBytes: bytes.length });
        expect(await read(path)).toEqual(bytes);
        expect(await session.leftovers(path, never())).toEqual([]);
      },
    );

    test('may be tried again when somebody discarded its parts', async () => {
      const path = 'discarded.bin';
      let token = '';
      const onToken = async (given: string): Promise<void> => {
        token = given;
      };
      async function* discarding(offset: number): AsyncIterable<Uint8Array> {
        yield bytes.subarray(offset, PART_BYTES + 1);
        await session.removeLeftover({ id: token, path }, never());
        yield bytes.subarray(PART_BYTES + 1);
      }
      const put = putOf(path, bytes, { onToken });
      const error = await session.put({ ...put, read: discarding }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ChannelError', permanent: false });
      await session.put({ ...put, resumeFrom: token });
      expect(await read(path)).toEqual(bytes);
      expect(await session.leftovers(path, never())).toEqual([]);
    });

    test('that is broken off is found among the leftovers, and goes when it is removed', async () => {
      const path = 'broken.bin';
      async function* breaking(): AsyncIterable<Uint8Array> {
        yield bytes.subarray(0, PART_BYTES + 1);
        throw new Error('broken off');
      }
      for (const name of [path, `${path}.other`]) {
        await session.put(putOf(name, bytes, { read: breaking })).catch(() => {});
      }
      const [leftover, ...more] = await session.leftovers(path, never());
      expect(leftover).toMatchObject({ path });
      expect(more).toEqual([]);
      if (leftover) await session.removeLeftover(leftover, never());
      if (leftover) await session.removeLeftover(leftover, never());
      expect(await session.leftovers(path, never())).toEqual([]);
      expect(await session.leftovers(`${path}.other`, never())).toHaveLength(1);
    });

    test('ends what its own tries have left, and no upload of another put of the same key', async () => {
      const path = 'shared.bin';
      const { config } = place;
      const endpoint = `http://127.0.0.1:${place.server.port}`;
      const client = new S3Client({
        region: 'us-east-1',
        endpoint,
        forcePathStyle: true,
        credentials: place.server.owner,
      });
      const [Bucket, Key] = [config.bucket, `${config.prefix}/${path}`];
      const begin = async (): Promise<string> =>
        (await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))).UploadId ?? '';
      const bring = (UploadId: string) =>
        client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'a part' }));
      // Of other bytes, of a beginning that was never answered, and of somebody else.
      const [stale, unanswered, other] = [await begin(), await begin(), await begin()];
      for (const UploadId of [stale, other]) await bring(UploadId);
      let late = '';
      const onToken = async (): Promise<void> => {
        late = await begin();
      };
      await session.put(putOf(path, bytes, { isFirst: false, staleToken: stale, onToken }));
      client.destroy();
      const left = (await session.leftovers(path, never())).map(({ id }) => id);
      expect(left).not.toContain(unanswered);
      expect(left.toSorted()).toEqual([other, late].toSorted());
      for (const id of left) await session.removeLeftover({ id, path }, never());
      expect(await read(path)).toEqual(bytes);
    });

    test('of a name that another one got meanwhile leaves that alone', async () => {
      const path = 'taken.bin';
      const other = Buffer.from('the other one');
      async function* overtaken(): AsyncIterable<Uint8Array> {
        yield bytes.subarray(0, PART_BYTES + 1);
        await session.put(putOf(path, other, { replace: false }));
        yield bytes.subarray(PART_BYTES + 1);
      }
      const put = session.put(putOf(path, bytes, { replace: false, read: overtaken }));
      await expect(put).rejects.toMatchObject({ code: 'name_taken' });
      expect(await read(path)).toEqual(other);
    });

    test('of one part among others of the same name never replaces one', async () => {
      const path = 'race.bin';
      const rivals = Array.from({ length: 6 }, (_, at) => Buffer.concat([Buffer.of(at), bytes.subarray(1, 1000)]));
      const results = await Promise.allSettled(rivals.map((one) => session.put(putOf(path, one, { replace: false }))));
      const winners = results.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
      const codes = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      expect(winners).toHaveLength(1);
      expect(new Set(codes)).toEqual(new Set(['name_taken']));
      expect((await read(path))[0]).toBe(winners[0]);
    });

    test('goes on after the gateway was killed', async () => {
      const path = 'killed.bin';
      let token = '';
      const onToken = async (given: string): Promise<void> => {
        token = given;
      };
      async function* killing(offset: number): AsyncIterable<Uint8Array> {
        yield bytes.subarray(offset, PART_BYTES + 1);
        await place.server.kill();
        yield bytes.subarray(PART_BYTES + 1);
      }
      const put = putOf(path, bytes, { onToken });
      const error = await session.put({ ...put, read: killing }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ChannelError', permanent: false });
      await place.server.restart();
      const result = await session.put({ ...put, resumeFrom: token });
      expect(result.sentBytes).toBeLessThanOrEqual(bytes.length);
      expect(await read(path)).toEqual(bytes);
      expect(await session.leftovers(path, never())).toEqual([]);
    });
  });
}

import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { filesBelow, plainPhoto } from '../support/library.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/servers/cutting-proxy.ts';
import { checksumHeader, createUpload, sendPart, tus, uploadWithClient } from '../support/tus.ts';
import { join } from 'node:path';

let service: TestApp;
let proxy: CuttingProxy;
let photo: Buffer;
beforeAll(async () => {
  service = await startApp();
  proxy = await startCuttingProxy({ port: Number(new URL(service.url).port) });
  photo = await plainPhoto(1);
});
afterAll(async () => {
  await proxy.close();
  await service.close();
});

const through = () => ({ url: `http://127.0.0.1:${proxy.port}`, key: service.key });
/** A photograph of this many bytes, unlike every other. */
const fileOf = (bytes: number) => Buffer.concat([photo, randomBytes(Math.max(1, bytes - photo.length))]);

async function originalOf(url: string): Promise<Buffer> {
  const { body } = await service.call('GET', new URL(url).pathname);
  expect(body['upload'], JSON.stringify(body)).toMatchObject({ state: 'completed', duplicate: false });
  const media = await service.call('GET', `/v1/media/${body['upload'].media_id}`);
  const response = await fetch(media.body['media'].qualities.photographer.url);
  return Buffer.from(await response.arrayBuffer());
}

test('a client whose connection is cut again and again goes on by itself, and the file arrives byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        bytes: fc.integer({ min: 100_000, max: 3_000_000 }),
        chunkSize: fc.constantFrom(Number.POSITIVE_INFINITY, 1_000_000, 65_536),
        cuts: fc.array(fc.integer({ min: 1, max: 1_500_000 }), { minLength: 1, maxLength: 4 }),
        uploadDataDuringCreation: fc.boolean(),
      }),
      async ({ bytes, chunkSize, cuts, uploadDataDuringCreation }) => {
        const file = fileOf(bytes);
        const left = [...cuts];
        const cutNext = () => {
          const next = left.shift();
          if (next !== undefined) proxy.actAfter(next, () => (cutNext(), proxy.cutAfter(0)));
        };
        cutNext();
        const options = { chunkSize, uploadDataDuringCreation, retryDelays: Array.from({ length: 30 }, () => 5) };
        const { url } = await uploadWithClient(through(), file, options);
        expect(await originalOf(url)).toEqual(file);
      },
    ),
    { numRuns: 12 },
  );
  expect(await filesBelow(join(service.dataDir, 'uploads'))).toEqual([]);
}, 120_000);

test('an upload stands where the last accepted part ended, whatever parts are tried', async () => {
  const attempt = fc.record({
    at: fc.constantFrom('right', 'right', 'right', 'behind', 'ahead'),
    length: fc.integer({ min: 0, max: 40_000 }),
    checksum: fc.constantFrom('none', 'right', 'wrong'),
    ask: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 3, maxLength: 12 }), async (attempts) => {
      const file = fileOf(120_000);
      const path = await createUpload(service, file.length);
      let stands = 0;
      const send = async (one: (typeof attempts)[number]) => {
        const offset = { right: stands, behind: Math.max(0, stands - 1), ahead: stands + 7 }[one.at];
        const body = file.subarray(stands, stands + one.length);
        const checked = one.checksum === 'right' ? body : Buffer.from('other');
        const headers = { ...(one.checksum !== 'none' && { 'Upload-Checksum': checksumHeader('sha1', checked) }) };
        const type = { 'Content-Type': 'application/offset+octet-stream' };
        const answer = await sendPart(service, path, { offset, body, headers: { ...type, ...headers } });
        const status = offset !== stands ? 409 : one.checksum === 'wrong' ? 460 : 204;
        expect(answer.status, JSON.stringify(answer.body)).toBe(status);
        if (status === 204) {
          stands += body.length;
          expect(answer.offset).toBe(stands);
        }
      };
      for (const one of attempts) {
        if (stands === file.length) break;
        await send(one);
        if (one.ask) expect((await tus(service, 'HEAD', path)).offset).toBe(stands);
      }
      if (stands < file.length) await send({ at: 'right', length: file.length, checksum: 'none', ask: false });
      expect(await originalOf(service.url + path)).toEqual(file);
    }),
    { numRuns: 25 },
  );
}, 120_000);

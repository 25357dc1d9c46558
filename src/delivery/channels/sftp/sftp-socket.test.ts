import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openSftpSocket } from './sftp-socket.ts';

async function startServer(onSocket: (socket: Socket) => void) {
  const server = createServer(onSocket);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // A server on a port has an address of this form.
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

test('what is written arrives whole and in order, also what was written last before the end', async () => {
  let arrived: Promise<Buffer> | undefined;
  const { socket } = openSftpSocket(
    await startServer((one) => {
      arrived = buffer(one);
    }),
  );
  const sent: Buffer[] = [];
  const send = (bytes: number): void => {
    const chunk = randomBytes(bytes);
    sent.push(Buffer.from(chunk));
    socket.write(chunk);
    // The library uses the memory of a packet again.
    chunk.fill(0);
  };
  await once(socket, 'connect');
  for (let round = 0; round < 20; round += 1) {
    for (const bytes of [4, 32_768, 16, 300_000, 1]) send(bytes);
    if (round % 3 === 0) await new Promise(setImmediate);
  }
  send(7);
  socket.end();
  socket.resume();
  await once(socket, 'close');
  expect((await arrived)?.equals(Buffer.concat(sent))).toBe(true);
});

test('what comes in is right while it is handed over, and memory is used again only with ciphers that let it', async () => {
  const content = randomBytes(3_000_000);
  const { socket, keepBuffer } = openSftpSocket(await startServer((one) => void one.end(content)));
  const hash = createHash('sha256');
  const memories = new Set<ArrayBufferLike>();
  keepBuffer('chacha20-poly1305@openssh.com');
  socket.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    memories.add(chunk.buffer);
    if (memories.size === 3) keepBuffer('aes128-gcm@openssh.com');
  });
  await once(socket, 'close');
  expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
  expect(memories.size).toBe(4);
});

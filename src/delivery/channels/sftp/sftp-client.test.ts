import { type Duplex, duplexPair } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSftpAnswers } from './sftp-answers.ts';
import { openSftpClient } from './sftp-client.ts';
import { ANSWER, encodeMessage, type Field, FieldReader, REQUEST } from './sftp-messages.ts';

const { signal } = new AbortController();

type Told = { readonly type: number; readonly id: number; readonly fields: FieldReader };
type Server = {
  readonly asked: Told[];
  answer(type: number, id: number, ...fields: readonly Field[]): void;
  readonly end: Duplex;
};

/** A server that keeps what it was asked; `answers` are those to its requests, of `init` with the version in place of an id. */
function startServer(answers: (asked: Told, server: Server) => void): {
  readonly channel: Duplex;
  readonly server: Server;
} {
  const [channel, end] = duplexPair();
  const asked: Told[] = [];
  const server: Server = {
    asked,
    end,
    answer: (type, id, ...fields) => void end.write(encodeMessage(type, id, fields)),
  };
  let received = Buffer.alloc(0);
  end.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
      const message = received.subarray(4, 4 + received.readUInt32BE(0));
      received = received.subarray(4 + message.length);
      const told = {
        type: message.readUInt8(0),
        id: message.readUInt32BE(1),
        fields: new FieldReader(message.subarray(5)),
      };
      asked.push(told);
      answers(told, server);
    }
  });
  onTestFinished(() => void channel.destroy());
  return { channel, server };
}

/** With a connection whose end is told by the second value. */
function open(channel: Duplex) {
  const ended = new AbortController();
  const answers = createSftpAnswers({ ended: ended.signal, stallMs: 5000 });
  const opened = openSftpClient(channel, { answers, signal, onBroken: (error) => ended.abort(error) });
  return { opened, ended: ended.signal };
}

const greeting = ({ type }: Told, server: Server, ...extensions: readonly string[]): void => {
  if (type === REQUEST.init) server.answer(ANSWER.version, 3, ...extensions.flatMap((name) => [name, '1']));
};

describe('an SFTP client', () => {
  test('is refused by a server of another version', async () => {
    const { channel } = startServer((_told, server) => server.answer(ANSWER.version, 6));
    await expect(open(channel).opened).rejects.toMatchObject({ code: 'refused' });
  });

  test('asks for pieces that the server allows, or that every server takes', async () => {
    const limited = startServer((told, server) => {
      greeting(told, server, 'limits@openssh.com');
      if (told.type === REQUEST.extended) server.answer(ANSWER.extended, told.id, 262_144n, 100_000n, 261_120n, 0n);
    });
    expect((await open(limited.channel).opened).pieceBytes).toEqual({ read: 100_000, write: 240 * 1024 });
    const plain = startServer((told, server) => greeting(told, server));
    expect((await open(plain.channel).opened).pieceBytes).toEqual({ read: 32 * 1024, write: 32 * 1024 });
  });

  test.each([1, 2, 7, 100])('understands answers that come %d bytes at a time', async (step) => {
    const { channel } = startServer((told, server) => {
      greeting(told, server);
      const messages =
        told.type === REQUEST.read
          ? [
              encodeMessage(ANSWER.data, told.id, [Buffer.from('minute by minute')]),
              encodeMessage(ANSWER.status, 999, [0, 'nobody waits for this one', '']),
            ]
          : told.type === REQUEST.stat
            ? [
                encodeMessage(ANSWER.attributes, told.id, [
                  0x80_00_00_0d,
                  5_000_000_000n,
                  0o100_644,
                  1,
                  1_700_000_000,
                  1,
                  'a',
                  'b',
                ]),
              ]
            : [];
      const all = Buffer.concat(messages);
      for (let at = 0; at < all.length; at += step) server.end.write(all.subarray(at, at + step));
    });
    const client = await open(channel).opened;
    const chunks: string[] = [];
    const part = { position: 7, length: 100, signal };
    expect(await client.read(Buffer.from('h'), part, (chunk) => chunks.push(Buffer.from(chunk).toString()))).toBe(16);
    expect(chunks.join('')).toBe('minute by minute');
    const modifiedAt = new Date(1_700_000_000_000);
    expect(await client.stat('a', signal)).toEqual({ bytes: 5_000_000_000, modifiedAt, isFile: true, isFolder: false });
  });

  test('sends data from where it is, with its place in the file', async () => {
    const { channel, server } = startServer((told, one) => {
      greeting(told, one);
      if (told.type === REQUEST.write) one.answer(ANSWER.status, told.id, 0, 'fine', '');
    });
    const client = await open(channel).opened;
    await client.write(Buffer.from('handle'), Buffer.from('goal'), { position: 6_000_000_000, signal });
    const fields = server.asked.at(-1)?.fields;
    expect(fields?.text()).toBe('handle');
    expect(fields?.uint64()).toBe(6_000_000_000);
    expect(fields?.text()).toBe('goal');
    expect(fields?.isAtEnd).toBe(true);
  });

  test('tells the end of a file from a refusal', async () => {
    const { channel } = startServer((told, server) => {
      greeting(told, server);
      if (told.type === REQUEST.read) server.answer(ANSWER.status, told.id, told.id === 1 ? 1 : 3, 'as it is', '');
    });
    const client = await open(channel).opened;
    const read = async () => client.read(Buffer.from('h'), { position: 0, length: 1, signal }, () => {});
    expect(await read()).toBe(0);
    await expect(read()).rejects.toMatchObject({ code: 3, message: 'as it is' });
  });

  test('replaces a file only where the server can', async () => {
    const { channel } = startServer((told, server) => greeting(told, server));
    const client = await open(channel).opened;
    await expect(client.rename({ from: 'a', to: 'b', replace: true }, signal)).rejects.toMatchObject({ code: 8 });
  });

  test('has the names of a folder from as many answers as it takes', async () => {
    let left = 3;
    const { channel } = startServer((told, server) => {
      greeting(told, server);
      if (told.type === REQUEST.opendir) server.answer(ANSWER.handle, told.id, 'h');
      if (told.type !== REQUEST.readdir) return;
      left -= 1;
      if (left === 0) server.answer(ANSWER.status, told.id, 1, '', '');
      else server.answer(ANSWER.name, told.id, 2, `a${left}`, 'long a', 0, `b${left}`, 'long b', 1, 17n);
    });
    const client = await open(channel).opened;
    expect(await client.names('.', signal)).toEqual(['a2', 'b2', 'a1', 'b1']);
  });

  test.each([
    ['an answer that is too long', Buffer.from([0x7f, 0xff, 0xff, 0xff, ANSWER.status, 0, 0, 0, 1])],
    ['an answer without an id', Buffer.from([0, 0, 0, 1, ANSWER.status, 0, 0, 0, 0])],
    ['data of another length than its answer', encodeMessage(ANSWER.data, 1, [Buffer.from('ab'), 7])],
  ])('ends the connection at %s', async (_what, bytes) => {
    const { channel } = startServer((told, server) => {
      greeting(told, server);
      if (told.type === REQUEST.read) server.end.write(bytes);
    });
    const { opened, ended } = open(channel);
    const client = await opened;
    const reading = client.read(Buffer.from('h'), { position: 0, length: 100, signal }, () => {});
    await expect(reading).rejects.toMatchObject({ name: 'SftpFormatError' });
    expect(ended.aborted).toBe(true);
  });
});

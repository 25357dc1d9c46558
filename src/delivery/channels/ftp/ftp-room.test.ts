/** A real server behind a gate that has room for some transfers at once, and answers 425 to those that come beside them. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { FTPError } from 'basic-ftp';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type FtpTestServer, missingFtpServer, startFtpServer } from '../../../../test/support/servers/ftp-server.ts';
import { putOf } from '../../channel-contract.ts';
import { ftpChannel } from './ftp-channel.ts';
import { whenThereIsRoom } from './ftp-room.ts';

const never = (): AbortSignal => new AbortController().signal;
const missing = missingFtpServer();
const isFull = new FTPError({ code: 425, message: '425 EPSV: Address already in use' });

type Gate = {
  readonly port: number;
  /** Transfers that it lets begin at once. */
  room: number;
  refused: number;
  readonly controls: ReadonlySet<Socket>;
  close(): Promise<void>;
};

/** At the server's own address, where clients look for its data connections. */
async function startGate(server: FtpTestServer): Promise<Gate> {
  const controls = new Set<Socket>();
  const busy = new Set<Socket>();
  const listening = createServer((client) => {
    const upstream = connect(server.port, server.host);
    controls.add(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
    client.once('close', () => {
      controls.delete(client);
      busy.delete(client);
      upstream.destroy();
    });
    upstream.once('close', () => client.destroy());
    createInterface({ input: client }).on('line', (line) => {
      const begins = /^(EPSV|PASV)$/.test(line);
      if (begins && busy.size >= gate.room) {
        gate.refused += 1;
        client.write('425 Unable to build data connection: Address already in use\r\n');
        return;
      }
      if (begins) busy.add(client);
      upstream.write(`${line}\r\n`);
    });
    createInterface({ input: upstream }).on('line', (line) => {
      // The end of a transfer.
      if (/^(226|4|5)/.test(line)) busy.delete(client);
      client.write(`${line}\r\n`);
    });
  });
  await once(listening.listen(0, server.host), 'listening');
  // A server on a TCP port has an address object.
  const { port } = listening.address() as AddressInfo;
  const gate: Gate = {
    port,
    room: Number.POSITIVE_INFINITY,
    refused: 0,
    controls,
    close: async () => {
      for (const control of controls) control.destroy();
      listening.close();
      await once(listening, 'close');
    },
  };
  return gate;
}

describe.skipIf(missing !== undefined)(`an FTP server of few ports for data ${missing ?? ''}`, () => {
  const begin = async (concurrency: number) => {
    const server = await startFtpServer({ security: 'none', hasAnyDataPort: true });
    onTestFinished(server.stop);
    const gate = await startGate(server);
    onTestFinished(gate.close);
    const { host, user, password, root } = server;
    const config = { host, port: gate.port, user, security: 'none', prefix: root } as const;
    const session = await ftpChannel.open({ config, secrets: { password }, concurrency, signal: never() });
    onTestFinished(session.close);
    return { gate, session };
  };

  test('gets all files over fewer connections, and is not hammered', async () => {
    const { gate, session } = await begin(6);
    gate.room = 2;
    const files = Array.from({ length: 30 }, (_, at) => ({ path: `many/${at}.bin`, bytes: randomBytes(40_000) }));
    let goOn = (): void => {};
    const isTime = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const putSlowly = ({ path, bytes }: (typeof files)[number]) =>
      session.put(
        putOf(path, bytes, {
          async *read() {
            await isTime;
            yield bytes;
          },
        }),
      );
    const puts = Promise.all(files.map(putSlowly));
    // Two are under way; four have asked in both ways that there are, waited, and asked again.
    await expect.poll(() => gate.refused, { timeout: 20_000 }).toBeGreaterThanOrEqual(16);
    goOn();
    await puts;
    for (const { path, bytes } of files) expect(await buffer(session.read(path, never()))).toEqual(bytes);
    expect(gate.refused).toBeLessThan(60);
    expect(gate.controls.size).toBeLessThan(6);
  }, 60_000);

  test('is waited for by the first transfer of a connection too, which tells its refusal otherwise', async () => {
    const { gate, session } = await begin(1);
    gate.room = 0;
    const bytes = randomBytes(10_000);
    const put = session.put(putOf('late.bin', bytes));
    await expect.poll(() => gate.refused, { timeout: 10_000 }).toBeGreaterThan(1);
    gate.room = 1;
    expect(await put).toMatchObject({ sentBytes: bytes.length });
    expect(await buffer(session.read('late.bin', never()))).toEqual(bytes);
  });

  test('does not hold a put that is cancelled while it waits', async () => {
    const { gate, session } = await begin(1);
    gate.room = 0;
    const abort = new AbortController();
    const put = session.put(putOf('cancelled.bin', randomBytes(10), { signal: abort.signal }));
    const ended = put.catch((error: unknown) => error);
    await expect.poll(() => gate.refused, { timeout: 10_000 }).toBeGreaterThan(0);
    abort.abort(new Error('no longer wanted'));
    expect(await ended).toBe(abort.signal.reason);
  });
});

test('a transfer begins again ever later, for half a minute, and asks for fewer connections from the second refusal on', async () => {
  const waits: number[] = [];
  let [tries, full] = [0, 0];
  const begin = async (): Promise<void> => {
    tries += 1;
    throw isFull;
  };
  const room = {
    signal: never(),
    onFull: () => {
      full += 1;
    },
    wait: async (ms: number) => waits.push(ms),
  };
  await expect(whenThereIsRoom(begin, room)).rejects.toBe(isFull);
  expect(tries).toBe(7);
  expect(full).toBe(5);
  for (const [at, ms] of waits.entries()) {
    expect(ms).toBeGreaterThanOrEqual(250 * 2 ** at);
    expect(ms).toBeLessThanOrEqual(750 * 2 ** at);
  }
  expect(waits).toHaveLength(6);
});

test('what a server refuses for another reason does not begin again', async () => {
  const refusal = new FTPError({ code: 550, message: '550 Permission denied' });
  let tries = 0;
  const begin = async (): Promise<void> => {
    tries += 1;
    throw refusal;
  };
  await expect(whenThereIsRoom(begin, { signal: never(), onFull: () => {} })).rejects.toBe(refusal);
  expect(tries).toBe(1);
});

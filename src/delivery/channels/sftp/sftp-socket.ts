import { Socket } from 'node:net';
import { KIB, MIB } from '../../../base/index.ts';
import { createGarbageCount } from '../threads/young-garbage.ts';

/** Eight packets: few of them end in the next read, which would be put together in further memory. */
const RECEIVE_BYTES = 256 * KIB;
/** One piece of a file with what its packets add. */
const SEND_BYTES = 256 * KIB;
/** The library makes a packet, encrypts it into fresh memory, or decrypts one. */
const COPIES = { sent: 2, received: 1 } as const;
const GARBAGE_BYTES = 5 * MIB;

export type SftpSocket = {
  readonly socket: Socket;
  /** What comes in has the same memory from now on, if the SSH library has done with it at once: with this cipher. */
  keepBuffer(cipher: string): void;
};

/** A socket for the SSH library that begins to connect. In neither direction does it need fresh memory. */
export function openSftpSocket(server: { readonly host: string; readonly port: number }): SftpSocket {
  const buffer = Buffer.allocUnsafeSlow(RECEIVE_BYTES);
  const countGarbage = createGarbageCount(GARBAGE_BYTES);
  let isKept = false;
  const socket = new Socket({
    onread: {
      buffer,
      callback(bytes) {
        countGarbage(COPIES.received * bytes);
        const received = buffer.subarray(0, bytes);
        socket.emit('data', isKept ? received : Buffer.from(received));
        return true;
      },
    },
  });
  socket.connect(server.port, server.host);
  // Connecting puts the socket's own way to write back in its place.
  gatherWrites(socket, (bytes) => countGarbage(COPIES.sent * bytes));
  return {
    socket,
    keepBuffer(cipher) {
      // With these it decrypts all of a read into memory of its own; before the first one, and with ChaCha20, it holds on to parts of a read.
      isKept = /-gcm(@|$)/.test(cipher);
    },
  };
}

/**
 * What is written in one go leaves as one: the library writes three times for each of its packets of 32 KiB. It leaves from memory that is
 * used again, so that what it was encrypted into need not live until the network has taken it.
 */
function gatherWrites(socket: Socket, onBytes: (bytes: number) => void): void {
  const write = socket.write.bind(socket);
  const end = socket.end.bind(socket);
  const free: Buffer[] = [];
  let gathering: Buffer | undefined;
  let filled = 0;
  const flush = (): void => {
    const buffer = gathering;
    gathering = undefined;
    if (buffer && socket.writable) write(buffer.subarray(0, filled), () => void free.push(buffer));
    filled = 0;
  };
  const gather = (bytes: Uint8Array): boolean => {
    onBytes(bytes.length);
    for (let at = 0; at < bytes.length; ) {
      if (!gathering) {
        gathering = free.pop() ?? Buffer.allocUnsafeSlow(SEND_BYTES);
        process.nextTick(flush);
      }
      const take = Math.min(gathering.length - filled, bytes.length - at);
      gathering.set(bytes.subarray(at, at + take), filled);
      filled += take;
      at += take;
      if (filled === gathering.length) flush();
    }
    return !socket.writableNeedDrain;
  };
  const flushAndEnd = (): Socket => {
    flush();
    return end();
  };
  Object.assign(socket, { write: gather, end: flushAndEnd });
}

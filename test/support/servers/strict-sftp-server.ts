import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type Attributes, type Connection, type SFTPWrapper, Server, utils } from 'ssh2';
import { hostKeyFingerprint } from '../../../src/delivery/channels/sftp/sftp-connection.ts';

type File = { bytes: Buffer; length: number; writers: number };
type Handle = { readonly path: string; readonly isWriting: boolean };

/** What the SFTP face of an object store is like: a file that is being written can be read by nobody, on this connection or another. */
export type StrictSftpServer = {
  readonly config: { readonly host: string; readonly port: number; readonly user: string; readonly host_key: string };
  readonly secrets: { readonly password: string };
  /** What is complete, by its path. */
  file(path: string): Buffer | undefined;
  readonly paths: () => readonly string[];
  /** Logins that it has refused for being too many. */
  readonly refused: () => number;
  stop(): Promise<void>;
};

const { OPEN_MODE, STATUS_CODE } = utils.sftp;
const FOLDER_MODE = 0o040_755;
const FILE_MODE = 0o100_644;
const ROOM_BYTES = 1024 * 1024;

/** In memory; folders are all there. `mostConnections`: further ones are ended at their login. */
export async function startStrictSftpServer({
  mostConnections = Number.POSITIVE_INFINITY,
}: {
  readonly mostConnections?: number;
} = {}): Promise<StrictSftpServer> {
  const files = new Map<string, File>();
  const password = randomBytes(12).toString('hex');
  // The library's own generator makes one key of 200 that it cannot read.
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const connections = new Set<Connection>();
  let refused = 0;
  const server = new Server({ hostKeys: [privateKey] }, (client) => {
    client.on('error', () => {});
    client.on('close', () => connections.delete(client));
    client.on('authentication', (attempt) => {
      if (attempt.method !== 'password' || attempt.password !== password) return attempt.reject(['password']);
      if (connections.size >= mostConnections) {
        refused += 1;
        client.end();
        return undefined;
      }
      connections.add(client);
      return attempt.accept();
    });
    client.on('session', (accept) => accept().on('sftp', (open) => serve(open(), files)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const parsed = utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  // A server on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    config: { host: '127.0.0.1', port, user: 'club', host_key: hostKeyFingerprint(parsed.getPublicSSH()) },
    secrets: { password },
    file(path) {
      const file = files.get(path);
      return file?.writers === 0 ? file.bytes.subarray(0, file.length) : undefined;
    },
    paths: () => [...files.keys()],
    refused: () => refused,
    async stop() {
      for (const client of connections) client.end();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function serve(sftp: SFTPWrapper, files: Map<string, File>): void {
  const handles = new Map<number, Handle>();
  let last = 0;
  const handleOf = (handle: Buffer): Handle | undefined => handles.get(handle.readUInt32BE(0));
  const say = (id: number, code: number): void => sftp.status(id, code);
  const attributes = (path: string): Attributes | undefined => {
    const file = files.get(path);
    if (!file && /\.[a-z]+$/.test(path)) return undefined;
    return { mode: file ? FILE_MODE : FOLDER_MODE, uid: 0, gid: 0, size: file?.length ?? 0, atime: 0, mtime: 0 };
  };
  const tell = (id: number, path: string): void => {
    const found = attributes(path);
    if (found) sftp.attrs(id, found);
    else say(id, STATUS_CODE.NO_SUCH_FILE);
  };
  sftp.on('error', () => {});
  sftp.on('OPEN', (id, path, flags) => {
    const file = files.get(path);
    const isReading = (flags & OPEN_MODE.READ) !== 0;
    const isWriting = (flags & OPEN_MODE.WRITE) !== 0;
    if (isReading && isWriting) return say(id, STATUS_CODE.OP_UNSUPPORTED);
    if (isReading && !file) return say(id, STATUS_CODE.NO_SUCH_FILE);
    if (isReading && file && file.writers > 0) return say(id, STATUS_CODE.PERMISSION_DENIED);
    if (isWriting) files.set(path, { bytes: Buffer.alloc(ROOM_BYTES), length: 0, writers: 1 });
    last += 1;
    handles.set(last, { path, isWriting });
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(last);
    return sftp.handle(id, handle);
  });
  sftp.on('WRITE', (id, handle, offset, data) => {
    const file = files.get(handleOf(handle)?.path ?? '');
    if (!file) return say(id, STATUS_CODE.FAILURE);
    const end = offset + data.length;
    if (end > file.bytes.length) file.bytes = Buffer.concat([file.bytes], Math.max(end, 2 * file.bytes.length));
    data.copy(file.bytes, offset);
    file.length = Math.max(file.length, end);
    return say(id, STATUS_CODE.OK);
  });
  sftp.on('READ', (id, handle, offset, length) => {
    const opened = handleOf(handle);
    const file = files.get(opened?.path ?? '');
    if (!file || opened?.isWriting === true) return say(id, STATUS_CODE.PERMISSION_DENIED);
    if (offset >= file.length) return say(id, STATUS_CODE.EOF);
    return sftp.data(id, file.bytes.subarray(offset, Math.min(file.length, offset + length)));
  });
  sftp.on('CLOSE', (id, handle) => {
    const opened = handleOf(handle);
    const file = files.get(opened?.path ?? '');
    if (file && opened?.isWriting === true) file.writers -= 1;
    handles.delete(handle.readUInt32BE(0));
    say(id, STATUS_CODE.OK);
  });
  sftp.on('STAT', tell);
  sftp.on('LSTAT', tell);
  sftp.on('FSTAT', (id, handle) => tell(id, handleOf(handle)?.path ?? ''));
  sftp.on('MKDIR', (id) => say(id, STATUS_CODE.OK));
  sftp.on('REMOVE', (id, path) => say(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE));
  sftp.on('RENAME', (id, from, to) => {
    const file = files.get(from);
    if (!file) return say(id, STATUS_CODE.NO_SUCH_FILE);
    if (files.has(to)) return say(id, STATUS_CODE.FAILURE);
    files.delete(from);
    files.set(to, file);
    return say(id, STATUS_CODE.OK);
  });
}

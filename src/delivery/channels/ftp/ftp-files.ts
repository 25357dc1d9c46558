import { FTPError } from 'basic-ftp';
import { MINUTE_MS } from '../../../base/index.ts';
import { ChannelError, type TargetFile } from '../../channel.ts';
import { type FileTarget, folderOf, nameTaken } from '../put-by-rename.ts';
import type { FtpConnection } from './ftp-connection.ts';
import { classifyFtp, replyCode } from './ftp-faults.ts';
import type { FtpPool } from './ftp-pool.ts';
import { retrieve, store } from './ftp-transfer.ts';

/** A server hashes 1 GB in some seconds. */
const HASH_LIMIT_MS = 15 * MINUTE_MS;

/** Connections that were asked for SHA-256, and whether they agreed. */
const hashChosen = new WeakMap<FtpConnection['client'], boolean>();

type Entry = {
  readonly isFile: boolean;
  readonly isFolder: boolean;
  readonly bytes: number;
  readonly modifiedAt?: Date;
};
export type FtpFiles = FileTarget & {
  stat(path: string, signal: AbortSignal): Promise<TargetFile | undefined>;
};

/** Files over FTP, relative to the folder that connections are in. */
export function createFtpFiles(pool: FtpPool): FtpFiles {
  const entry = (path: string, signal: AbortSignal): Promise<Entry | undefined> =>
    pool.use(signal, (connection) => readEntry(connection, path));
  const remove = (path: string, signal: AbortSignal): Promise<void> =>
    pool.use(signal, (connection) => removeFile(connection, path));

  const makeFolders = async (folder: string, signal: AbortSignal): Promise<void> => {
    if (folder !== '') await pool.use(signal, (connection) => makeFolder(connection, folder));
  };

  return {
    classify: classifyFtp,
    // What the server has is what it received in order.
    resumeBackBytes: 0,
    makeFolders,
    remove,
    async stat(path, signal) {
      const found = await entry(path, signal);
      if (found?.isFile !== true) return undefined;
      return { bytes: found.bytes, ...(found.modifiedAt && { modifiedAt: found.modifiedAt }) };
    },
    size: async (path, signal) => (await entry(path, signal))?.bytes,
    write: ({ path, offset, chunks, signal, onBytes }) =>
      pool.use(signal, async (connection) => {
        let hasBegun = false;
        const onBegin = (): void => {
          hasBegun = true;
        };
        const file = { path: named(path), offset, chunks: counted(chunks, { offset, onBegin, onBytes }) };
        try {
          await pool.transfer(signal, () => store(connection, file));
        } catch (error) {
          // Some servers never write over a file, and some never on from its end.
          const isTaken = !hasBegun && error instanceof FTPError && (await readEntry(connection, path)) !== undefined;
          if (!isTaken) throw error;
          await removeFile(connection, path);
          if (offset > 0) throw cannotResume(error);
          await pool.transfer(signal, () => store(connection, file));
        }
      }),
    async *read(path, signal) {
      try {
        yield* retrieve(named(path), { pool, signal });
      } catch (error) {
        if (replyCode(error) !== 550 || (await entry(path, signal))) throw error;
        throw new ChannelError('not_found', `expected a file under ${path}, there is none`, { cause: error });
      }
    },
    rename: (names) => pool.use(names.signal, (connection) => renameFile(connection, names)),
    names: (folder, signal) =>
      pool.use(signal, async (connection) => {
        if (folder !== '' && !(await isFolder(connection, folder))) return [];
        const listed = await pool.transfer(signal, () => connection.client.list(named(folder)));
        return listed.map(({ name }) => name);
      }),
    sha256: (path, signal) => pool.use(signal, (connection) => askSha256(connection, path)),
  };
}

/** A space in front would be taken for one of the command's. */
function named(path: string): string {
  return path.startsWith(' ') ? `./${path}` : path;
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  told: { readonly offset: number; readonly onBegin: () => void; readonly onBytes: (bytes: number) => void },
): AsyncGenerator<Uint8Array> {
  told.onBegin();
  let bytes = told.offset;
  for await (const chunk of chunks) {
    yield chunk;
    // Asked for the next one: the last is on its way.
    bytes += chunk.length;
    told.onBytes(bytes);
  }
}

/** The next try begins anew. */
function cannotResume(cause: FTPError): ChannelError {
  return new ChannelError('failed', `expected the FTP server to go on with a file, received ${cause.code}`, { cause });
}

/** MLST (RFC 3659) where the server has it, else SIZE, which knows no folders. */
async function readEntry({ client, features }: FtpConnection, path: string): Promise<Entry | undefined> {
  try {
    if (features.has('MLST')) return entryOf((await client.send(`MLST ${named(path)}`)).message);
    const bytes = await client.size(named(path));
    return { isFile: true, isFolder: false, bytes };
  } catch (error) {
    const reply = replyCode(error);
    if (reply === 550 || reply === 553 || reply === 450) return undefined;
    throw error;
  }
}

/** The line of facts: ` type=file;size=12;modify=20261121190000; name`. */
function entryOf(message: string): Entry {
  const line = message.split(/\r?\n/).find((one) => /^\s*[\w.-]+=[^;]*;/.test(one)) ?? '';
  const facts = new Map(
    [...line.trimStart().matchAll(/([\w.-]+)=([^;]*);/gy)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const type = facts.get('type')?.toLowerCase() ?? '';
  const [, date, hours, minutes, seconds] = /^(\d{8})(\d\d)(\d\d)(\d\d)/.exec(facts.get('modify') ?? '') ?? [];
  const modifiedAt =
    date === undefined
      ? undefined
      : new Date(`${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${hours}:${minutes}:${seconds}Z`);
  return {
    isFile: type === 'file',
    isFolder: type.endsWith('dir'),
    bytes: Number(facts.get('size') ?? 0),
    ...(modifiedAt && { modifiedAt }),
  };
}

/** From the deepest one up: mostly its parent is there. */
async function makeFolder(connection: FtpConnection, folder: string): Promise<void> {
  const make = async (): Promise<void> => void (await connection.client.send(`MKD ${named(folder)}`));
  try {
    await make();
  } catch (error) {
    if (replyCode(error) === undefined) throw error;
    if (await isFolder(connection, folder)) return;
    const parent = folderOf(folder);
    if (parent !== '' && !(await isFolder(connection, parent))) await makeFolder(connection, parent);
    await make().catch(async (again: unknown) => {
      // Another put may have made it meanwhile.
      if (!(await isFolder(connection, folder))) throw again;
    });
  }
}

/** Without MLST by entering it, and going back. */
async function isFolder(connection: FtpConnection, folder: string): Promise<boolean> {
  const { client, features } = connection;
  if (features.has('MLST')) return (await readEntry(connection, folder))?.isFolder === true;
  const here = await client.pwd();
  const { code } = await client.sendIgnoringError(`CWD ${named(folder)}`);
  if (code >= 400) return false;
  await client.send(`CWD ${here.replaceAll('""', '"')}`);
  return true;
}

async function removeFile(connection: FtpConnection, path: string): Promise<void> {
  try {
    await connection.client.send(`DELE ${named(path)}`);
  } catch (error) {
    // 550 for a missing one, and for one that may not be removed.
    if (replyCode(error) === undefined || (await readEntry(connection, path))) throw error;
  }
}

async function renameFile(
  connection: FtpConnection,
  { from, to, replace }: { readonly from: string; readonly to: string; readonly replace: boolean },
): Promise<void> {
  const { client } = connection;
  const move = async (): Promise<void> => {
    await client.send(`RNFR ${named(from)}`);
    await client.send(`RNTO ${named(to)}`);
  };
  // RNTO replaces on most servers, and FTP has no other: the name is looked up right before.
  if (!replace && (await readEntry(connection, to))) throw nameTaken(to);
  try {
    await move();
  } catch (error) {
    const isTaken = error instanceof FTPError && (await readEntry(connection, to)) !== undefined;
    if (!isTaken) throw error;
    if (!replace) throw nameTaken(to);
    await removeFile(connection, to);
    await move();
  }
}

/** HASH (draft-bryan-ftpext-hash), else the older XSHA256; undefined when the server has neither or refuses. */
async function askSha256({ client, features }: FtpConnection, path: string): Promise<string | undefined> {
  const ask = async (command: string): Promise<string | undefined> => {
    const asking = client.sendIgnoringError(command);
    client.ftp.socket.setTimeout(HASH_LIMIT_MS);
    const { code, message } = await asking;
    return code < 300 ? /\b[0-9a-f]{64}\b/i.exec(message.replace(path, ''))?.[0]?.toLowerCase() : undefined;
  };
  if (features.get('HASH')?.toUpperCase().includes('SHA-256') === true) {
    // Holds for the connection.
    if (!hashChosen.has(client))
      hashChosen.set(client, (await client.sendIgnoringError('OPTS HASH SHA-256')).code < 300);
    if (hashChosen.get(client) === true) return ask(`HASH ${named(path)}`);
  }
  return features.has('XSHA256') ? ask(`XSHA256 "${path}"`) : undefined;
}

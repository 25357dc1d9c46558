/**
 * libsmbclient of the system, of which this is the only user. It waits without end in places, ends its process in others, and is
 * GPL: it belongs into a process of its own. Its functions are those of Samba's libsmbclient.h.
 */
import { fileURLToPath } from 'node:url';
import koffi from 'koffi';
import { type SMB_PROCESSORS, SMB_SETTINGS, type SmbShare } from './smb-messages.ts';

export const SMB_LIBRARY = 'libsmbclient.so.0';

/** One call of the library that did not go well. */
export class SmbCallError extends Error {
  readonly errno: number;
  constructor(call: string, errno: number) {
    super(`${call}: errno ${errno}`);
    this.name = 'SmbCallError';
    this.errno = errno;
  }
}

export type SmbFileInfo = { readonly bytes: number; readonly modifiedAtMs: number; readonly isFolder: boolean };

/** Paths are below the prefix of the share; all throw SmbCallError. */
export type SmbLibrary = {
  stat(path: string): SmbFileInfo;
  names(path: string): readonly string[];
  makeFolder(path: string): void;
  remove(path: string): void;
  /** Replaces what has the name. */
  rename(from: string, to: string): void;
  open(path: string, how: 'new' | 'append' | 'read'): number;
  sizeOf(file: number): number;
  seek(file: number, offset: number): void;
  write(file: number, bytes: Uint8Array): void;
  /** Fills as much of `into` as there is; 0 at the end. */
  read(file: number, into: Uint8Array): number;
  close(file: number): void;
};

/** One SMB write of every server since SMB 2.1. More at once were slower here. */
const WRITE_BYTES = 1024 * 1024;

/** fcntl.h of Linux. */
const FLAGS = { read: 0, new: 0o2 | 0o100 | 0o1000, append: 0o2 | 0o100 } as const;
const FILE_TYPE_BITS = 0o170_000;
const FOLDER_TYPE = 0o040_000;
const STAT_BYTES = 256;
/** Where struct stat of 64-bit Linux has its members; x64 has the link count before the mode. */
const STAT_MODE_OFFSETS: Readonly<Record<(typeof SMB_PROCESSORS)[number], number>> = { x64: 24, arm64: 16 };
const statModeOffset = STAT_MODE_OFFSETS[process.arch === 'arm64' ? 'arm64' : 'x64'];
const STAT_SIZE_OFFSET = 48;
const STAT_MODIFIED_OFFSET = 88;
/** struct smbc_dirent: type, dirlen, commentlen, comment (a pointer), namelen, name. */
const ENTRY = { lengthOffset: 24, nameOffset: 28 } as const;
/**
 * smbc_smb_encrypt_level: where the server has it, or always. 4.17 goes on in plain text in either case where there is none: see
 * smb-command.ts.
 */
const ENCRYPTION = { if_offered: 1, required: 2 } as const;

export function openSmbLibrary(share: SmbShare): SmbLibrary {
  const library = koffi.load(SMB_LIBRARY);
  startContext(library, share);
  const root = `smb://${share.host}/${[share.share, ...segmentsOf(share.prefix)].map(encodeURIComponent).join('/')}`;
  const urlOf = (path: string): string => [root, ...segmentsOf(path).map(encodeURIComponent)].join('/');
  const call = (definition: string) => {
    const name = /smbc_\w+/.exec(definition)?.[0] ?? definition;
    const fn = library.func(definition);
    return (...values: readonly unknown[]): number => {
      koffi.errno(0);
      const result = Number(fn(...values));
      if (result < 0) throw new SmbCallError(name, koffi.errno());
      return result;
    };
  };
  const info = Buffer.alloc(STAT_BYTES);
  const stat = call('int smbc_stat(const char *url, void *info)');
  const makeFolder = call('int smbc_mkdir(const char *url, int mode)');
  const remove = call('int smbc_unlink(const char *url)');
  const rename = call('int smbc_rename(const char *from, const char *to)');
  const open = call('int smbc_open(const char *url, int flags, int mode)');
  const status = call('int smbc_fstat(int file, void *info)');
  const seek = call('int64_t smbc_lseek(int file, int64_t offset, int whence)');
  const write = call('intptr_t smbc_write(int file, const void *bytes, size_t count)');
  const read = call('intptr_t smbc_read(int file, void *bytes, size_t count)');
  const close = call('int smbc_close(int file)');
  return {
    stat(path) {
      stat(urlOf(path), info);
      return infoOf(info);
    },
    names: createNames(library, { call, urlOf }),
    makeFolder: (path) => void makeFolder(urlOf(path), 0o755),
    remove: (path) => void remove(urlOf(path)),
    rename: (from, to) => void rename(urlOf(from), urlOf(to)),
    open: (path, how) => open(urlOf(path), FLAGS[how], 0o644),
    sizeOf(file) {
      status(file, info);
      return infoOf(info).bytes;
    },
    seek: (file, offset) => void seek(file, offset, 0),
    write(file, bytes) {
      for (let at = 0; at < bytes.length; )
        at += write(file, bytes.subarray(at), Math.min(WRITE_BYTES, bytes.length - at));
    },
    read: (file, into) => read(file, into, into.length),
    close: (file) => void close(file),
  };
}

type Library = ReturnType<typeof koffi.load>;

/** Everything that has to be said before the first call; a later change would not reach the connection. */
function startContext(library: Library, share: SmbShare): void {
  koffi.proto(
    'void smbc_auth(void *context, const char *server, const char *share, void *domain, int domainBytes, void *user, int userBytes, void *password, int passwordBytes)',
  );
  const give = (into: unknown, bytes: number, text: string): void => {
    // Longer than the library has room for: a cut one would be a wrong one.
    const value = Buffer.from(`${text}\0`);
    if (value.length <= bytes) new Uint8Array(koffi.view(into, bytes)).set(value);
  };
  const answer = koffi.register(
    (...[, , , domain, domainBytes, user, userBytes, password, passwordBytes]: readonly unknown[]) => {
      give(domain, Number(domainBytes), share.domain);
      give(user, Number(userBytes), share.user);
      give(password, Number(passwordBytes), share.password);
    },
    koffi.pointer('smbc_auth'),
  );
  const set = (definition: string, ...values: readonly unknown[]): unknown => library.func(definition)(...values);
  const context: unknown = set('void *smbc_new_context()');
  set('void smbc_setFunctionAuthDataWithContext(void *context, void *answer)', context, answer);
  if (set('void *smbc_init_context(void *context)', context) === null) throw new Error('smbc_init_context failed');
  if (set('int smbc_setConfiguration(void *context, const char *file)', context, fileURLToPath(SMB_SETTINGS)) !== 0) {
    throw new Error('smbc_setConfiguration failed');
  }
  set('void smbc_setPort(void *context, uint16_t port)', context, share.port);
  set('void smbc_setTimeout(void *context, int ms)', context, share.stallMs);
  set('void smbc_setOptionUseKerberos(void *context, int isOn)', context, 0);
  set('void smbc_setOptionFallbackAfterKerberos(void *context, int isOn)', context, 1);
  set('void smbc_setOptionNoAutoAnonymousLogin(void *context, int isOn)', context, 1);
  set('void smbc_setOptionSmbEncryptionLevel(void *context, int level)', context, ENCRYPTION[share.encryption]);
  set(
    'int smbc_setOptionProtocols(void *context, const char *least, const char *most)',
    context,
    share.minProtocol,
    'SMB3_11',
  );
  set('void *smbc_set_context(void *context)', context);
}

function createNames(
  library: Library,
  {
    call,
    urlOf,
  }: {
    readonly call: (definition: string) => (...values: readonly unknown[]) => number;
    readonly urlOf: (path: string) => string;
  },
): SmbLibrary['names'] {
  const open = call('int smbc_opendir(const char *url)');
  const next = library.func('void *smbc_readdir(unsigned int folder)');
  const close = call('int smbc_closedir(int folder)');
  return (path) => {
    const folder = open(urlOf(path));
    const names: string[] = [];
    try {
      for (;;) {
        const entry: unknown = next(folder);
        if (entry === null) return names;
        const length = new DataView(koffi.view(entry, ENTRY.nameOffset)).getUint32(ENTRY.lengthOffset, true);
        names.push(Buffer.from(koffi.view(entry, ENTRY.nameOffset + length)).toString('utf8', ENTRY.nameOffset));
      }
    } finally {
      close(folder);
    }
  };
}

const segmentsOf = (path: string): readonly string[] => path.split('/').filter((segment) => segment !== '');

function infoOf(info: Buffer): SmbFileInfo {
  const mode = info.readUInt32LE(statModeOffset);
  return {
    bytes: Number(info.readBigInt64LE(STAT_SIZE_OFFSET)),
    modifiedAtMs: Number(info.readBigInt64LE(STAT_MODIFIED_OFFSET)) * 1000,
    isFolder: (mode & FILE_TYPE_BITS) === FOLDER_TYPE,
  };
}

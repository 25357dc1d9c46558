import { isIP } from 'node:net';
import { totalmem } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isCidr } from './auth/index.ts';
import { GIB, parseSecretKey, SECOND_MS } from './base/index.ts';
import { type AllowList, NOTHING_ALLOWED, parseAllowList } from './outbound/index.ts';
import { parseStorageUrl, type StorageConfig } from './storage/index.ts';

export type Config = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL in the data folder. */
  readonly databaseUrl: string | undefined;
  readonly storage: StorageConfig;
  /** Where clients reach the API, without a slash at the end. */
  readonly publicUrl: string;
  /** Where file and image URLs point: a CDN in front, or the public address. */
  readonly mediaUrl: string;
  readonly searchEngine: 'postgres' | 'bitmap';
  readonly searchMemoryBytes: number;
  readonly sample: boolean;
  /** Undefined: the command decides. */
  readonly logLevel: string | undefined;
  readonly maxUploadBytes: number;
  readonly maxOpenUploadBytes: number;
  readonly imageCacheBytes: number;
  readonly trustProxy: readonly string[];
  /** Folders below which destinations may lie. */
  readonly deliveryFolders: readonly string[];
  /** How long a destination may be silent before it is given up. */
  readonly deliveryStallMs: number;
  /** The first seals secrets; empty: a key that is made in the data folder. */
  readonly secretKeys: readonly Buffer[];
  /** Internal hosts that webhooks may be sent to. */
  readonly outboundAllow: AllowList;
  readonly shutdownMs: number;
  readonly path: string;
};

export type ConfigFault = { readonly name: string; readonly expected: string };

/** All faulty settings of a start, each with what was expected; values are never shown, they may be secrets. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];
  constructor(faults: readonly ConfigFault[]) {
    super(faults.map((fault) => `${fault.name}: expected ${fault.expected}`).join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Memory of the machine, or of the container where that has a limit (without one, Node says 0 or more than there is). */
function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Every setting with what it does: the source of the table in docs/operations.md. */
export const SETTINGS = {
  PORT: 'port to listen on (default 8080)',
  HOST: 'address to listen on (default 127.0.0.1; 0.0.0.0 for every network)',
  DATA_DIR: 'folder of everything the service keeps (default ./data)',
  DATABASE_URL: 'a PostgreSQL 15 or newer instead of the embedded one: postgres://user:password@host:5432/name',
  STORAGE_URL:
    'where bytes are stored: file:///folder (default DATA_DIR/storage) or s3://KEY:SECRET@bucket?endpoint=...&region=...',
  PUBLIC_URL: 'address clients reach the service at (default http://HOST:PORT)',
  CDN_URL: 'address file and image URLs point to (default PUBLIC_URL)',
  SEARCH_ENGINE: 'bitmap (default): searches in memory, from an index that follows the library; or postgres',
  SEARCH_MEMORY_BYTES:
    "memory for search indexes (default half of the machine's); a library that is larger is searched in PostgreSQL",
  SAMPLE: '0: an empty installation gets no sample library',
  LOG_LEVEL: 'fatal, error, warn, info, debug or trace (default info; warn on a terminal)',
  MAX_UPLOAD_BYTES: 'largest file that is taken in (default 53687091200, 50 GiB)',
  MAX_OPEN_UPLOAD_BYTES:
    'length of the unfinished resumable uploads of an organization together (default 1099511627776, 1 TiB)',
  IMAGE_CACHE_BYTES: 'room for rendered images in DATA_DIR/cache (default 5368709120, 5 GiB)',
  TRUST_PROXY: 'addresses or networks of proxies whose X-Forwarded-For is believed, with commas between',
  DELIVERY_FOLDERS:
    'folders of this machine that destinations of kind folder may lie in, with commas between (default none)',
  DELIVERY_STALL_SECONDS:
    'how long a destination may be silent before a delivery is given up and tried again (default 60)',
  SECRET_KEY:
    'what secrets of destinations and webhooks are encrypted with: 64 hex digits; older keys behind commas (default DATA_DIR/secret.key, made at the first start)',
  OUTBOUND_ALLOW:
    'hosts, addresses and networks that webhooks may reach although they are internal or have no TLS, each with :port or without, with commas between (default none)',
  SHUTDOWN_SECONDS: 'how long a stop waits for running requests and jobs (default 20)',
} as const;
type Setting = keyof typeof SETTINGS;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

function isUrl(text: string, protocols: readonly string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/**
 * Reads the settings of the process once. @throws ConfigError that names every faulty setting
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: ConfigFault[] = [];
  const read = <T>(name: Setting, fallback: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = env[name];
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) faults.push({ name, expected });
    return value ?? fallback;
  };
  const whole = (minimum: number, maximum: number) => (text: string) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
  };
  const baseUrl = (text: string) => {
    if (!isUrl(text, ['http:', 'https:'])) return undefined;
    const url = new URL(text);
    return url.search === '' && url.hash === '' && url.username === '' ? text.replace(/\/+$/, '') : undefined;
  };

  const port = read('PORT', 8080, whole(1, 65_535), 'a port from 1 to 65535');
  const host = read(
    'HOST',
    '127.0.0.1',
    (text) => (isIP(text) > 0 || /^[A-Za-z0-9.-]{1,253}$/.test(text) ? text : undefined),
    'an address or host name',
  );
  const dataDir = resolve(read('DATA_DIR', './data', (text) => (text.includes('\0') ? undefined : text), 'a folder'));
  const storageText = env['STORAGE_URL'];
  const storage = parseStorageUrl(storageText ? storageText : pathToFileURL(join(dataDir, 'storage')).href);
  if ('error' in storage) faults.push({ name: 'STORAGE_URL', expected: storage.error });
  const shownHost = host === '0.0.0.0' || host === '::' ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host;
  const publicUrl = read(
    'PUBLIC_URL',
    `http://${shownHost}:${port}`,
    baseUrl,
    'an http(s) URL without query or credentials',
  );
  const databaseUrl = read<string | undefined>(
    'DATABASE_URL',
    undefined,
    (text) => (isUrl(text, ['postgres:', 'postgresql:']) ? text : undefined),
    'a URL such as postgres://user:password@host:5432/name',
  );
  const networks = (text: string) => {
    const parts = text.split(',').map((part) => part.trim());
    return parts.every((part) => isCidr(part)) ? parts : undefined;
  };
  const config = {
    port,
    host,
    dataDir,
    databaseUrl,
    publicUrl,
    mediaUrl: read('CDN_URL', publicUrl, baseUrl, 'an http(s) URL without query or credentials'),
    searchEngine: read<'postgres' | 'bitmap'>(
      'SEARCH_ENGINE',
      'bitmap',
      (text) => (text === 'postgres' || text === 'bitmap' ? text : undefined),
      'postgres or bitmap',
    ),
    searchMemoryBytes: read(
      'SEARCH_MEMORY_BYTES',
      Math.floor(memoryBytes() / 2),
      whole(0, Number.MAX_SAFE_INTEGER),
      'a number of bytes',
    ),
    sample: read<boolean>('SAMPLE', true, (text) => ({ '0': false, '1': true })[text], '0 or 1'),
    logLevel: read<string | undefined>(
      'LOG_LEVEL',
      undefined,
      (text) => (LOG_LEVELS.includes(text) ? text : undefined),
      `one of ${LOG_LEVELS.join(', ')}`,
    ),
    maxUploadBytes: read('MAX_UPLOAD_BYTES', 50 * GIB, whole(1, Number.MAX_SAFE_INTEGER), 'a number of bytes'),
    maxOpenUploadBytes: read(
      'MAX_OPEN_UPLOAD_BYTES',
      1024 * GIB,
      whole(1, Number.MAX_SAFE_INTEGER),
      'a number of bytes',
    ),
    imageCacheBytes: read('IMAGE_CACHE_BYTES', 5 * GIB, whole(0, Number.MAX_SAFE_INTEGER), 'a number of bytes'),
    trustProxy: read<readonly string[]>(
      'TRUST_PROXY',
      [],
      networks,
      'addresses or networks such as 10.0.0.0/8, with commas between',
    ),
    deliveryFolders: read<readonly string[]>(
      'DELIVERY_FOLDERS',
      [],
      (text) => {
        const folders = text.split(',').map((one) => one.trim());
        return folders.every((one) => isAbsolute(one) && !one.includes('\0'))
          ? folders.map((one) => resolve(one))
          : undefined;
      },
      'absolute paths with commas between',
    ),
    secretKeys: read<readonly Buffer[]>(
      'SECRET_KEY',
      [],
      (text) => {
        const keys = text.split(',').flatMap((one) => parseSecretKey(one.trim()) ?? []);
        return keys.length === text.split(',').length ? keys : undefined;
      },
      '64 hex digits, or several such keys with commas between',
    ),
    outboundAllow: read<AllowList>(
      'OUTBOUND_ALLOW',
      NOTHING_ALLOWED,
      parseAllowList,
      'hosts, addresses or networks such as hooks.internal:8080 or 10.0.0.0/8, with commas between',
    ),
    deliveryStallMs: read('DELIVERY_STALL_SECONDS', 60, whole(1, 3600), 'seconds from 1 to 3600') * SECOND_MS,
    shutdownMs: read('SHUTDOWN_SECONDS', 20, whole(1, 3600), 'seconds from 1 to 3600') * SECOND_MS,
    path: env['PATH'] ?? '',
  };
  if (faults.length > 0 || 'error' in storage) throw new ConfigError(faults);
  return Object.freeze({ ...config, storage });
}

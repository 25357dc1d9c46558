import { fileURLToPath } from 'node:url';
import { isStorageKey } from './keys.ts';

/** Where objects are stored, as read from STORAGE_URL. Holds a secret: never log it. */
export type StorageConfig =
  | { readonly kind: 'local'; readonly directory: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      /** Put before every key with a slash; empty for none. */
      readonly prefix: string;
      /** Absent: Amazon's own for the region. */
      readonly endpoint?: string;
      readonly region: string;
      /** The bucket in the path instead of the host name. */
      readonly pathStyle: boolean;
      /** Absent: the default chain of the AWS SDK (environment, profile, instance role). */
      readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
    };

const FORMS =
  'file:///absolute/folder or s3://ACCESS:SECRET@bucket?endpoint=https://host:port&region=...&prefix=...&path_style=1';
const PARAMETERS: ReadonlySet<string> = new Set(['endpoint', 'region', 'prefix', 'path_style']);
const SWITCH: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

/**
 * Reads STORAGE_URL: `file:///absolute/folder` or `s3://ACCESS:SECRET@bucket?endpoint=&region=&prefix=&path_style=`
 * (access key and secret URL-encoded, both or neither). The region is us-east-1 unless given, which other stores than
 * Amazon ignore; `path_style` is on by default when there is an endpoint, since few of those know host names of buckets.
 * The error says what was expected and never repeats any part of the text, in which a misplaced secret may stand.
 */
export function parseStorageUrl(text: string): StorageConfig | { readonly error: string } {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return { error: `expected ${FORMS}, with access key and secret URL-encoded` };
  }
  // `file:folder` would silently become /folder.
  if (url.protocol === 'file:')
    return /^file:\/\//i.test(text.trim()) ? parseFileUrl(url) : { error: `expected ${FORMS}` };
  return url.protocol === 's3:' ? parseS3Url(url) : { error: `expected ${FORMS}` };
}

function parseFileUrl(url: URL): StorageConfig | { readonly error: string } {
  const error = { error: 'expected file:///absolute/folder without host, parameters or fragment' };
  if (url.host !== '' || url.search !== '' || url.hash !== '') return error;
  try {
    const directory = fileURLToPath(url);
    return directory === '/' || directory.includes('\0') ? error : { kind: 'local', directory };
  } catch {
    return error;
  }
}

function parseS3Url(url: URL): StorageConfig | { readonly error: string } {
  const parameters = url.searchParams;
  const names = [...parameters.keys()];
  if (url.hash !== '' || url.port !== '' || (url.pathname !== '' && url.pathname !== '/')) {
    return { error: 'expected nothing but the bucket between "@" and "?", with access key and secret URL-encoded' };
  }
  if (names.some((name) => !PARAMETERS.has(name)) || new Set(names).size < names.length) {
    return { error: 'expected only the parameters endpoint, region, prefix and path_style, each once' };
  }
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname)) {
    return { error: 'expected a bucket name of 3 to 63 lower-case letters, digits, dots and hyphens' };
  }
  const credentials = parseCredentials(url);
  if (credentials !== undefined && 'error' in credentials) return credentials;
  const endpoint = parameters.get('endpoint') ?? undefined;
  if (endpoint !== undefined && !isEndpoint(endpoint)) {
    return { error: 'expected http(s)://host or http(s)://host:port for endpoint' };
  }
  const region = parameters.get('region') ?? 'us-east-1';
  if (!/^[A-Za-z0-9-]{1,64}$/.test(region)) return { error: 'expected letters, digits and hyphens for region' };
  const prefix = (parameters.get('prefix') ?? '').replace(/^\/+|\/+$/g, '');
  if (prefix.length > 200 || (prefix !== '' && !isStorageKey(prefix))) {
    return { error: 'expected up to 200 characters in segments of [A-Za-z0-9._-] for prefix' };
  }
  const pathStyle = SWITCH.get(parameters.get('path_style') ?? (endpoint === undefined ? '0' : '1'));
  if (pathStyle === undefined) return { error: 'expected 1 or 0 for path_style' };
  return {
    kind: 's3',
    bucket: url.hostname,
    prefix,
    region,
    pathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

function parseCredentials(
  url: URL,
): { readonly accessKeyId: string; readonly secretAccessKey: string } | { readonly error: string } | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const error = { error: 'expected both access key and secret, URL-encoded, or neither' };
  if (url.username === '' || url.password === '') return error;
  try {
    return { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) };
  } catch {
    return error;
  }
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '' && pathname === '/';
}

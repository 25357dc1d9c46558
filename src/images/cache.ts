/**
 * Rendered pictures on the local disk, least recently used out first.
 *
 * A file's name carries everything the index needs, `<directory>/<org>/<media>/<hash>_<width>x<height>_<bytes>.<ext>`, so a
 * restart reads names and sizes only. Files are written under `.tmp` and renamed. There is no fsync: after a power cut a
 * renamed file may be short, then its size differs from its name and it is removed. One process owns a directory.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Clock, MINUTE_MS, systemClock } from '../base/index.ts';
import { FORMATS, type ImageFormat } from './parameters/index.ts';

/** What is known of a cached picture besides its bytes. */
export type CachedMeta = { readonly format: ImageFormat; readonly width: number; readonly height: number };

export type CachedImage = CachedMeta & { readonly bytes: Buffer };

export type ImageCache = {
  /** The whole picture, or undefined; never a part of one. */
  get(key: string): Promise<CachedImage | undefined>;
  /** Stores a picture under `<org>/<media>/<hash>` and lets go of the least recently used ones above the limit. */
  put(key: string, bytes: Buffer, meta: CachedMeta): Promise<void>;
  /** Whether a picture of an asset (`<org>/<media>`) is indexed. */
  holds(asset: string): boolean;
  /** Removes every picture of an asset (`<org>/<media>/`) or an organization (`<org>/`), but for hashes that begin with `keep`. */
  purge(prefix: string, options?: { readonly keep?: string }): Promise<void>;
  /** Resolves when the files of earlier runs are indexed; the cache works before that. */
  ready(): Promise<void>;
  readonly sizeBytes: number;
  readonly count: number;
};

type Entry = CachedMeta & { readonly path: string; readonly sizeBytes: number; usedAtMs: number; touchedAtMs: number };

const TEMP_FOLDER = '.tmp';
const SEGMENT = /^[A-Za-z0-9-]{1,128}$/;
const FILE_NAME = /^([A-Za-z0-9-]+)_(\d+)x(\d+)_(\d+)\.([a-z]+)$/;

/** Last use is kept on disk as the file's time, at most once in this span: it only has to order a restart's index. */
const TOUCH_EVERY_MS = 10 * MINUTE_MS;

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const missingAs =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

function parseName(name: string): (CachedMeta & { readonly hash: string; readonly sizeBytes: number }) | undefined {
  const [, hash, width, height, sizeBytes, extension] = FILE_NAME.exec(name) ?? [];
  const format = FORMATS.find((each) => each === extension);
  if (hash === undefined || format === undefined) return undefined;
  return { hash, width: Number(width), height: Number(height), sizeBytes: Number(sizeBytes), format };
}

function assetOf(key: string): string {
  const parts = key.split('/');
  if (parts.length !== 3 || !parts.every((part) => SEGMENT.test(part))) {
    throw new TypeError(`expected <org>/<media>/<hash> for key, received ${JSON.stringify(key)}`);
  }
  return parts.slice(0, 2).join('/');
}

/** Opens the cache in `directory` (made when absent), holding at most `maxBytes`. Indexing runs in the background. */
export function createImageCache(options: {
  readonly directory: string;
  readonly maxBytes: number;
  readonly clock?: Clock;
}): ImageCache {
  const { directory, maxBytes, clock = systemClock } = options;
  /** In order of use, oldest first; during the first scan in the order of finding. */
  const entries = new Map<string, Entry>();
  const keysByAsset = new Map<string, Set<string>>();
  const scans = new Map<string, Promise<void>>();
  let sizeBytes = 0;
  let indexed = false;

  const nowMs = () => clock.now().getTime();

  const insert = (key: string, entry: Entry): Entry | undefined => {
    const before = forget(key);
    entries.set(key, entry);
    sizeBytes += entry.sizeBytes;
    const asset = assetOf(key);
    const keys = keysByAsset.get(asset) ?? new Set<string>();
    keysByAsset.set(asset, keys.add(key));
    return before;
  };

  function forget(key: string): Entry | undefined {
    const entry = entries.get(key);
    if (!entry) return undefined;
    entries.delete(key);
    sizeBytes -= entry.sizeBytes;
    const asset = assetOf(key);
    const keys = keysByAsset.get(asset);
    keys?.delete(key);
    if (keys?.size === 0) keysByAsset.delete(asset);
    return entry;
  }

  const removeFiles = async (removed: readonly Entry[], assets: Iterable<string>) => {
    await Promise.all(removed.map((entry) => rm(entry.path, { force: true })));
    // An empty folder is only litter; one that has been filled again refuses to go.
    for (const asset of assets) await rmdir(join(directory, asset)).catch(() => undefined);
  };

  const evict = async () => {
    // Until everything is indexed the order of use is not known.
    if (!indexed) return;
    const removed: Entry[] = [];
    const emptied = new Set<string>();
    for (const key of entries.keys()) {
      if (sizeBytes <= maxBytes) break;
      const entry = forget(key);
      if (entry) removed.push(entry);
      if (!keysByAsset.has(assetOf(key))) emptied.add(assetOf(key));
    }
    if (removed.length > 0) await removeFiles(removed, emptied);
  };

  const indexFile = async (asset: string, name: string) => {
    const path = join(directory, asset, name);
    const found = parseName(name);
    const file = await stat(path).catch(missingAs(undefined));
    if (!file) return;
    if (!found || found.sizeBytes !== file.size) {
      await rm(path, { force: true });
      return;
    }
    const { hash, ...meta } = found;
    const key = `${asset}/${hash}`;
    const present = entries.get(key);
    if (present?.path === path) return;
    // Written by this run under other dimensions: the file on disk is the older one.
    if (present) await rm(path, { force: true });
    else insert(key, { ...meta, path, usedAtMs: file.mtimeMs, touchedAtMs: file.mtimeMs });
  };

  const scanAsset = (asset: string): Promise<void> => {
    if (indexed) return Promise.resolve();
    const running = scans.get(asset);
    if (running) return running;
    const scan = (async () => {
      for (const name of await readdir(join(directory, asset)).catch(missingAs([]))) await indexFile(asset, name);
    })();
    scans.set(asset, scan);
    return scan;
  };

  const folders = async (path: string) =>
    (await readdir(path, { withFileTypes: true }).catch(missingAs([])))
      .filter((entry) => entry.isDirectory() && SEGMENT.test(entry.name))
      .map((entry) => entry.name);

  const scanAll = async () => {
    for (const name of await readdir(join(directory, TEMP_FOLDER))) {
      if (!temporary.has(name)) await rm(join(directory, TEMP_FOLDER, name), { force: true });
    }
    for (const org of await folders(directory)) {
      for (const media of await folders(join(directory, org))) await scanAsset(`${org}/${media}`);
    }
    const byUse = [...entries].sort(([, a], [, b]) => a.usedAtMs - b.usedAtMs);
    entries.clear();
    for (const [key, entry] of byUse) entries.set(key, entry);
    indexed = true;
    scans.clear();
    await evict();
  };

  const temporary = new Set<string>();
  const opened = mkdir(join(directory, TEMP_FOLDER), { recursive: true });
  const scanned = opened.then(scanAll);
  // A failure is reported by ready(); unobserved it must not end the process.
  scanned.catch(() => undefined);

  const touch = (key: string, entry: Entry) => {
    entry.usedAtMs = nowMs();
    entries.delete(key);
    entries.set(key, entry);
    if (entry.usedAtMs - entry.touchedAtMs < TOUCH_EVERY_MS) return;
    entry.touchedAtMs = entry.usedAtMs;
    const at = new Date(entry.usedAtMs);
    // Best effort: a file that was evicted meanwhile has no time to keep.
    utimes(entry.path, at, at).catch(() => undefined);
  };

  const write = async (asset: string, path: string, bytes: Buffer) => {
    const name = randomUUID();
    const partial = join(directory, TEMP_FOLDER, name);
    temporary.add(name);
    try {
      await opened;
      await writeFile(partial, bytes, { flag: 'wx' });
      await mkdir(join(directory, asset), { recursive: true });
      // The folder can go between these two lines when its last file is evicted: once more, then.
      await rename(partial, path).catch(async (error: unknown) => {
        if (!isMissing(error)) throw error;
        await mkdir(join(directory, asset), { recursive: true });
        await rename(partial, path);
      });
    } finally {
      temporary.delete(name);
      await rm(partial, { force: true });
    }
  };

  return {
    async get(key) {
      const asset = assetOf(key);
      if (!entries.has(key)) await scanAsset(asset);
      const entry = entries.get(key);
      if (!entry) return undefined;
      const bytes = await readFile(entry.path).catch(missingAs(undefined));
      if (bytes?.length !== entry.sizeBytes) {
        if (entries.get(key) === entry) {
          forget(key);
          await rm(entry.path, { force: true });
        }
        return undefined;
      }
      if (entries.get(key) === entry) touch(key, entry);
      return { bytes, format: entry.format, width: entry.width, height: entry.height };
    },
    async put(key, bytes, meta) {
      if (bytes.length > maxBytes) return;
      const asset = assetOf(key);
      const hash = key.slice(asset.length + 1);
      const path = join(directory, asset, `${hash}_${meta.width}x${meta.height}_${bytes.length}.${meta.format}`);
      await write(asset, path, bytes);
      const usedAtMs = nowMs();
      const before = insert(key, { ...meta, path, sizeBytes: bytes.length, usedAtMs, touchedAtMs: usedAtMs });
      if (before && before.path !== path) await rm(before.path, { force: true });
      await evict();
    },
    holds: (asset) => keysByAsset.has(asset),
    async purge(prefix, { keep } = {}) {
      const segments = prefix.split('/').slice(0, -1);
      if (!prefix.endsWith('/') || segments.length > 2 || !segments.every((segment) => SEGMENT.test(segment))) {
        throw new TypeError(`expected <org>/ or <org>/<media>/ for prefix, received ${JSON.stringify(prefix)}`);
      }
      // Files of earlier runs that are not indexed yet have to go as well.
      await (segments.length === 2 ? scanAsset(segments.join('/')) : scanned);
      const assets =
        segments.length === 2
          ? [segments.join('/')]
          : [...keysByAsset.keys()].filter((asset) => asset.startsWith(prefix));
      const isKept = (asset: string, key: string) => keep !== undefined && key.startsWith(`${asset}/${keep}`);
      const keys = assets.flatMap((asset) => [...(keysByAsset.get(asset) ?? [])].filter((key) => !isKept(asset, key)));
      await removeFiles(
        keys.flatMap((key) => forget(key) ?? []),
        assets,
      );
    },
    ready: () => scanned,
    get sizeBytes() {
      return sizeBytes;
    },
    get count() {
      return entries.size;
    },
  };
}

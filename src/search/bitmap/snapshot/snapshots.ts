import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Logger, messageOf, randomBase62 } from '../../../base/index.ts';
import type { IndexField } from '../../../library/index.ts';
import type { SegmentData } from '../segment/sections.ts';
import { readSegmentFile, writeSegmentFile } from './segment-file.ts';

/** Counts up when the form of segments changes: an older snapshot is then made anew. */
const FORMAT = 5;
const MANIFEST = 'snapshot.json';

/** An index as it was at a version of the library. */
export type Snapshot = {
  readonly version: number;
  /** What the database says of the library at this version; the same library says it again. */
  readonly fingerprint: string;
  /** Those whose values in the details were read. */
  readonly fields: readonly IndexField[];
  readonly segments: readonly { readonly data: SegmentData; readonly stale: readonly number[] }[];
};

type Manifest = Omit<Snapshot, 'segments'> & {
  readonly format: number;
  /** CRC-32 of all the rest as JSON: a stale ID that is read wrong would bring an old state back. */
  readonly crc32: number;
  readonly segments: readonly { readonly file: string; readonly stale: readonly number[] }[];
};

export type Snapshots = {
  /** The newest whole snapshot of an organization's index that `isCurrent` accepts; undefined without one. */
  read(
    organizationId: number,
    isCurrent: (snapshot: Omit<Snapshot, 'segments'>) => Promise<boolean>,
  ): Promise<Snapshot | undefined>;
  /** Writes the segments that are not on disk yet, then the list of them; a crash leaves the snapshot before. */
  write(organizationId: number, snapshot: Snapshot): Promise<void>;
};

/** Snapshots in one folder, a subfolder for each organization. */
export function createSnapshots(options: { readonly folder: string; readonly logger: Logger }): Snapshots {
  const { folder, logger } = options;
  /** Under what name a segment is on disk. */
  const files = new WeakMap<SegmentData, string>();
  const folderOf = (organizationId: number) => join(folder, String(organizationId));

  const readManifest = async (path: string): Promise<Manifest | undefined> => {
    try {
      // Our own file; a format that differs is not read further.
      const manifest = JSON.parse(await readFile(join(path, MANIFEST), 'utf8')) as Manifest;
      const { crc32: sum, ...rest } = manifest;
      return manifest.format === FORMAT && sum === crc32(JSON.stringify(rest)) ? manifest : undefined;
    } catch {
      return undefined;
    }
  };

  return {
    async read(organizationId, isCurrent) {
      const path = folderOf(organizationId);
      const manifest = await readManifest(path);
      if (!manifest || !(await isCurrent(manifest))) return undefined;
      try {
        const segments: Snapshot['segments'][number][] = [];
        for (const { file, stale } of manifest.segments) {
          const data = await readSegmentFile(join(path, file));
          files.set(data, file);
          segments.push({ data, stale });
        }
        const { version, fingerprint, fields } = manifest;
        return { version, fingerprint, fields, segments };
      } catch (error) {
        logger.warn({ event: 'search_index.snapshot_unreadable', organizationId, reason: messageOf(error) });
        return undefined;
      }
    },
    async write(organizationId, { version, fingerprint, fields, segments }) {
      const path = folderOf(organizationId);
      await mkdir(path, { recursive: true, mode: 0o700 });
      const listed: Manifest['segments'][number][] = [];
      for (const { data, stale } of segments) {
        let file = files.get(data);
        if (file === undefined) {
          file = `${randomBase62(12)}.segment`;
          await writeSegmentFile(join(path, file), data);
          files.set(data, file);
        }
        listed.push({ file, stale });
      }
      const rest: Omit<Manifest, 'crc32'> = { format: FORMAT, version, fingerprint, fields, segments: listed };
      const manifest: Manifest = { ...rest, crc32: crc32(JSON.stringify(rest)) };
      const temporary = join(path, `${MANIFEST}.tmp`);
      const handle = await open(temporary, 'w');
      try {
        await handle.writeFile(JSON.stringify(manifest));
        await handle.datasync();
      } finally {
        await handle.close();
      }
      await rename(temporary, join(path, MANIFEST));
      const kept = new Set([MANIFEST, ...listed.map((one) => one.file)]);
      for (const name of await readdir(path)) if (!kept.has(name)) await rm(join(path, name), { force: true });
    },
  };
}

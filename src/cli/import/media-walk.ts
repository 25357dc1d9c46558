import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Extensions that are worth an upload; what a file really is, the service tells from its content. */
const MEDIA_EXTENSIONS = new Set(
  (
    'jpg jpeg jpe jfif png webp gif tif tiff heic heif hif avif ' +
    'cr2 cr3 nef nrw arw sr2 srf dng orf rw2 rwl raw raf pef srw 3fr fff iiq erf dcr kdc mef mos gpr ' +
    'mp4 m4v mov qt mxf 3gp 3g2'
  ).split(' '),
);

export type MediaFile = {
  /** Below the folder, with `/` between its parts on every system. */
  readonly path: string;
  readonly absolutePath: string;
  readonly bytes: number;
  readonly mtimeMs: number;
};
export type FileFailure = { readonly path: string; readonly reason: string };
export type MediaWalk = {
  /** Ordered by path. */
  readonly files: readonly MediaFile[];
  /** Files that are no media by their extension, ordered by path. */
  readonly skipped: readonly string[];
  readonly failures: readonly FileFailure[];
};

const byPath = (a: { readonly path: string }, b: { readonly path: string }) =>
  a.path < b.path ? -1 : a.path > b.path ? 1 : 0;

/** Why the system refused, in words. */
export function fileReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return 'it is not there any more';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission to read it';
  if (code === 'EIO') return 'the disk reports a read error';
  return error instanceof Error ? error.message : String(error);
}

/**
 * The media files of a folder. Names that begin with a dot are left out; links are followed, but every folder is
 * visited once, so that a link to a parent ends. What cannot be read is a failure beside the rest.
 */
export async function findMedia(
  folder: string,
  options: { readonly recursive: boolean; readonly signal: AbortSignal },
): Promise<MediaWalk> {
  const files: MediaFile[] = [];
  const skipped: string[] = [];
  const failures: FileFailure[] = [];
  const visited = new Set<string>();

  const visitFile = (path: string, absolutePath: string, info: { readonly size: number; readonly mtimeMs: number }) => {
    if (MEDIA_EXTENSIONS.has(extname(path).slice(1).toLowerCase())) {
      files.push({ path, absolutePath, bytes: info.size, mtimeMs: Math.trunc(info.mtimeMs) });
    } else {
      skipped.push(path);
    }
  };
  const visitFolder = async (prefix: string, absolute: string): Promise<void> => {
    options.signal.throwIfAborted();
    const real = await realpath(absolute);
    if (visited.has(real)) return;
    visited.add(real);
    const names = (await readdir(absolute)).filter((name) => !name.startsWith('.')).toSorted();
    for (const name of names) {
      const path = `${prefix}${name}`;
      const child = join(absolute, name);
      try {
        const info = await stat(child);
        if (info.isFile()) visitFile(path, child, info);
        else if (info.isDirectory() && options.recursive) await visitFolder(`${path}/`, child);
      } catch (error) {
        options.signal.throwIfAborted();
        failures.push({ path, reason: fileReason(error) });
      }
    }
  };

  await visitFolder('', folder);
  return { files: files.toSorted(byPath), skipped: skipped.toSorted(), failures };
}

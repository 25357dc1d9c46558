import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { watch } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { FaultPlace, FaultTarget } from './fault-target.ts';

const run = promisify(execFile);
type Fields = Readonly<Record<string, unknown>>;
type Owner = { readonly uid: number; readonly gid: number };

/** Why no file system of a given size can be made here; undefined when it can. */
export const missingMounts = (): string | undefined =>
  process.getuid?.() === 0 && process.platform === 'linux' ? undefined : 'mounting a small file system needs root';

export type FilePlaces = Pick<FaultTarget, 'place' | 'smallPlace' | 'closedPlace'> & { close(): Promise<void> };

/** Places in a folder of this machine which a server shows to the world: what it holds is read from the disk. */
export function createFilePlaces(options: {
  readonly root: string;
  readonly configOf: (name: string) => Fields;
  readonly secrets: Fields;
  /** Whose process writes there, when it is not ours. */
  readonly owner?: Owner;
}): FilePlaces {
  const { root, configOf, secrets, owner } = options;
  const mounts = new Set<string>();

  const open = async (name: string): Promise<FaultPlace> => {
    const folder = join(root, name);
    await mkdir(folder, { recursive: true });
    if (owner) await chown(folder, owner.uid, owner.gid);
    const arrivals = new Map<string, number>();
    const watcher = watch(folder, (event, file) => {
      // "rename" is a name that came or went. Ours go only when a test takes them away.
      // The folder's own name comes when its owner changes.
      if (event === 'rename' && file !== null && file !== name && !file.startsWith('.'))
        arrivals.set(file, (arrivals.get(file) ?? 0) + 1);
    });
    const each = async <Value>(read: (path: string) => Promise<Value>): Promise<ReadonlyMap<string, Value>> => {
      const found = new Map<string, Value>();
      for (const file of await readdir(folder)) {
        const value = await read(join(folder, file)).catch((error: unknown) => {
          // A temporary file that got its name meanwhile.
          if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
          throw error;
        });
        if (value !== undefined) found.set(file, value);
      }
      return found;
    };
    return {
      config: configOf(name),
      secrets,
      sizes: () => each(async (path) => (await stat(path)).size),
      hashes: () =>
        each(async (path) =>
          createHash('sha256')
            .update(await readFile(path))
            .digest('hex'),
        ),
      arrivals: async () => arrivals,
      putForeign: async (file, bytes) => {
        await writeFile(join(folder, file), bytes);
        if (owner) await chown(join(folder, file), owner.uid, owner.gid);
      },
      close: async () => watcher.close(),
    };
  };
  const mount = async (name: string, how: string): Promise<string> => {
    const folder = join(root, name);
    await mkdir(folder, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', how, 'tmpfs', folder]);
    mounts.add(folder);
    return folder;
  };
  return {
    place: open,
    smallPlace:
      missingMounts() ??
      (async (name, bytes) => {
        const folder = await mount(name, `size=${bytes}`);
        const grow = async (): Promise<void> =>
          void (await run('mount', ['-o', `remount,size=${bytes * 100}`, folder]));
        return { ...(await open(name)), grow };
      }),
    closedPlace:
      missingMounts() ??
      (async (name) => {
        if (owner) {
          const place = await open(name);
          await chown(join(root, name), 0, 0);
          await chmod(join(root, name), 0o755);
          return { ...place, allow: () => chown(join(root, name), owner.uid, owner.gid) };
        }
        // Root may write everywhere but on what is mounted to be read.
        const folder = await mount(name, 'size=100m');
        const place = await open(name);
        await run('mount', ['-o', 'remount,ro', folder]);
        const allow = async (): Promise<void> => void (await run('mount', ['-o', 'remount,rw', folder]));
        return { ...place, allow };
      }),
    close: async () => {
      for (const folder of mounts) await run('umount', ['-l', folder]);
    },
  };
}

import { createReadStream } from 'node:fs';
import { lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Type } from 'typebox';
import { invalidField, MIB } from '../../../base/index.ts';
import {
  ChannelError,
  type ChannelSession,
  type DestinationChannel,
  defineChannel,
  type PutOptions,
  temporaryId,
  temporaryPath,
} from '../../channel.ts';
import { POSIX_NAMES } from '../../name-rules.ts';
import { folderFault, isMissing } from './folder-faults.ts';
import { type FolderPlaces, putFile } from './folder-put.ts';
import { createReadBack } from './folder-read-back.ts';
import { createSmallFiles, SMALL_BYTES } from './folder-small-files.ts';
import { createFolderSyncs } from './folder-syncs.ts';

const FolderConfig = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'Absolute; one of the folders of the setting DELIVERY_FOLDERS, or below one',
    }),
  },
  { additionalProperties: false },
);
const FolderSecrets = Type.Object({}, { additionalProperties: false });

/** Whether a path is a root or lies below one, by their names alone. */
function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const rest = relative(resolve(root), path);
    return rest === '' || (!isAbsolute(rest) && rest !== '..' && !rest.startsWith(`..${sep}`));
  });
}

/** Folders of this machine, and what is mounted into them. Only below the roots that the installation's owner has allowed. */
export function createFolderChannel({ roots }: { readonly roots: readonly string[] }): DestinationChannel {
  const refuse = (config: { readonly path: string }): string | undefined => {
    if (roots.length === 0) return 'expected the setting DELIVERY_FOLDERS to allow folders, it allows none';
    if (!isAbsolute(config.path)) return 'expected an absolute path';
    if (config.path.split(/[/\\]/).includes('..')) return 'expected a path without ".."';
    if (config.path.includes('\0')) return 'expected a path without NUL';
    if (!isBelow(resolve(config.path), roots)) return 'expected a folder that the setting DELIVERY_FOLDERS allows';
    return undefined;
  };
  return defineChannel({
    kind: 'folder',
    configSchema: FolderConfig,
    secretsSchema: FolderSecrets,
    names: POSIX_NAMES,
    missing: () => (roots.length === 0 ? 'the setting DELIVERY_FOLDERS allows no folder' : undefined),
    check: (config) => {
      const fault = refuse(config);
      if (fault !== undefined) throw invalidField('/config/path', fault);
    },
    open: async ({ config, concurrency, signal }) => {
      signal.throwIfAborted();
      const fault = refuse(config);
      if (fault !== undefined) throw new ChannelError('permission', fault);
      try {
        // A root that is not there is made by its owner: it may be a share that is not mounted.
        const root = await realpath(resolve(config.path));
        const allowed = await Promise.all(roots.map((one) => realpath(resolve(one)).catch(() => resolve(one))));
        if (!isBelow(root, allowed)) {
          throw new ChannelError('permission', 'expected a folder that the setting DELIVERY_FOLDERS allows');
        }
        return createSession(root, concurrency);
      } catch (error) {
        throw folderFault(error, signal);
      }
    },
  });
}

function createSession(root: string, concurrency: number): ChannelSession {
  // Asking for the mask changes it for a moment, for all threads: it is asked for once.
  const work = { readBack: createReadBack(), syncFolder: createFolderSyncs(), mode: 0o666 & ~process.umask() };
  const smallFiles = createSmallFiles({ most: concurrency });
  const targetOf = (path: string): string => {
    const target = join(root, ...path.split('/'));
    if (!isBelow(target, [root]) || target === root)
      throw new ChannelError('name_illegal', 'the path leaves the folder');
    return target;
  };
  /** Where a path lies. Links that lead out of the root are refused: somebody else may write into the folder. */
  const place = async (path: string, make = false): Promise<string> => {
    const target = targetOf(path);
    const folder = dirname(target);
    const real = await realpath(folder).catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      if (!make) return folder;
      await mkdir(folder, { recursive: true });
      return realpath(folder);
    });
    if (!isBelow(real, [root])) throw new ChannelError('permission', 'a link leads out of the folder');
    return target;
  };
  const putSmall = async (options: PutOptions, places: FolderPlaces): Promise<boolean> => {
    const { file, bytes, sha256, isFirst, replace, onProgress } = options;
    if (file === undefined || bytes > SMALL_BYTES || isFirst !== true) return false;
    const isPut = await smallFiles.put({ ...places, file, bytes, sha256, replace, mode: work.mode });
    if (isPut) onProgress?.(bytes);
    return isPut;
  };
  const guarded = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      throw folderFault(error, signal);
    }
  };

  return {
    put: (options) =>
      guarded(options.signal, async () => {
        const target = targetOf(options.path);
        // In the same folder.
        const temporary = join(dirname(target), basename(temporaryPath(options)));
        if (await putSmall(options, { target, temporary })) return { verified: 'read_back', sentBytes: options.bytes };
        await place(options.path, true);
        try {
          return await putFile(options, { target, temporary }, work);
        } catch (error) {
          const fault = folderFault(error, options.signal);
          // Nobody goes on from what was refused for good.
          if (fault instanceof ChannelError && fault.permanent && (await isFile(temporary))) {
            await rm(temporary, { force: true });
          }
          throw fault;
        }
      }),
    stat: (path, signal) =>
      guarded(signal, async () => {
        const found = await lstat(await place(path)).catch((error: unknown) => {
          if (isMissing(error)) return undefined;
          throw error;
        });
        return found?.isFile() ? { bytes: found.size, modifiedAt: found.mtime } : undefined;
      }),
    async *read(path, signal) {
      signal.throwIfAborted();
      try {
        yield* createReadStream(await place(path), { highWaterMark: MIB, signal });
      } catch (error) {
        throw folderFault(error, signal);
      }
    },
    remove: (path, signal) => guarded(signal, async () => rm(await place(path), { force: true })),
    leftovers: (path, signal) =>
      guarded(signal, async () => {
        const folder = dirname(await place(path));
        const names = await readdir(folder).catch((error: unknown) => {
          if (isMissing(error)) return [];
          throw error;
        });
        const parent = path.slice(0, path.lastIndexOf('/') + 1);
        return names.flatMap((name) => {
          const id = temporaryId(name);
          return id === undefined ? [] : [{ id, path: `${parent}${name}` }];
        });
      }),
    removeLeftover: ({ path }, signal) => guarded(signal, async () => rm(await place(path), { force: true })),
    close: smallFiles.close,
  };
}

const isFile = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined))?.isFile() === true;

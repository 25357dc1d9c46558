import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * The environment that gives a thread or a child the compile cache of this process: neither takes it over by itself, and without it
 * most of their start is compiling.
 */
export function compileCacheEnv(): { readonly NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

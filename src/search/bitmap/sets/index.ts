export { createIdSet, fromSorted, fullSet } from './id-set.ts';
export { intersect, intersectionSize, intersects, subtract, unite } from './set-ops.ts';
export type { IdSet, MutableIdSet } from './types.ts';

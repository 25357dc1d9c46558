export { BLOCK_VALUES, createKernels, SLOT_BYTES, SLOT_WORDS, SLOTS } from './kernels.ts';
export type { Kernels } from './types.ts';

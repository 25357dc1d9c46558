export { createKernels, SLOT_WORDS } from './kernels.ts';
export type { Kernels } from './types.ts';

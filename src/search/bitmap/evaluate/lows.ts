import { CHUNK_DOCUMENTS } from '../segment/packed-sets.ts';
import { type ChunkValue, slotOf, type Workspace } from './chunk-value.ts';

const every = Uint16Array.from({ length: CHUNK_DOCUMENTS }, (_, low) => low);
const listed = new Uint16Array(CHUNK_DOCUMENTS);

/** The lower 16 bits of a value's documents, ascending; good until the next call, and not to be changed. */
export function lowsOf(
  work: Workspace,
  value: ChunkValue,
  { count, documents }: { readonly count: number; readonly documents: number },
): Uint16Array {
  switch (value.kind) {
    case 'none':
      return every.subarray(0, 0);
    case 'all':
      return every.subarray(0, documents);
    case 'list':
      return value.list.subarray(value.from, value.to);
    case 'bits':
      work.kernels.toList(slotOf(work.kernels, value, work.spareSlot), listed);
      return listed.subarray(0, count);
  }
}

import { type MediaHit, PAGE_SIZE, type SearchRequest } from '../api/media-search.ts';
import { blockOfIndex, type Slice } from './result-blocks.ts';
import { useGridBlocks } from './use-grid-blocks.ts';
import { useSlices } from './use-slices.ts';

const NONE: readonly Slice[] = [];

/** One result of a search by its place, from the pages that the grid has, or anew. For going from one to the next. */
export function useResultAt(request: SearchRequest, total: number, index: number): MediaHit | undefined {
  const { slicesAt } = useGridBlocks(request, total);
  const isThere = index >= 0 && index < total;
  const { media } = useSlices(isThere ? slicesAt(blockOfIndex(index)) : NONE, isThere);
  return media?.[index % PAGE_SIZE];
}

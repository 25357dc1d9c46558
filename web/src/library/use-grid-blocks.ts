import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { facetsQuery, type MediaHit, PAGE_SIZE, type SearchRequest } from '../api/media-search.ts';
import type { LoadedBlock } from './grid-block.tsx';
import { blockOfIndex, sectionFacet, sectionsOf, SHALLOW_RESULTS, type Slice, slicesOf } from './result-blocks.ts';

const NO_SLICES: readonly Slice[] = [];

/** Where the results of each block are asked for, and those that are there. */
export function useGridBlocks(request: SearchRequest, total: number) {
  const facet = sectionFacet(request, total);
  const { data } = useQuery({ ...facetsQuery(request.filter, facet ? [facet] : []), enabled: facet !== undefined });
  const counted = facet && data?.facets[facet.field];
  const sections = useMemo(
    () => (facet === undefined || counted ? sectionsOf(request, total, counted) : undefined),
    // What the facet asks follows from request and total.
    // oxlint-disable-next-line react/exhaustive-deps
    [request, total, counted],
  );
  const found = useMemo(
    () => ({ request, total, sections, slices: new Map<number, readonly Slice[]>() }),
    [request, total, sections],
  );
  const loaded = useRef(new Map<number, LoadedBlock>());

  const slicesAt = useCallback(
    (block: number): readonly Slice[] => {
      const known = found.slices.get(block);
      if (known) return known;
      if (!found.sections && (block + 1) * PAGE_SIZE > SHALLOW_RESULTS) return NO_SLICES;
      const slices = slicesOf(block, { ...found, sections: found.sections ?? [] });
      // The same ones each time: what is rendered with them stays as it is.
      found.slices.set(block, slices);
      return slices;
    },
    [found],
  );

  return {
    slicesAt,
    loaded: loaded.current,
    mediaAt(index: number): MediaHit | undefined {
      return loaded.current.get(blockOfIndex(index))?.media[index % PAGE_SIZE];
    },
  };
}

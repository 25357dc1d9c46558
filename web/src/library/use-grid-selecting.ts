import { useQueryClient } from '@tanstack/react-query';
import { type PointerEvent, type RefObject, useRef } from 'react';
import { mediaPageQuery, PAGE_SIZE, type SearchRequest } from '../api/media-search.ts';
import { showProblem } from '../app/problem-view.tsx';
import { showToast } from '../ui/toast.tsx';
import { boxesWithin } from './justified-layout.ts';
import { blockOfIndex } from './result-blocks.ts';
import {
  countSelected,
  currentSelection,
  isSelected,
  selectEverything,
  selectOnly,
  setSelected,
  toggleSelected,
} from './selection.ts';
import type { useGridBlocks } from './use-grid-blocks.ts';
import type { GridScroll } from './use-grid-scroll.ts';
import { type Area, useMarquee } from './use-marquee.ts';

/** More at once are selected as "everything that is found", which needs no list of them. */
const MAX_RANGE = 5000;
const LONG_PRESS_MS = 450;

export type GridSelecting = ReturnType<typeof useGridSelecting>;

/** Selecting by click, range, rectangle, long press and keys. */
export function useGridSelecting(options: {
  readonly element: RefObject<HTMLElement | null>;
  readonly request: SearchRequest;
  readonly total: number;
  readonly scroll: GridScroll;
  readonly blocks: ReturnType<typeof useGridBlocks>;
  readonly onActiveChange: (index: number) => void;
}) {
  const { element, request, total, scroll, blocks, onActiveChange } = options;
  const client = useQueryClient();
  /** Where a range begins. */
  const anchor = useRef<number | undefined>(undefined);
  const before = useRef<readonly number[]>([]);
  const press = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wasLongPress = useRef(false);

  /** The IDs of a range, also of results that were never in sight. */
  const idsBetween = async (from: number, to: number): Promise<readonly number[]> => {
    const ids: number[] = [];
    for (let block = blockOfIndex(from); block <= blockOfIndex(to); block += 1) {
      const slices = blocks.slicesAt(block);
      const pages = await Promise.all(slices.map((one) => client.fetchQuery(mediaPageQuery(one.request, one.page))));
      const media = slices.flatMap((one, at) => pages[at]?.media.slice(one.from, one.to) ?? []);
      const first = block * PAGE_SIZE;
      ids.push(...media.slice(Math.max(0, from - first), to - first + 1).map(({ id }) => id));
    }
    return ids;
  };

  const selectRange = (to: number): void => {
    const from = anchor.current ?? to;
    const [start, end] = from < to ? [from, to] : [to, from];
    if (end - start >= MAX_RANGE) {
      showToast({
        tone: 'info',
        text: `A range holds at most ${MAX_RANGE} assets.`,
        detail: 'To take all that was found, press A.',
      });
      return;
    }
    const known = Array.from({ length: end - start + 1 }, (_, at) => blocks.mediaAt(start + at)?.id);
    const ids = known.filter((id) => id !== undefined);
    setSelected(ids, true);
    if (ids.length === known.length) return;
    idsBetween(start, end).then(
      (all) => setSelected(all, true),
      (error: unknown) => showProblem(error, 'The range was not selected as a whole.'),
    );
  };

  const toggle = (index: number): void => {
    const media = blocks.mediaAt(index);
    if (!media) return;
    anchor.current = index;
    toggleSelected(media.id);
  };

  const idsWithin = (area: Area): readonly number[] =>
    [...blocks.loaded].flatMap(([block, { media, layout }]) => {
      const topPx = scroll.topOf(block);
      const moved = { ...area, topPx: area.topPx - topPx, bottomPx: area.bottomPx - topPx };
      return boxesWithin(layout, moved).flatMap((at) => media[at]?.id ?? []);
    });
  const marquee = useMarquee(element, {
    offsetPx: scroll.offsetPx,
    scrollBy: (deltaPx) => scroll.scrollTo(scroll.offsetPx() + deltaPx),
    onStart(isAdding) {
      const now = currentSelection();
      before.current = isAdding && now.kind === 'assets' ? [...now.ids] : [];
    },
    onArea: (area) => selectOnly([...before.current, ...idsWithin(area)]),
  });

  const endPress = () => clearTimeout(press.current);
  return {
    area: marquee.area,
    toggle,
    /** With Shift and an arrow: from where the selection began to here. */
    extend(from: number, to: number): void {
      anchor.current ??= from;
      selectRange(to);
    },
    everything: () => selectEverything({ filter: request.filter, total }),
    takeDragged: (): boolean => {
      const wasPressed = wasLongPress.current;
      wasLongPress.current = false;
      return marquee.takeDragged() || wasPressed;
    },
    /** Answers whether the click selected; else it opens. */
    click(
      index: number,
      how: { readonly isCheck: boolean; readonly isRange: boolean; readonly isToggle: boolean },
    ): boolean {
      if (how.isRange && anchor.current !== undefined) selectRange(index);
      else if (how.isCheck || how.isToggle || how.isRange || countSelected(currentSelection()) > 0) toggle(index);
      else return false;
      return true;
    },
    handlers: {
      ...marquee.handlers,
      onPointerDown(event: PointerEvent) {
        marquee.handlers.onPointerDown(event);
        wasLongPress.current = false;
        if (event.pointerType === 'mouse' || !(event.target instanceof Element)) return;
        const index = Number(event.target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? Number.NaN);
        press.current = setTimeout(() => {
          const media = blocks.mediaAt(index);
          if (!media || isSelected(media.id)) return;
          wasLongPress.current = true;
          onActiveChange(index);
          toggle(index);
        }, LONG_PRESS_MS);
      },
      onPointerUp() {
        endPress();
        marquee.handlers.onPointerUp();
      },
      onPointerCancel() {
        endPress();
        marquee.handlers.onPointerCancel();
      },
      onContextMenu(event: { preventDefault(): void }) {
        if (wasLongPress.current) event.preventDefault();
      },
    },
  };
}

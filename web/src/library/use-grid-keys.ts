import { type RefObject, useRef } from 'react';
import { type MediaHit, PAGE_SIZE } from '../api/media-search.ts';
import type { Shortcut } from '../app/shortcut-registry.ts';
import { useShortcuts } from '../app/shortcuts.tsx';
import { nearestInRow, neighbourInColumn } from './justified-layout.ts';
import { blockOfIndex } from './result-blocks.ts';
import { clearSelection, countSelected, currentSelection } from './selection.ts';
import type { useGridBlocks } from './use-grid-blocks.ts';
import type { GridScroll } from './use-grid-scroll.ts';
import type { GridSelecting } from './use-grid-selecting.ts';

const GROUP = 'Library';
const MARGIN_PX = 8;

/** The keys of the grid. They work when the grid has the focus, or nothing has. */
export function useGridKeys(options: {
  readonly element: RefObject<HTMLElement | null>;
  readonly scroll: GridScroll;
  readonly blocks: ReturnType<typeof useGridBlocks>;
  readonly total: number;
  readonly activeIndex: number;
  readonly onActiveChange: (index: number) => void;
  readonly onOpen: (media: MediaHit, index: number) => void;
  readonly onPreview: (index: number) => void;
  readonly selecting: GridSelecting;
}) {
  const { element, scroll, blocks, total, activeIndex, onActiveChange, onOpen, onPreview, selecting } = options;

  /** The result above or below, over the edges of blocks too. */
  const vertical = (direction: -1 | 1): number => {
    const block = blockOfIndex(activeIndex);
    const here = blocks.loaded.get(block);
    const at = activeIndex - block * PAGE_SIZE;
    const box = here?.layout.boxes[at];
    if (!here || !box) return activeIndex + direction;
    const within = neighbourInColumn(here.layout, at, direction);
    if (within !== undefined) return block * PAGE_SIZE + within;
    const next = blocks.loaded.get(block + direction);
    const row = direction > 0 ? next?.layout.rows[0] : next?.layout.rows.at(-1);
    if (!next || !row) return (block + direction) * PAGE_SIZE + (direction > 0 ? 0 : PAGE_SIZE - 1);
    return (block + direction) * PAGE_SIZE + nearestInRow(next.layout, row, box.leftPx + box.widthPx / 2);
  };

  const show = (index: number): void => {
    const block = blockOfIndex(index);
    const box = blocks.loaded.get(block)?.layout.boxes[index - block * PAGE_SIZE];
    const topPx = scroll.topOf(block) + (box?.topPx ?? 0);
    const bottomPx = topPx + (box?.heightPx ?? 200);
    const offsetPx = scroll.offsetPx();
    if (topPx < offsetPx + MARGIN_PX) scroll.scrollTo(topPx - MARGIN_PX);
    else if (bottomPx > offsetPx + scroll.viewPx - MARGIN_PX) scroll.scrollTo(bottomPx - scroll.viewPx + MARGIN_PX);
  };

  /** What is to be in sight although it is not laid out yet. */
  const awaited = useRef<number | undefined>(undefined);
  const go = (to: number, event: KeyboardEvent): void => {
    const index = Math.min(total - 1, Math.max(0, to));
    if (total === 0) return;
    if (event.shiftKey && activeIndex >= 0) selecting.extend(activeIndex, index);
    onActiveChange(index);
    show(index);
    awaited.current = blocks.mediaAt(index) ? undefined : index;
  };
  const page = () => {
    const perView = Math.max(1, scroll.viewPx / (scroll.topOf(1) / PAGE_SIZE));
    return Math.max(1, Math.round(perView * 0.8));
  };
  const first = activeIndex < 0;
  const arrows: readonly (readonly [string, string, () => number])[] = [
    ['arrowleft', 'Previous', () => (first ? 0 : activeIndex - 1)],
    ['arrowright', 'Next', () => (first ? 0 : activeIndex + 1)],
    ['arrowup', 'Row above', () => (first ? 0 : vertical(-1))],
    ['arrowdown', 'Row below', () => (first ? 0 : vertical(1))],
    ['pageup', 'A view up', () => activeIndex - page()],
    ['pagedown', 'A view down', () => activeIndex + page()],
    ['home', 'First result', () => 0],
    ['end', 'Last result', () => total - 1],
  ];
  const isFor = (focused: Element) => focused === document.body || (element.current?.contains(focused) ?? false);
  const shortcut = (keys: string, label: string, run: Shortcut['run']): Shortcut => ({
    keys,
    label,
    group: GROUP,
    run,
    isFor,
    repeats: true,
  });
  useShortcuts([
    ...arrows.flatMap(([keys, label, to]) => [
      shortcut(keys, label, (event) => go(to(), event)),
      shortcut(`shift+${keys}`, `${label}, selecting`, (event) => go(to(), event)),
    ]),
    shortcut('enter', 'Open', () => {
      const media = blocks.mediaAt(activeIndex);
      if (media) onOpen(media, activeIndex);
    }),
    shortcut('space', 'Preview', () => onPreview(Math.max(0, activeIndex))),
    shortcut('x', 'Select or not', () => selecting.toggle(activeIndex)),
    shortcut('a', 'Select everything found', selecting.everything),
    shortcut('escape', 'Select nothing', () => {
      if (countSelected(currentSelection()) > 0) clearSelection();
    }),
  ]);

  return {
    /** To be called when a block was laid out. */
    onLaidOut(block: number): void {
      const index = awaited.current;
      if (index === undefined || blockOfIndex(index) !== block) return;
      awaited.current = undefined;
      show(index);
    },
  };
}

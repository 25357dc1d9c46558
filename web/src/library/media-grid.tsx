import { type MouseEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type MediaHit, PAGE_SIZE, type SearchRequest } from '../api/media-search.ts';
import { GridBlock, type LoadedBlock } from './grid-block.tsx';
import { recallPlace, rememberPlace } from './grid-memory.ts';
import { estimateHeightPx } from './justified-layout.ts';
import { blockOfIndex, countBlocks } from './result-blocks.ts';
import { tileId } from './tile.tsx';
import { useElementSize } from './use-element-size.ts';
import { useGridBlocks } from './use-grid-blocks.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useGridScroll } from './use-grid-scroll.ts';
import { useGridSelecting } from './use-grid-selecting.ts';
import type { Area } from './use-marquee.ts';
import './media-grid.css';

/** Of most libraries; only the scrollbar of what was not looked at yet depends on it. */
const AVERAGE_RATIO = 1.4;
const PHONE_PX = 600;

export type MediaGridProps = {
  readonly request: SearchRequest;
  readonly total: number;
  readonly onOpen: (media: MediaHit, index: number) => void;
  readonly onPreview: (index: number) => void;
  /** Where the keys are; the preview moves it too. */
  readonly activeIndex: number;
  readonly onActiveChange: (index: number) => void;
};

/** All results of a search, in rows that fill the width. Give it a `key` that changes with the request. */
export function MediaGrid(props: MediaGridProps) {
  const element = useRef<HTMLDivElement>(null);
  const size = useElementSize(element);
  return (
    <div ref={element} className="library-grid">
      {size.widthPx > 0 && <SizedGrid key={size.widthPx} {...props} element={element} {...size} />}
    </div>
  );
}

function SizedGrid({
  request,
  total,
  onOpen,
  onPreview,
  activeIndex,
  onActiveChange,
  element,
  widthPx,
  heightPx: viewPx,
}: MediaGridProps & {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly widthPx: number;
  readonly heightPx: number;
}) {
  const isPhone = widthPx < PHONE_PX;
  const layoutOptions = useMemo(
    () => ({ widthPx, rowHeightPx: isPhone ? 118 : 204, gapPx: isPhone ? 2 : 4 }),
    [isPhone, widthPx],
  );
  const placeKey = JSON.stringify(request);
  const count = countBlocks(total);
  const estimatePx = estimateHeightPx(PAGE_SIZE, { ...layoutOptions, averageRatio: AVERAGE_RATIO });
  const [startPx] = useState(() => {
    const place = recallPlace(placeKey);
    if (!place) return 0;
    return place.widthPx === widthPx ? place.offsetPx : blockOfIndex(place.firstIndex) * estimatePx;
  });
  const scroll = useGridScroll(element, { count, estimatePx, viewPx, startPx });
  const blocks = useGridBlocks(request, total);
  const { loaded } = blocks;

  const { setBlockHeight } = scroll;
  const laidOut = useRef<((block: number) => void) | undefined>(undefined);
  const onLayout = useCallback(
    (block: number, given: LoadedBlock | undefined) => {
      if (given) loaded.set(block, given);
      else loaded.delete(block);
      if (!given) return;
      setBlockHeight(block, given.layout.heightPx);
      laidOut.current?.(block);
    },
    [loaded, setBlockHeight],
  );

  useEffect(() => {
    const offsetPx = scroll.offsetPx();
    rememberPlace(placeKey, { offsetPx, widthPx, firstIndex: scroll.blockAt(offsetPx) * PAGE_SIZE, activeIndex });
  });

  const selecting = useGridSelecting({ element, request, total, scroll, blocks, onActiveChange });
  const keys = useGridKeys({
    element,
    scroll,
    blocks,
    total,
    activeIndex,
    onActiveChange,
    onOpen,
    onPreview,
    selecting,
  });

  useEffect(() => {
    laidOut.current = keys.onLaidOut;
  });

  const onClick = (event: MouseEvent) => {
    if (selecting.takeDragged()) return;
    const { target } = event;
    const tile = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
    const index = Number(tile?.dataset['index'] ?? Number.NaN);
    const media = blocks.mediaAt(index);
    if (!media || !(target instanceof Element)) return;
    const hasSelected = selecting.click(index, {
      isCheck: target.closest('[data-check]') !== null,
      isRange: event.shiftKey,
      isToggle: event.ctrlKey || event.metaKey,
    });
    onActiveChange(index);
    if (!hasSelected) onOpen(media, index);
  };

  const first = scroll.blockAt(Math.max(0, scroll.fromPx));
  const last = scroll.blockAt(Math.max(0, scroll.toPx));
  const visible = total === 0 ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- useGridKeys has them
    <div
      className="library-grid-box"
      style={{ height: scroll.boxPx }}
      // Keys are those of the page (useGridKeys), so that they work wherever nothing else has the focus.
      role="listbox"
      aria-label="Results"
      aria-multiselectable
      aria-activedescendant={activeIndex >= 0 ? tileId(activeIndex) : undefined}
      tabIndex={0}
      // Whoever comes by the Tab key sees where the arrows begin.
      onFocus={({ currentTarget }) => {
        if (activeIndex < 0 && total > 0 && currentTarget.matches(':focus-visible')) onActiveChange(first * PAGE_SIZE);
      }}
      onClick={onClick}
      {...selecting.handlers}
    >
      {visible.map((block) => {
        const topPx = scroll.topOf(block);
        return (
          <GridBlock
            key={block}
            slices={blocks.slicesAt(block)}
            isLast={block === count - 1}
            blockIndex={block}
            firstIndex={block * PAGE_SIZE}
            total={total}
            topPx={topPx - scroll.shiftPx}
            heightPx={scroll.topOf(block + 1) - topPx - layoutOptions.gapPx}
            fromPx={scroll.fromPx - topPx}
            toPx={scroll.toPx - topPx}
            layoutOptions={layoutOptions}
            isWaiting={scroll.isFast}
            activeIndex={activeIndex}
            onLayout={onLayout}
          />
        );
      })}
      {selecting.area && <Marquee area={selecting.area} shiftPx={scroll.shiftPx} />}
    </div>
  );
}

function Marquee({ area, shiftPx }: { readonly area: Area; readonly shiftPx: number }) {
  const { leftPx, topPx, rightPx, bottomPx } = area;
  const style = { left: leftPx, top: topPx - shiftPx, width: rightPx - leftPx, height: bottomPx - topPx };
  return <div className="library-marquee" style={style} />;
}

import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createBlockPositions } from './block-positions.ts';
import { boxHeightPx, placeAfterScroll, type ScrollSpace, shareOfPlace } from './scroll-space.ts';

/** Rows are rendered in steps of this many pixels: between them the browser scrolls alone. */
const STEP_PX = 200;
/** Above this speed, in views a second, nothing is loaded: it would be gone before it comes. */
const FAST_VIEWS_PER_SECOND = 12;
const REST_MS = 90;

export type GridScroll = {
  /** What is scrolled is this high. */
  readonly boxPx: number;
  /** The part of the whole that is rendered. */
  readonly fromPx: number;
  readonly toPx: number;
  /** From places in the whole to places in the box: subtract it. */
  readonly shiftPx: number;
  readonly isFast: boolean;
  readonly viewPx: number;
  topOf(block: number): number;
  blockAt(offsetPx: number): number;
  /** The place at the upper edge, now. */
  offsetPx(): number;
  setBlockHeight(block: number, heightPx: number): void;
  scrollTo(offsetPx: number): void;
};

type Place = { offsetPx: number; scrollTopPx: number; timeMs: number };

/**
 * Scrolls through blocks of any number and height. `startPx` is where it begins; another `count` or `estimatePx` begins anew.
 */
export function useGridScroll(
  element: RefObject<HTMLElement | null>,
  options: { readonly count: number; readonly estimatePx: number; readonly viewPx: number; readonly startPx: number },
): GridScroll {
  const { count, estimatePx, viewPx, startPx } = options;
  const positions = useMemo(() => createBlockPositions(count, estimatePx), [count, estimatePx]);
  const place = useRef<Place>({ offsetPx: startPx, scrollTopPx: 0, timeMs: 0 });
  const [shown, setShown] = useState({ stepPx: startPx, shiftPx: 0, isFast: false, version: 0 });

  const spaceNow = useCallback((): ScrollSpace => ({ fullPx: positions.fullPx, viewPx }), [positions, viewPx]);

  const show = useCallback((given: { readonly isFast?: boolean; readonly changed?: boolean }) => {
    const { offsetPx, scrollTopPx } = place.current;
    setShown((last) => {
      const stepPx = Math.round(offsetPx / STEP_PX) * STEP_PX;
      const shiftPx = offsetPx - scrollTopPx;
      const isFast = given.isFast ?? last.isFast;
      const same = last.stepPx === stepPx && last.shiftPx === shiftPx && last.isFast === isFast;
      if (same && given.changed !== true) return last;
      return { stepPx, shiftPx, isFast, version: last.version + 1 };
    });
  }, []);

  const moveTo = useCallback(
    (offsetPx: number) => {
      const scrolled = element.current;
      if (!scrolled) return;
      const space = spaceNow();
      const target = Math.min(Math.max(0, offsetPx), Math.max(0, space.fullPx - space.viewPx));
      const scrollTopPx = space.fullPx === boxHeightPx(space) ? target : shareOfPlace(target, space);
      place.current = { offsetPx: target, scrollTopPx, timeMs: performance.now() };
      scrolled.scrollTop = scrollTopPx;
      show({ isFast: false, changed: true });
    },
    [element, show, spaceNow],
  );

  // The box has its height from here on; only then can it be scrolled to where one was.
  const started = useRef<unknown>(undefined);
  useLayoutEffect(() => {
    if (started.current === positions || viewPx === 0) return;
    const isFirst = started.current === undefined;
    started.current = positions;
    moveTo(isFirst ? startPx : place.current.offsetPx);
  }, [moveTo, positions, startPx, viewPx]);

  useEffect(() => {
    const scrolled = element.current;
    if (!scrolled) return undefined;
    let rest: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const { scrollTop } = scrolled;
      const last = place.current;
      // What was set here comes back as an event, perhaps rounded.
      if (Math.abs(scrollTop - last.scrollTopPx) < 1) return;
      const timeMs = performance.now();
      const offsetPx = placeAfterScroll(last, scrollTop, spaceNow());
      const speed =
        Math.abs(offsetPx - last.offsetPx) / Math.max(1, viewPx) / Math.max(0.001, (timeMs - last.timeMs) / 1000);
      place.current = { offsetPx, scrollTopPx: scrollTop, timeMs };
      show({ isFast: speed > FAST_VIEWS_PER_SECOND });
      clearTimeout(rest);
      rest = setTimeout(() => show({ isFast: false }), REST_MS);
    };
    scrolled.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      scrolled.removeEventListener('scroll', onScroll);
      clearTimeout(rest);
    };
  }, [element, show, spaceNow, viewPx]);

  const setBlockHeight = useCallback(
    (block: number, heightPx: number) => {
      const topPx = positions.topPx(block);
      const oldPx = positions.heightPx(block);
      const grownPx = positions.setHeight(block, heightPx);
      if (grownPx === 0) return;
      const { offsetPx } = place.current;
      // What is looked at stays where it is, whatever grows above it.
      const within = offsetPx > topPx && offsetPx < topPx + oldPx;
      const target = within
        ? topPx + ((offsetPx - topPx) / oldPx) * heightPx
        : offsetPx >= topPx + oldPx
          ? offsetPx + grownPx
          : offsetPx;
      const space = spaceNow();
      if (target > space.fullPx - space.viewPx) {
        // The end has come nearer than where one was.
        moveTo(target);
        return;
      }
      if (target === offsetPx) {
        show({ changed: true });
        return;
      }
      if (space.fullPx === boxHeightPx(space)) moveTo(target);
      else {
        place.current = { ...place.current, offsetPx: target };
        show({ changed: true });
      }
    },
    [moveTo, positions, show, spaceNow],
  );

  return {
    boxPx: boxHeightPx(spaceNow()),
    // A view above and one and a half below: pictures are there before they are reached.
    fromPx: shown.stepPx - viewPx,
    toPx: shown.stepPx + viewPx * 2.5,
    shiftPx: shown.shiftPx,
    isFast: shown.isFast,
    viewPx,
    topOf: positions.topPx,
    blockAt: positions.blockAt,
    offsetPx: () => place.current.offsetPx,
    setBlockHeight,
    scrollTo: moveTo,
  };
}

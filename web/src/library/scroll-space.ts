/**
 * A million pictures are some 60 million pixels high; browsers end at 17 to 33 million. What is scrolled is therefore a
 * shorter box. While one scrolls by wheel, finger or key, a pixel there is a pixel here; a leap, which only the scrollbar
 * makes, is taken as a share of the whole. `shift` is the difference between both, and changes with leaps alone.
 */
export type ScrollSpace = {
  /** Of everything, as if there were no limit. */
  readonly fullPx: number;
  readonly viewPx: number;
};

/** Well below what any browser can do, and so far that nobody scrolls it by hand. */
export const MAX_BOX_PX = 6_000_000;
/** Scrolling by hand moves less than this many views between two frames. */
const LEAP_VIEWS = 3;

export const boxHeightPx = ({ fullPx }: ScrollSpace): number => Math.min(fullPx, MAX_BOX_PX);

/** The furthest place that can be scrolled to. */
const endPx = ({ fullPx, viewPx }: ScrollSpace): number => Math.max(0, fullPx - viewPx);
const boxEndPx = (space: ScrollSpace): number => Math.max(0, boxHeightPx(space) - space.viewPx);

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** The place that belongs to a position of the scrollbar, by its share. */
export function placeOfShare(scrollTopPx: number, space: ScrollSpace): number {
  const boxEnd = boxEndPx(space);
  return boxEnd === 0 ? 0 : (clamp(scrollTopPx, boxEnd) / boxEnd) * endPx(space);
}

/** The position of the scrollbar that shows best where a place is. */
export function shareOfPlace(offsetPx: number, space: ScrollSpace): number {
  const end = endPx(space);
  return end === 0 ? 0 : Math.round((clamp(offsetPx, end) / end) * boxEndPx(space));
}

/**
 * Where one is after the browser has scrolled from one position of the box to another.
 */
export function placeAfterScroll(
  from: { readonly offsetPx: number; readonly scrollTopPx: number },
  scrollTopPx: number,
  space: ScrollSpace,
): number {
  if (space.fullPx <= MAX_BOX_PX) return scrollTopPx;
  const movedPx = scrollTopPx - from.scrollTopPx;
  // At both ends the scrollbar is right, whatever has been added up on the way.
  if (scrollTopPx <= 0) return 0;
  if (scrollTopPx >= boxEndPx(space)) return endPx(space);
  if (Math.abs(movedPx) > LEAP_VIEWS * space.viewPx) return placeOfShare(scrollTopPx, space);
  return clamp(from.offsetPx + movedPx, endPx(space));
}

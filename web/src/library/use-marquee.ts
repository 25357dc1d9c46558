import { type PointerEvent, type RefObject, useRef, useState } from 'react';

export type Area = {
  readonly leftPx: number;
  readonly topPx: number;
  readonly rightPx: number;
  readonly bottomPx: number;
};

/** A pointer that moves less than this has clicked. */
const THRESHOLD_PX = 6;
/** Near an edge the grid scrolls on, faster the nearer. */
const EDGE_PX = 48;
const MAX_STEP_PX = 24;

type Drag = {
  readonly pointerId: number;
  readonly startX: number;
  readonly startY: number;
  isOn: boolean;
  x: number;
  y: number;
};

/**
 * A rectangle that is drawn with the mouse over what scrolls, in places of the whole (not of the window). `onArea` gets it
 * with every move; `isAdding` when Shift, Ctrl or ⌘ was held: then what was selected before stays.
 */
export function useMarquee(
  element: RefObject<HTMLElement | null>,
  options: {
    /** The place in the whole at the upper edge of the element. */
    readonly offsetPx: () => number;
    readonly scrollBy: (deltaPx: number) => void;
    readonly onStart: (isAdding: boolean) => void;
    readonly onArea: (area: Area) => void;
  },
) {
  const drag = useRef<Drag | undefined>(undefined);
  const frame = useRef(0);
  /** A click that ends a drag opens nothing. */
  const hasDragged = useRef(false);
  const [shown, setShown] = useState<Area | undefined>(undefined);

  const placeOf = (x: number, y: number) => {
    const bounds = element.current?.getBoundingClientRect();
    return { xPx: x - (bounds?.left ?? 0), yPx: y - (bounds?.top ?? 0) + options.offsetPx() };
  };

  const update = (from: { readonly xPx: number; readonly yPx: number }) => {
    const now = drag.current;
    if (!now) return;
    const to = placeOf(now.x, now.y);
    const area = {
      leftPx: Math.min(from.xPx, to.xPx),
      rightPx: Math.max(from.xPx, to.xPx),
      topPx: Math.min(from.yPx, to.yPx),
      bottomPx: Math.max(from.yPx, to.yPx),
    };
    setShown(area);
    options.onArea(area);
  };

  const begin = (now: Drag, on: Element, isAdding: boolean) => {
    now.isOn = true;
    hasDragged.current = true;
    on.setPointerCapture(now.pointerId);
    const from = placeOf(now.startX, now.startY);
    options.onStart(isAdding);
    const step = () => {
      if (!drag.current?.isOn) return;
      const bounds = element.current?.getBoundingClientRect();
      if (bounds) {
        const above = bounds.top + EDGE_PX - drag.current.y;
        const below = drag.current.y - (bounds.bottom - EDGE_PX);
        const pull = above > 0 ? -above : Math.max(0, below);
        if (pull !== 0) options.scrollBy(Math.sign(pull) * Math.min(MAX_STEP_PX, Math.abs(pull) / 2));
      }
      update(from);
      frame.current = requestAnimationFrame(step);
    };
    frame.current = requestAnimationFrame(step);
  };

  const end = () => {
    cancelAnimationFrame(frame.current);
    drag.current = undefined;
    setShown(undefined);
  };

  return {
    area: shown,
    /** Whether the click that follows belongs to a drag; asks once. */
    takeDragged(): boolean {
      const was = hasDragged.current;
      hasDragged.current = false;
      return was;
    },
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        hasDragged.current = false;
        if (event.pointerType !== 'mouse' || event.button !== 0) return;
        const { pointerId, clientX: x, clientY: y } = event;
        drag.current = { pointerId, startX: x, startY: y, isOn: false, x, y };
      },
      onPointerMove: (event: PointerEvent) => {
        const now = drag.current;
        if (!now || now.pointerId !== event.pointerId) return;
        now.x = event.clientX;
        now.y = event.clientY;
        const moved = Math.hypot(now.x - now.startX, now.y - now.startY);
        if (!now.isOn && moved > THRESHOLD_PX)
          begin(now, event.currentTarget, event.shiftKey || event.ctrlKey || event.metaKey);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };
}

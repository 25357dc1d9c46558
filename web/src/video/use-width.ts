import { type RefObject, useLayoutEffect, useState } from 'react';

/** The width of an element in CSS pixels, as it changes; 0 before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(watched);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

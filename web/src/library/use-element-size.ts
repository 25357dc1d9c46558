import { type RefObject, useLayoutEffect, useState } from 'react';

/** The inner size of an element, in whole pixels; 0 before it is known. */
export function useElementSize(element: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return undefined;
    const read = () => {
      const next = { widthPx: observed.clientWidth, heightPx: observed.clientHeight };
      setSize((last) => (last.widthPx === next.widthPx && last.heightPx === next.heightPx ? last : next));
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(observed);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

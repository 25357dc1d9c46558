import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query of CSS holds. */
export function useMediaQuery(text: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(text);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [text],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(text).matches);
}

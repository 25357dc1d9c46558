import { useCallback, useRef } from 'react';

/**
 * A place for the focus when dialogs that followed each other have ended: the last one cannot give it back, because what opened
 * it was in the one before. `tabIndex={-1}` lets the element take it.
 */
export function useFocusHome() {
  const ref = useRef<HTMLElement>(null);
  const focusHome = useCallback(() => {
    // Dialogs give the focus back in the next frame; what they have given back stays where it is.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
      }),
    );
  }, []);
  return { ref, focusHome };
}

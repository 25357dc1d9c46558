import { useEffect } from 'react';

/** Everything that opens above the page. What has the focus in there is gone when it closes. */
const ABOVE = '.ui-scrim, .ui-popover';

let last: HTMLElement | undefined;

function onFocusIn({ target }: FocusEvent): void {
  if (target instanceof HTMLElement && !target.closest(ABOVE)) last = target;
}

function onFocusOut({ target, relatedTarget }: FocusEvent): void {
  // Another window takes the focus only for a while.
  if (target === last && relatedTarget === null && document.hasFocus()) last = undefined;
}

/** Keeps in mind what had the focus before anything opened above the page. Once, before the first render. */
export function startReturnFocus(): void {
  document.addEventListener('focusin', onFocusIn);
  document.addEventListener('focusout', onFocusOut);
}

/**
 * In everything that opens above the page: gives the focus back when it closes. React Aria does so where what had the focus is
 * still there; not where one dialog took the place of another, or came out of a menu.
 */
export function ReturnFocus() {
  useEffect(
    () => () => {
      // React Aria gives it back in the next frame, and what opens next takes it then.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          if (document.activeElement === document.body && last?.isConnected) last.focus({ preventScroll: true });
        }),
      );
    },
    [],
  );
  return null;
}

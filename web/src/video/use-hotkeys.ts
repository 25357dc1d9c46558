import { useState } from 'react';
import { type Hotkey, readHotkeys } from './hotkeys.ts';

const STORED = 'touchline.hotkeys';

/** The hotkeys of this browser. Where nothing can be stored they last as long as the page. */
export function useStoredHotkeys(): readonly [readonly Hotkey[], (hotkeys: readonly Hotkey[]) => void] {
  const [hotkeys, setHotkeys] = useState(() => {
    try {
      return readHotkeys(localStorage.getItem(STORED));
    } catch {
      return readHotkeys(null);
    }
  });
  const change = (next: readonly Hotkey[]): void => {
    setHotkeys(next);
    try {
      localStorage.setItem(STORED, JSON.stringify(next));
    } catch {
      // As above.
    }
  };
  return [hotkeys, change];
}

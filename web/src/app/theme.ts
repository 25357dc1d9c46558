import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';

/** The same key as in index.html, which sets the theme before the first paint. */
const STORED_CHOICE = 'touchline.theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

let choice: ThemeChoice = readChoice();

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORED_CHOICE);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

function apply(): void {
  const isDark = choice === 'dark' || (choice === 'system' && system.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
}

/** Applies the theme and follows the system's. Once, before the first render. */
export function startTheme(): void {
  apply();
  system.addEventListener('change', apply);
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    if (next === 'system') localStorage.removeItem(STORED_CHOICE);
    else localStorage.setItem(STORED_CHOICE, next);
  } catch {
    // Then it holds until the page is left.
  }
  apply();
  for (const listener of listeners) listener();
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => choice,
  );
}

import { useLocation } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Search } from './router.tsx';

const readTexts = (searchStr: string): Search => Object.fromEntries(new URLSearchParams(searchStr));

/**
 * What the address of a screen holds behind `?`, as soon as it changes. While another screen loads, the address is that one's
 * already, though this one is still shown: then it is what it was last.
 */
export function useOwnSearch(path: string): Search {
  const { pathname, searchStr } = useLocation();
  const isOwn = pathname === path;
  const [last, setLast] = useState(isOwn ? searchStr : '');
  if (isOwn && last !== searchStr) setLast(searchStr);
  const own = isOwn ? searchStr : last;
  return useMemo(() => readTexts(own), [own]);
}

/** The same outside of a render, where changes that follow each other at once add up. Undefined once the way leads elsewhere. */
export const ownSearchNow = (path: string): Search | undefined =>
  window.location.pathname === path ? readTexts(window.location.search) : undefined;

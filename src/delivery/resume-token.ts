/**
 * What a target gave to be gone on from, as a delivery keeps it. When the bytes have become others it is kept on, marked, until the
 * target has been told: the try that found out may not live to do so.
 */
const STALE = 'stale ';

export const staleToken = (kept: string): string => (kept.startsWith(STALE) ? kept : `${STALE}${kept}`);

export function readToken(kept: string): { readonly token: string; readonly isStale: boolean } {
  const isStale = kept.startsWith(STALE);
  return { token: isStale ? kept.slice(STALE.length) : kept, isStale };
}

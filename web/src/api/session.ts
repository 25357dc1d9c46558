import { useSyncExternalStore } from 'react';

/**
 * The API key of this page. It is kept in memory, or in this tab's session storage where the user wants it to outlive a
 * reload; never in the address, a cookie or local storage.
 */
export type Session = { readonly key: string };
export type SignedOutReason = 'never' | 'left' | 'refused';

const STORED_KEY = 'touchline.key';

let session: Session | undefined = readStored();
let reason: SignedOutReason = 'never';
const listeners = new Set<() => void>();

function readStored(): Session | undefined {
  try {
    const key = sessionStorage.getItem(STORED_KEY);
    return key === null ? undefined : { key };
  } catch {
    // Storage is switched off: then keys live in memory only.
    return undefined;
  }
}

function store(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(STORED_KEY);
    else sessionStorage.setItem(STORED_KEY, key);
  } catch {
    // As above.
  }
}

function change(next: Session | undefined): void {
  session = next;
  for (const listener of listeners) listener();
}

export function currentSession(): Session | undefined {
  return session;
}

export function whySignedOut(): SignedOutReason {
  return reason;
}

export function signIn(given: { readonly key: string; readonly keepInTab: boolean }): void {
  store(given.keepInTab ? given.key : undefined);
  change({ key: given.key });
}

/** Forgets the key. `refused` when the service no longer takes it. */
export function signOut(why: SignedOutReason): void {
  reason = why;
  store(undefined);
  change(undefined);
}

export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, currentSession);
}

import { useSyncExternalStore } from 'react';
import type { Schemas } from '../api/client.ts';
import { onSessionChange } from '../api/session.ts';

export type Filter = Schemas['Filter'];

/**
 * The assets that are chosen, for what is done with many at once. It outlives the screen: one may look at an asset and come
 * back. `everything` is all that a search finds, also what was never loaded; the API takes the filter itself.
 */
export type Selection =
  | { readonly kind: 'assets'; readonly ids: ReadonlySet<number> }
  | { readonly kind: 'everything'; readonly filter: Filter; readonly total: number };

const NOTHING: Selection = { kind: 'assets', ids: new Set() };

let selection: Selection = NOTHING;
const listeners = new Set<() => void>();

function change(next: Selection): void {
  selection = next;
  for (const listener of listeners) listener();
}

onSessionChange(() => change(NOTHING));

export function currentSelection(): Selection {
  return selection;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The selection; the component is rendered again whenever it changes. */
export function useSelection(): Selection {
  return useSyncExternalStore(subscribe, currentSelection);
}

/** Whether one asset is selected; the component is rendered again only when that changes. */
export function useIsSelected(id: number): boolean {
  return useSyncExternalStore(subscribe, () => isSelected(id));
}

export function isSelected(id: number): boolean {
  return selection.kind === 'everything' || selection.ids.has(id);
}

export function countSelected(given: Selection): number {
  return given.kind === 'everything' ? given.total : given.ids.size;
}

export function clearSelection(): void {
  change(NOTHING);
}

export function selectEverything(given: { readonly filter: Filter; readonly total: number }): void {
  change({ kind: 'everything', ...given });
}

/** Replaces the selection by these. */
export function selectOnly(ids: Iterable<number>): void {
  change({ kind: 'assets', ids: new Set(ids) });
}

/** Adds or takes away; out of `everything` one cannot take single assets, so it begins anew with these. */
export function setSelected(ids: Iterable<number>, isOn: boolean): void {
  const next = new Set(selection.kind === 'assets' ? selection.ids : []);
  for (const id of ids) {
    if (isOn) next.add(id);
    else next.delete(id);
  }
  change({ kind: 'assets', ids: next });
}

export function toggleSelected(id: number): void {
  setSelected([id], !isSelected(id));
}

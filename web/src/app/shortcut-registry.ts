/**
 * Every shortcut of the UI: who listens, and what `?` shows. Keys are written `mod+k` (Ctrl, ⌘ on a Mac), `shift+arrowright`,
 * `?`, or `g l` for one after the other.
 */
export type Shortcut = {
  readonly keys: string;
  /** What it does, in the imperative. */
  readonly label: string;
  /** The heading under which `?` shows it. */
  readonly group: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Also while a text is being typed. */
  readonly inFields?: boolean;
  /** Also when the key is held down. */
  readonly repeats?: boolean;
  /** Only where the focus is on this element; keys such as Enter and the arrows belong to a button that has it. */
  readonly isFor?: (focused: Element) => boolean;
};

type Entry = { readonly shortcut: Shortcut; readonly order: number };

/** How long after the first key of two the second may come. */
const SEQUENCE_MS = 1000;

const entries = new Map<symbol, Entry>();
const listeners = new Set<() => void>();
let order = 0;
let snapshot: readonly Shortcut[] = [];
let pending: { readonly stroke: string; readonly untilMs: number } | undefined;

function changed(): void {
  snapshot = [...entries.values()].sort((a, b) => a.order - b.order).map(({ shortcut }) => shortcut);
  for (const listener of listeners) listener();
}

/** Adds shortcuts until the answer is called. Of two with the same keys the later one runs. */
export function addShortcuts(shortcuts: readonly Shortcut[]): () => void {
  const ids = shortcuts.map((shortcut) => {
    const id = Symbol(shortcut.keys);
    order += 1;
    entries.set(id, { shortcut, order });
    return id;
  });
  changed();
  return () => {
    for (const id of ids) entries.delete(id);
    changed();
  };
}

export function listShortcuts(): readonly Shortcut[] {
  return snapshot;
}

export function onShortcutsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A key event as it is written in the registry. Shift is part of what a printed character is, so `?` is not `shift+?`. */
export function strokeOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const key = event.key === ' ' ? 'space' : event.key.toLowerCase();
  const isPrinted = event.key.length === 1 && event.key !== ' ' && event.key.toLowerCase() === event.key.toUpperCase();
  return [
    event.ctrlKey || event.metaKey ? 'mod' : '',
    event.altKey ? 'alt' : '',
    event.shiftKey && !isPrinted ? 'shift' : '',
    key,
  ]
    .filter((part) => part !== '')
    .join('+');
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement)
    return true;
  return (
    target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button', 'submit'].includes(target.type)
  );
}

/** What is open above the page keeps the keys to itself: a dialog, a menu, a list of suggestions. */
function isCovered(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
}

function findFor(stroke: string, event: KeyboardEvent): Shortcut | undefined {
  const typing = isTyping(event.target);
  return snapshot.findLast(
    (one) =>
      one.keys === stroke &&
      (!typing || one.inFields === true) &&
      (!event.repeat || one.repeats === true) &&
      (!one.isFor || (event.target instanceof Element && one.isFor(event.target))),
  );
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || isCovered(event.target)) return;
  const stroke = strokeOf(event);
  const now = event.timeStamp;
  const sequence = pending && pending.untilMs > now ? `${pending.stroke} ${stroke}` : undefined;
  pending = undefined;
  const found = (sequence === undefined ? undefined : findFor(sequence, event)) ?? findFor(stroke, event);
  if (found) {
    event.preventDefault();
    found.run(event);
    return;
  }
  if (!isTyping(event.target) && snapshot.some((one) => one.keys.startsWith(`${stroke} `))) {
    pending = { stroke, untilMs: now + SEQUENCE_MS };
  }
}

/** Listens for the whole page. Once, before the first render. */
export function startShortcuts(): void {
  document.addEventListener('keydown', onKeyDown);
}

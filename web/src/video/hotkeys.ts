/**
 * Keys that log an action while the video plays. They are the person's own: kept in the browser, changed in the panel of types.
 */
export type Hotkey = { readonly key: string; readonly type: string; readonly label: string };

/** What moves the video and sets marks; no type may have these. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set([
  'j',
  'k',
  'l',
  'i',
  'o',
  'x',
  'p',
  'd',
  '0',
  'z',
  ' ',
  '?',
  '/',
  ',',
  '.',
  '[',
  ']',
  '-',
  '+',
  '=',
]);

/** Types that every library knows by key (docs/actions.md), on the letters that people try first. */
export const DEFAULT_HOTKEYS: readonly Hotkey[] = [
  { key: 'g', type: 'goal', label: 'Goal' },
  { key: 's', type: 'shot', label: 'Shot' },
  { key: 'v', type: 'save', label: 'Save' },
  { key: 'a', type: 'assist', label: 'Assist' },
  { key: 'h', type: 'chance', label: 'Chance' },
  { key: 'c', type: 'corner', label: 'Corner' },
  { key: 'f', type: 'foul', label: 'Foul' },
  { key: 'y', type: 'card_yellow', label: 'Yellow card' },
  { key: 'r', type: 'card_red', label: 'Red card' },
  { key: 'u', type: 'substitution', label: 'Substitution' },
  { key: 'e', type: 'celebration', label: 'Celebration' },
  { key: 't', type: 'interview', label: 'Interview' },
];

export type HotkeyProblem = 'reserved' | 'taken' | 'not one key';

/** Why a key cannot log a type; undefined when it can. */
export function problemOf(
  hotkeys: readonly Hotkey[],
  wanted: { readonly key: string; readonly type: string },
): HotkeyProblem | undefined {
  const key = wanted.key.toLowerCase();
  if (Array.from(key).length !== 1) return 'not one key';
  if (RESERVED_KEYS.has(key)) return 'reserved';
  return hotkeys.some((one) => one.key === key && one.type !== wanted.type) ? 'taken' : undefined;
}

/** With one more type, or another key for one that is there. */
export function withHotkey(hotkeys: readonly Hotkey[], added: Hotkey): readonly Hotkey[] {
  const key = added.key.toLowerCase();
  const others = hotkeys.filter(({ type }) => type !== added.type);
  return [...others, { ...added, key }];
}

export const withoutHotkey = (hotkeys: readonly Hotkey[], type: string): readonly Hotkey[] =>
  hotkeys.filter((one) => one.type !== type);

/** What was stored, where it still is a list of hotkeys; else the usual ones. */
export function readHotkeys(stored: string | null): readonly Hotkey[] {
  if (stored === null) return DEFAULT_HOTKEYS;
  try {
    const parsed: unknown = JSON.parse(stored);
    if (!Array.isArray(parsed)) return DEFAULT_HOTKEYS;
    const read: Hotkey[] = [];
    for (const one of parsed as readonly unknown[]) {
      if (!isHotkey(one) || problemOf(read, one) !== undefined) return DEFAULT_HOTKEYS;
      read.push({ key: one.key.toLowerCase(), type: one.type, label: one.label });
    }
    return read;
  } catch {
    return DEFAULT_HOTKEYS;
  }
}

function isHotkey(value: unknown): value is Hotkey {
  if (typeof value !== 'object' || value === null) return false;
  return ['key', 'type', 'label'].every((name) => name in value && typeof Reflect.get(value, name) === 'string');
}

import './kbd.css';

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform);
const SHOWN: Readonly<Record<string, string>> = {
  mod: IS_APPLE ? '⌘' : 'Ctrl',
  shift: IS_APPLE ? '⇧' : 'Shift',
  alt: IS_APPLE ? '⌥' : 'Alt',
  escape: 'Esc',
  enter: 'Enter',
  space: 'Space',
  arrowleft: '←',
  arrowright: '→',
  arrowup: '↑',
  arrowdown: '↓',
};

/** A shortcut as it is written in the registry of shortcuts: `mod+k`, `?`, `g l` (one after the other). */
export function Kbd({ keys }: { readonly keys: string }) {
  const strokes = keys.split(' ');
  return (
    <span className="ui-kbd-group">
      {strokes.map((stroke) => (
        <kbd key={stroke} className="ui-kbd">
          {stroke
            .split(/(?<=.)\+/)
            .map((part) => SHOWN[part.toLowerCase()] ?? (part.length === 1 ? part.toUpperCase() : part))
            .join(IS_APPLE ? '' : '+')}
        </kbd>
      ))}
    </span>
  );
}

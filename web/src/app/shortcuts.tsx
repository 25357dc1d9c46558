import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { addShortcuts, listShortcuts, onShortcutsChange, type Shortcut } from './shortcut-registry.ts';
import './shortcuts.css';

/**
 * Shortcuts while the component is shown. `run` may be another function in each render. The keys and labels are read anew
 * when `isEnabled` changes or their number does.
 */
export function useShortcuts(shortcuts: readonly Shortcut[], isEnabled = true): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  const shape = shortcuts.map(({ keys, label }) => `${keys}\n${label}`).join('\n');
  useEffect(() => {
    if (!isEnabled) return undefined;
    return addShortcuts(
      latest.current.map((shortcut, index) => ({
        ...shortcut,
        run: (event) => latest.current[index]?.run(event),
      })),
    );
  }, [isEnabled, shape]);
}

/** `?` shows every shortcut that works on the present screen. */
export function ShortcutOverlay() {
  const [isOpen, setOpen] = useState(false);
  const shortcuts = useSyncExternalStore(onShortcutsChange, listShortcuts);
  useShortcuts([{ keys: '?', label: 'Show the shortcuts', group: 'Everywhere', run: () => setOpen(true) }]);
  const groups = Map.groupBy(shortcuts, ({ group }) => group);
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)} width="l">
      {/* Scrolled by keys where it is longer than the window. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="shortcut-groups" role="group" aria-label="Shortcuts of this screen" tabIndex={0}>
        {[...groups].map(([group, list]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className="shortcut-list">
              {list.map(({ keys, label }) => (
                <div key={`${keys} ${label}`}>
                  <dt>{label}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

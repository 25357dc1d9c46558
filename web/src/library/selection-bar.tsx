import { X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMe } from '../api/me.ts';
import { useShortcuts } from '../app/shortcuts.tsx';
import { Button } from '../ui/button.tsx';
import { plural } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { Filter } from './query.ts';
import { SELECTION_ACTIONS, type SelectionAction } from './selection-actions.ts';
import { clearSelection, countSelected, selectEverything, useSelection } from './selection.ts';
import './selection-bar.css';

/** What is selected, and what can be done with it. */
export function SelectionBar({ filter, total }: { readonly filter: Filter; readonly total: number }) {
  const selection = useSelection();
  const { data: me } = useMe();
  const [running, setRunning] = useState<SelectionAction | undefined>(undefined);
  const count = countSelected(selection);
  const actions = SELECTION_ACTIONS.filter(({ scope }) => me?.scopes.includes(scope));
  useShortcuts(
    actions.flatMap((action) =>
      action.keys === undefined
        ? []
        : [
            {
              keys: action.keys,
              label: `${action.label} what is selected`,
              group: 'Library',
              run: () => setRunning(action),
            },
          ],
    ),
    count > 0,
  );
  const Panel = running?.Panel;
  return (
    <>
      {count > 0 && (
        <section className="selection-bar" aria-label="Selection">
          <IconButton icon={X} label="Select nothing" keys="escape" onPress={clearSelection} />
          <output className="selection-count">{plural(count, 'asset')} selected</output>
          {selection.kind === 'assets' && count < total && (
            <Button tone="quiet" size="s" onPress={() => selectEverything({ filter, total })}>
              Select all {plural(total, 'result')}
            </Button>
          )}
          <span className="selection-actions">
            {actions.map((action) => (
              <Button key={action.id} onPress={() => setRunning(action)}>
                <action.icon aria-hidden />
                <span className="selection-label">{action.label}</span>
              </Button>
            ))}
          </span>
        </section>
      )}
      {Panel && (
        <Suspense fallback={null}>
          <Panel selection={selection} onClose={() => setRunning(undefined)} />
        </Suspense>
      )}
    </>
  );
}

import { Suspense, useMemo, useState } from 'react';
import { useMe } from '../api/me.ts';
import { SELECTION_ACTIONS, type SelectionAction } from '../library/selection-actions.ts';
import { IconButton } from '../ui/icon-button.tsx';

/** What of the actions for many makes sense for one that is looked at; its tags are edited beside it. */
const IDS: readonly string[] = ['deliver', 'download'];

/** Delivers or downloads the asset that is shown. */
export function AssetActions({ id }: { readonly id: number }) {
  const { data: me } = useMe();
  const [running, setRunning] = useState<SelectionAction>();
  const selection = useMemo(() => ({ kind: 'assets', ids: new Set([id]) }) as const, [id]);
  const actions = SELECTION_ACTIONS.filter((action) => IDS.includes(action.id) && me?.scopes.includes(action.scope));
  const Panel = running?.Panel;
  return (
    <>
      {actions.map((action) => (
        <IconButton key={action.id} icon={action.icon} label={action.label} onPress={() => setRunning(action)} />
      ))}
      {Panel && (
        <Suspense fallback={null}>
          <Panel selection={selection} onClose={() => setRunning(undefined)} />
        </Suspense>
      )}
    </>
  );
}

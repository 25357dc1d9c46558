import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Send } from 'lucide-react';
import { useState } from 'react';
import { type Destination, destinationsQuery, useDestinations, useDestinationWrites } from '../../api/destinations.ts';
import { useHasScope, useMe } from '../../api/me.ts';
import { ProblemView, showProblem } from '../../app/problem-view.tsx';
import { useShortcuts } from '../../app/shortcuts.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { DeleteDialog } from '../delete-dialog.tsx';
import { type Following, useLive } from '../use-live.ts';
import { DestinationEditor } from './destination-editor.tsx';
import { type DestinationKind, isKnownKind } from './destination-kinds.ts';
import { DestinationRow } from './destination-row.tsx';
import { VerifyDialog } from './verify-dialog.tsx';
import '../deliver.css';
import './destinations.css';

/** Where files are delivered to. `?new=sftp`, `?edit=3` and `?verify=3` open what they say. */
export function DestinationsView() {
  const me = useMe();
  const mayRead = useHasScope('delivery.run');
  if (me.isPending) return <Skeleton height={160} />;
  if (!mayRead) {
    return (
      <EmptyState icon={Send} title="This key may not see destinations">
        Destinations need a key with the scope delivery.run, and to change them one with admin. An administrator of the
        organization can make one.
      </EmptyState>
    );
  }
  return <Destinations />;
}

const FOLLOWING: Following = [['destination.', destinationsQuery.queryKey]];

function Destinations() {
  useLive(FOLLOWING);
  const mayChange = useHasScope('admin');
  const { data, error, refetch } = useDestinations();
  const { open, openDialog } = useOpened(data);
  useShortcuts(
    [{ keys: 'n', label: 'New destination', group: 'Destinations', run: () => openDialog({ new: 'folder' }) }],
    mayChange,
  );
  const { change, remove } = useDestinationWrites();
  const [deleted, setDeleted] = useState<Destination>();
  const pause = ({ id, name }: Destination, paused: boolean) =>
    change.mutate(
      { id, body: { paused } },
      { onError: (fault) => showProblem(fault, `${name} was not ${paused ? 'paused' : 'started again'}.`) },
    );
  if (error && !data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  return (
    <div className="deliver-view">
      <header className="deliver-head">
        <div>
          <h2>Destinations</h2>
          <p className="quiet">Where files of the library go: folders, shares, object stores, servers, webhooks.</p>
        </div>
        {mayChange && (
          <Button tone="primary" onPress={() => openDialog({ new: 'folder' })}>
            <Plus aria-hidden /> New destination
          </Button>
        )}
      </header>
      {data === undefined && <Skeleton height={160} />}
      {data?.length === 0 && (
        <EmptyState icon={Send} title="No destinations yet">
          {mayChange
            ? 'Make one: a folder, an object store or a server. Verifying it writes a probe, reads it back and deletes it.'
            : 'An administrator of the organization can make one.'}
        </EmptyState>
      )}
      <ul className="deliver-list" aria-label="Destinations">
        {data?.map((destination) => (
          <DestinationRow
            key={destination.id}
            destination={destination}
            mayChange={mayChange}
            actions={{
              onVerify: () => openDialog({ verify: destination.id }),
              onEdit: () => openDialog({ edit: destination.id }),
              onPause: (paused) => pause(destination, paused),
              onDelete: () => setDeleted(destination),
            }}
          />
        ))}
      </ul>
      {mayChange && (open.kind !== undefined || open.edited) && (
        <DestinationEditor
          key={open.edited?.id ?? 'new'}
          destination={open.edited}
          kind={open.kind ?? 'folder'}
          onKindChange={(kind) => openDialog({ new: kind }, true)}
          onSaved={({ id, status }) => openDialog(status === 'ok' ? {} : { verify: id }, true)}
          onClose={() => openDialog({})}
        />
      )}
      {open.verified && (
        <VerifyDialog
          key={open.verified.id}
          destination={open.verified}
          mayChange={mayChange}
          onEdit={() => openDialog({ edit: open.verified?.id })}
          onClose={() => openDialog({})}
        />
      )}
      {deleted && (
        <DeleteDialog
          title={`Delete ${deleted.name}?`}
          confirm="Delete the destination"
          run={() => remove.mutateAsync(deleted.id)}
          onClose={() => setDeleted(undefined)}
        >
          Its deliveries and their receipts go with it, and rules that deliver there become broken. What was delivered
          stays at the target.
        </DeleteDialog>
      )}
    </div>
  );
}

type Opened = {
  readonly new?: DestinationKind;
  readonly edit?: number | undefined;
  readonly verify?: number | undefined;
};

/** What the address says is open, of the destinations that are there. */
function useOpened(destinations: readonly Destination[] | undefined) {
  const search = useSearch({ from: '/deliver/destinations' });
  const navigate = useNavigate();
  const find = (id: string | undefined) => destinations?.find((one) => String(one.id) === id);
  const kind = search['new'];
  const openDialog = (opened: Opened, replace = false) => {
    const texts = Object.entries(opened).map(([name, value]) => [name, String(value)]);
    void navigate({ to: '/deliver/destinations', search: Object.fromEntries(texts), replace });
  };
  const open = {
    kind: kind !== undefined && isKnownKind(kind) ? kind : undefined,
    edited: find(search['edit']),
    verified: find(search['verify']),
  };
  return { open, openDialog };
}

import { useNavigate } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useHasScope, useMe } from '../../api/me.ts';
import { useOwnSearch } from '../../app/own-search.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { RosterImport } from './roster-import.tsx';
import { SquadView } from './squad-view.tsx';
import './roster.css';

/** Lists of players, clubs and matches from another system; and who played for a club on a day. */
export function RosterView() {
  const { data: me } = useMe();
  const canRead = useHasScope('media.read');
  const canWrite = useHasScope('tags.write');
  const navigate = useNavigate();
  const search = useOwnSearch('/admin/roster');
  if (!me) return null;
  if (!canRead) {
    return (
      <EmptyState icon={Lock} title="This key may not see rosters">
        Squads need a key with the scope media.read, bringing in a roster one with tags.write as well. An administrator
        of the organization can make one.
      </EmptyState>
    );
  }
  return (
    <Tabs
      label="Roster"
      selected={search['view'] === 'squad' ? 'squad' : 'import'}
      onSelect={(view) =>
        void navigate({ to: '/admin/roster', search: { ...search, view: view === 'squad' ? 'squad' : '' } })
      }
      tabs={[
        { id: 'import', label: 'Bring in a file', content: canWrite ? <RosterImport /> : <NoScope /> },
        { id: 'squad', label: 'Squad on a day', content: <SquadView search={search} /> },
      ]}
    />
  );
}

function NoScope() {
  return (
    <EmptyState icon={Lock} title="This key may not change tags">
      Bringing in a roster needs a key with the scope tags.write. An administrator of the organization can make one.
      Squads can be looked at.
    </EmptyState>
  );
}

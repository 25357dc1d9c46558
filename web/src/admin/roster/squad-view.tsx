import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Pencil, Shirt, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useHasScope } from '../../api/me.ts';
import { squadQuery, type TagOption } from '../../api/tags.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { useMediaQuery } from '../../library/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, plural } from '../../ui/format.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ReferenceField, TagName } from '../taxonomy/tag-reference.tsx';
import { WriteScopeNote } from '../taxonomy/write-scope-note.tsx';
import { MembershipDialog } from './membership-dialog.tsx';
import { type Member, squadOf } from './squad.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const today = (): string => new Date().toISOString().slice(0, 10);
const dayName = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Who plays for a club on a day, with the shirt numbers of that day. */
export function SquadView({ search }: { readonly search: Readonly<Record<string, string>> }) {
  const navigate = useNavigate();
  const club = /^[1-9]\d{0,15}$/.test(search['club'] ?? '') ? Number(search['club']) : null;
  const at = DAY.test(search['at'] ?? '') ? (search['at'] ?? '') : today();
  const change = (next: Record<string, string>) =>
    void navigate({ to: '/admin/roster', search: { ...search, view: 'squad', ...next }, replace: true });
  return (
    <div className="roster">
      <WriteScopeNote />
      <div className="roster-general">
        <ReferenceField
          label="Club"
          type="club"
          value={club}
          isReadOnly={false}
          onChange={(id) => change({ club: id === null ? '' : String(id) })}
        />
        <TextField label="Day" type="date" value={at} onChange={(day) => change({ at: DAY.test(day) ? day : '' })} />
      </div>
      {club === null ? (
        <EmptyState icon={Shirt} title="Which club?">
          Choose a club to see who plays for it on a day, in the past as well.
        </EmptyState>
      ) : (
        <Squad club={club} at={at} />
      )}
    </div>
  );
}

function Squad({ club, at }: { readonly club: number; readonly at: string }) {
  const canWrite = useHasScope('tags.write');
  const { data: players, error, refetch } = useQuery(squadQuery(club, at));
  const isNarrow = useMediaQuery('(max-width: 760px)');
  const [editing, setEditing] = useState<Member>();
  const [isAdding, setAdding] = useState(false);
  if (!players) {
    return error ? <ProblemView error={error} onRetry={() => void refetch()} /> : <Skeleton height={320} />;
  }
  const members = squadOf(players, { club, at });
  const add = canWrite && (
    <Button tone={members.length === 0 ? 'primary' : 'plain'} onPress={() => setAdding(true)}>
      <UserPlus aria-hidden /> Add a player
    </Button>
  );
  return (
    <section aria-label="Squad" className="roster-squad">
      {members.length === 0 ? (
        <EmptyState icon={Shirt} title={`Nobody plays for it on ${dayName(at)}`} actions={add}>
          Add players one by one, or bring in a file with their clubs.
        </EmptyState>
      ) : (
        <>
          <div className="roster-chosen">
            <h2>
              <TagName id={club} />
              <span className="quiet">
                {' '}
                {plural(members.length, 'player')} on {dayName(at)}
              </span>
            </h2>
            {add}
          </div>
          <Table
            label="Players"
            items={members}
            idOf={({ player, place }) => `${player.id} ${place}`}
            columns={columnsOf({ isNarrow, ...(canWrite && { onEdit: setEditing }) })}
          />
        </>
      )}
      {editing && <MembershipDialog club={club} member={editing} onClose={() => setEditing(undefined)} />}
      {isAdding && <MembershipDialog club={club} at={at} onClose={() => setAdding(false)} />}
    </section>
  );
}

/** `onEdit` is missing where the key may not write. */
function columnsOf({
  isNarrow,
  onEdit,
}: {
  readonly isNarrow: boolean;
  readonly onEdit?: (member: Member) => void;
}): readonly TableColumn<Member>[] {
  return [
    {
      id: 'number',
      isRowHeader: false,
      label: 'Number',
      isNumber: true,
      width: '80px',
      cell: ({ shirtNumber }) => shirtNumber ?? '',
    },
    { id: 'name', label: 'Name', isRowHeader: true, cell: ({ player }) => <PlayerName player={player} /> },
    ...(isNarrow ? [] : [{ id: 'position', label: 'Position', cell: ({ position }: Member) => position ?? '' }]),
    { id: 'from', label: 'From', cell: ({ from }) => <Day day={from} /> },
    { id: 'to', label: 'To', cell: ({ to }) => <Day day={to} /> },
    ...(isNarrow
      ? []
      : [
          {
            id: 'assets',
            label: 'Assets',
            isNumber: true,
            cell: ({ player }: Member) => (
              <Link
                to="/"
                search={{ player: String(player.id) }}
                aria-label={`${plural(player.media_count, 'asset')} with ${player.label}`}
              >
                {formatCount(player.media_count)}
              </Link>
            ),
          },
        ]),
    ...(onEdit
      ? [
          {
            id: 'edit',
            label: 'Change',
            cell: (member: Member) => (
              <IconButton
                icon={Pencil}
                size="s"
                label={`Change ${member.player.full_name ?? member.player.label} in this squad`}
                onPress={() => onEdit(member)}
              />
            ),
          },
        ]
      : []),
  ];
}

function Day({ day }: { readonly day: string | null }) {
  return day === null ? <span className="quiet">open</span> : <span className="roster-day">{day}</span>;
}

function PlayerName({ player }: { readonly player: TagOption }) {
  return (
    <span className="taxonomy-name">
      <Link to="/admin/taxonomy" search={{ kind: 'player', tag: String(player.id) }}>
        {player.full_name ?? player.label}
      </Link>
      {player.status === 'deactivated' && <span className="taxonomy-badge">deactivated</span>}
    </span>
  );
}

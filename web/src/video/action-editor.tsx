import { X } from 'lucide-react';
import { useState } from 'react';
import type { Action, ActionPatch } from '../api/actions.ts';
import { ProblemNote } from '../app/problem-view.tsx';
import { TagField } from '../tags/tag-field.tsx';
import { Button } from '../ui/button.tsx';
import { Drawer } from '../ui/dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { FrameClock } from './frame-clock.ts';

const STATUSES = [
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'draft', label: 'Draft' },
  { value: 'disputed', label: 'Disputed' },
  { value: 'retracted', label: 'Retracted: in no list and no search' },
] as const;

const ROLES = ['', 'scorer', 'assist', 'shooter', 'goalkeeper', 'fouled', 'offender', 'in', 'out', 'speaker'] as const;

type Who = { readonly id: number; readonly label: string; readonly role: string | null };

/** What a person may say of an action: who, what, from where to where. */
export function ActionEditor({
  action,
  clock,
  canMove,
  error,
  onSave,
  onClose,
}: {
  readonly action: Action;
  readonly clock: FrameClock;
  /** Its own position is in this video; else it follows from another one. */
  readonly canMove: boolean;
  readonly error: unknown;
  readonly onSave: (change: ActionPatch) => void;
  readonly onClose: () => void;
}) {
  const [label, setLabel] = useState(action.label ?? '');
  const [outcome, setOutcome] = useState(action.outcome ?? '');
  const [status, setStatus] = useState(action.status);
  const [players, setPlayers] = useState<readonly Who[]>(action.players);
  const shown = (ms: number) => clock.timecodeOf(clock.frameAtMs(ms));
  const [start, setStart] = useState(shown(action.start_ms));
  const [end, setEnd] = useState(shown(action.end_ms));
  const [problem, setProblem] = useState<string>();

  const save = () => {
    const range = canMove ? readRange({ start, end, action, clock }) : {};
    if (typeof range === 'string') return setProblem(range);
    return onSave({
      ...range,
      ...(label !== (action.label ?? '') && { label: label === '' ? null : label }),
      ...(outcome !== (action.outcome ?? '') && { outcome: outcome === '' ? null : outcome }),
      ...(status !== action.status && { status }),
      ...(players !== action.players && { players: players.map(({ id, role }) => ({ id, role })) }),
    });
  };
  return (
    <Drawer
      title={action.type_label}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button tone="primary" onPress={save}>
            Save
          </Button>
        </>
      }
    >
      <form
        className="video-form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Players players={players} onChange={setPlayers} />
        <TextField label="Label" value={label} onChange={setLabel} />
        <TextField label="Outcome" value={outcome} onChange={setOutcome} />
        <div className="video-form-pair">
          <TextField label="From" value={start} onChange={setStart} isDisabled={!canMove} error={problem} />
          <TextField label="To" value={end} onChange={setEnd} isDisabled={!canMove} />
        </div>
        {!canMove && (
          <p className="quiet">Its position follows from another video of the match, and is changed there.</p>
        )}
        <Select label="Status" options={STATUSES} value={status} onChange={setStatus} />
        <ProblemNote error={error} />
        {/* Enter in a field saves. */}
        <button type="submit" className="visually-hidden" tabIndex={-1}>
          Save
        </button>
      </form>
    </Drawer>
  );
}

/** The new position in ms, what is wrong with it, or nothing where it stays as it is. */
function readRange(given: {
  readonly start: string;
  readonly end: string;
  readonly action: Action;
  readonly clock: FrameClock;
}): Pick<ActionPatch, 'start_ms' | 'end_ms'> | string {
  const { action, clock } = given;
  try {
    const [from, to] = [clock.msOfTimecode(given.start), clock.msOfTimecode(given.end)];
    if (to < from) return 'Expected an end that is not before the start.';
    const isSame = (ms: number, old: number) => clock.frameAtMs(ms) === clock.frameAtMs(old);
    if (isSame(from, action.start_ms) && isSame(to, action.end_ms)) return {};
    return { start_ms: from, end_ms: to };
  } catch {
    return `Expected a timecode such as ${clock.timecodeOf(0)}.`;
  }
}

function Players({
  players,
  onChange,
}: {
  readonly players: readonly Who[];
  readonly onChange: (players: readonly Who[]) => void;
}) {
  const roles = [...new Set([...ROLES, ...players.map(({ role }) => role ?? '')])];
  const options = roles.map((role) => ({ value: role, label: role === '' ? 'No role' : role.replaceAll('_', ' ') }));
  return (
    <div className="video-form">
      <ul className="video-players" aria-label="Players">
        {players.map((player) => (
          <li key={player.id}>
            {player.label}
            <Select
              label={`Role of ${player.label}`}
              isLabelHidden
              options={options}
              value={player.role ?? ''}
              onChange={(role) =>
                onChange(
                  players.map((one) => (one.id === player.id ? { ...one, role: role === '' ? null : role } : one)),
                )
              }
            />
            <IconButton
              icon={X}
              size="s"
              label={`Take ${player.label} away`}
              onPress={() => onChange(players.filter(({ id }) => id !== player.id))}
            />
          </li>
        ))}
      </ul>
      <TagField
        label="Add a player"
        type="player"
        onChoose={(added) => {
          if (!players.some(({ id }) => id === added.id))
            onChange([...players, { id: added.id, label: added.label, role: null }]);
        }}
      />
    </div>
  );
}

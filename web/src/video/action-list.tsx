import { useMemo } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import type { Action } from '../api/actions.ts';
import { Select } from '../ui/select.tsx';
import { formatClock } from './frame-clock.ts';
import { describeAction } from './timeline-block.tsx';

/** What of the actions is shown, in the list and on the timeline. */
export type ActionFilter = { readonly type: string; readonly player: string };
export const NO_FILTER: ActionFilter = { type: '', player: '' };

export function filterActions(actions: readonly Action[], { type, player }: ActionFilter): readonly Action[] {
  return actions.filter(
    (action) =>
      (type === '' || action.type_key === type) &&
      (player === '' || action.players.some(({ id }) => String(id) === player)),
  );
}

/** Each value that occurs, with how often, the most frequent first. */
function counted(values: readonly (readonly [value: string, label: string])[]) {
  const counts = new Map<string, { readonly label: string; count: number }>();
  for (const [value, label] of values) {
    const one = counts.get(value) ?? { label, count: 0 };
    one.count += 1;
    counts.set(value, one);
  }
  return [...counts]
    .sort(([, a], [, b]) => b.count - a.count || a.label.localeCompare(b.label))
    .map(([value, { label, count }]) => ({ value, label: `${label} (${count})` }));
}

export function ActionFilters({
  actions,
  filter,
  onChange,
}: {
  readonly actions: readonly Action[];
  readonly filter: ActionFilter;
  readonly onChange: (filter: ActionFilter) => void;
}) {
  const types = useMemo(() => counted(actions.map((one) => [one.type_key, one.type_label])), [actions]);
  const players = useMemo(
    () => counted(actions.flatMap((one) => one.players.map(({ id, label }) => [String(id), label] as const))),
    [actions],
  );
  return (
    <div className="actions-head">
      <Select
        label="Type"
        options={[{ value: '', label: 'All types' }, ...types]}
        value={filter.type}
        onChange={(type) => onChange({ ...filter, type })}
      />
      <Select
        label="Player"
        options={[{ value: '', label: 'All players' }, ...players]}
        value={filter.player}
        onChange={(player) => onChange({ ...filter, player })}
      />
    </div>
  );
}

/** `80'`, `90+3'`, or nothing where the match clock is not known. */
function minuteOf({ minute, stoppage }: Action): string {
  if (minute === null) return '';
  return `${minute}${stoppage === null || stoppage === 0 ? '' : `+${stoppage}`}′`;
}

/** The actions in order of time: arrow keys move, and the video goes along. */
export function ActionList({
  actions,
  selected,
  onSelect,
  onOpen,
}: {
  readonly actions: readonly Action[];
  readonly selected: number | undefined;
  readonly onSelect: (id: number) => void;
  /** Enter or a double click: plays it. */
  readonly onOpen: (id: number) => void;
}) {
  return (
    <ListBox
      className="actions-list"
      aria-label="Actions"
      items={actions}
      selectionMode="single"
      selectionBehavior="replace"
      selectedKeys={selected === undefined ? [] : [selected]}
      onSelectionChange={(keys) => {
        if (keys === 'all') return;
        const [key] = keys;
        if (typeof key === 'number') onSelect(key);
      }}
      onAction={(key) => onOpen(Number(key))}
      renderEmptyState={() => <p className="timeline-empty">No action is shown.</p>}
    >
      {(action) => (
        <ListBoxItem id={action.id} className="actions-item" textValue={describeAction(action)}>
          <time>{formatClock(action.start_ms)}</time>
          <p>
            <b>{action.type_label}</b>
            {action.label === null ? '' : ` ${action.label}`}
          </p>
          <span className="quiet">{action.status === 'confirmed' ? minuteOf(action) : action.status}</span>
          {action.players.length > 0 && (
            <p className="actions-who quiet">{action.players.map(({ label }) => label).join(', ')}</p>
          )}
        </ListBoxItem>
      )}
    </ListBox>
  );
}

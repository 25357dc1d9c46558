import { X } from 'lucide-react';
import { TagField } from '../../tags/tag-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { LISTS, type MatchStatus, newRow, REFERENCES, type RelationRow, type TagDraft } from './tag-draft.ts';
import { ReferenceField, TagName } from './tag-reference.tsx';

type Part = {
  readonly draft: TagDraft;
  readonly isReadOnly: boolean;
  readonly errorAt: (pointer: string) => string | undefined;
  readonly onChange: (draft: TagDraft) => void;
};
const MATCH_STATUSES: readonly { readonly value: MatchStatus | ''; readonly label: string }[] = [
  { value: '', label: 'Not said' },
  { value: 'scheduled', label: 'Scheduled' },
  { value: 'live', label: 'Live' },
  { value: 'finished', label: 'Finished' },
  { value: 'postponed', label: 'Postponed' },
  { value: 'abandoned', label: 'Abandoned' },
];
const digits = (text: string): string => text.replaceAll(/\D/g, '').slice(0, 3);

/** What a tag option has to do with others, and from when to when. */
export function RelationFields({ draft, isReadOnly, errorAt, onChange }: Part) {
  return (
    <>
      {(LISTS[draft.type] ?? []).map((shape) => {
        const rows = draft.lists[shape.name];
        const setRows = (next: readonly RelationRow[]) =>
          onChange({ ...draft, lists: { ...draft.lists, [shape.name]: next } });
        return (
          <section key={shape.name} className="tag-part" aria-label={shape.label}>
            <h3>{shape.label}</h3>
            {rows.map((row, at) => (
              <RelationFieldsRow
                key={row.key}
                row={row}
                shape={shape}
                isReadOnly={isReadOnly}
                errorAt={(member) => errorAt(`/relations/${shape.name}/${at}${member}`)}
                onChange={(next) => setRows(rows.map((one) => (one.key === row.key ? next : one)))}
                onRemove={() => setRows(rows.filter((one) => one.key !== row.key))}
              />
            ))}
            {isReadOnly ? (
              rows.length === 0 && <p className="quiet">None.</p>
            ) : (
              <TagField
                label={`Add a ${shape.one}`}
                type={shape.targetType}
                placeholder={`Name of a ${shape.one}`}
                onChoose={({ id }) => setRows([...rows, newRow(id, 1 + Math.max(-1, ...rows.map(({ key }) => key)))])}
              />
            )}
          </section>
        );
      })}
    </>
  );
}

function RelationFieldsRow({
  row,
  shape,
  isReadOnly,
  errorAt,
  onChange,
  onRemove,
}: {
  readonly row: RelationRow;
  readonly shape: { readonly one: string; readonly hasShirt?: true; readonly hasSeason?: true };
  readonly isReadOnly: boolean;
  readonly errorAt: (member: string) => string | undefined;
  readonly onChange: (row: RelationRow) => void;
  readonly onRemove: () => void;
}) {
  const { one, hasShirt, hasSeason } = shape;
  const fault = errorAt('') ?? errorAt(`/${one}`);
  return (
    <div className="tag-relation">
      <div className="tag-relation-name">
        <b>
          <TagName id={row.target} />
        </b>
        {!isReadOnly && <IconButton icon={X} size="s" label={`Take this ${one} away`} onPress={onRemove} />}
      </div>
      <div className="tag-relation-fields">
        {hasShirt && (
          <>
            <TextField
              label="Number"
              inputMode="numeric"
              isReadOnly={isReadOnly}
              value={row.shirtNumber}
              onChange={(text) => onChange({ ...row, shirtNumber: digits(text) })}
              error={errorAt('/shirt_number')}
            />
            <TextField
              label="Position"
              isReadOnly={isReadOnly}
              value={row.position}
              onChange={(position) => onChange({ ...row, position })}
            />
          </>
        )}
        {hasSeason && (
          <ReferenceField
            label="Season"
            type="season"
            value={row.season}
            isReadOnly={isReadOnly}
            error={errorAt('/season')}
            onChange={(season) => onChange({ ...row, season })}
          />
        )}
        <TextField
          label="From"
          type="date"
          isReadOnly={isReadOnly}
          value={row.from}
          onChange={(from) => onChange({ ...row, from })}
          error={errorAt('/from')}
        />
        <TextField
          label="To"
          type="date"
          isReadOnly={isReadOnly}
          value={row.to}
          onChange={(to) => onChange({ ...row, to })}
          error={errorAt('/to')}
        />
      </div>
      {fault !== undefined && <p className="ui-field-error">{fault}</p>}
    </div>
  );
}

/** The single tag options that one names: a club its parent, a match its sides and where it belongs. */
export function ReferenceFields({ draft, isReadOnly, errorAt, onChange }: Part) {
  const references = REFERENCES[draft.type] ?? [];
  if (references.length === 0) return null;
  return (
    <section className="tag-part tag-pairs" aria-label={draft.type === 'match' ? 'Sides and place' : 'Parent'}>
      {references.map(({ name, label, targetType }) => (
        <ReferenceField
          key={name}
          label={label}
          type={targetType}
          value={draft.references[name]}
          isReadOnly={isReadOnly}
          error={errorAt(`/relations/${name}`)}
          onChange={(id) => onChange({ ...draft, references: { ...draft.references, [name]: id } })}
        />
      ))}
    </section>
  );
}

/** When a match is, and how it ended. */
export function MatchFields({ draft, isReadOnly, errorAt, onChange }: Part) {
  if (draft.type !== 'match') return null;
  const { match } = draft;
  const set = (change: Partial<TagDraft['match']>) => onChange({ ...draft, match: { ...match, ...change } });
  return (
    <section className="tag-part tag-pairs" aria-label="Date and result">
      <TextField
        label="Kick-off, your time"
        type="datetime-local"
        isReadOnly={isReadOnly}
        value={match.kickOff}
        onChange={(kickOff) => set({ kickOff })}
        error={errorAt('/relations/kick_off')}
      />
      <TextField
        label="Round"
        placeholder="Matchday 22"
        isReadOnly={isReadOnly}
        value={match.round}
        onChange={(round) => set({ round })}
        error={errorAt('/relations/round')}
      />
      <TextField
        label="Goals home"
        inputMode="numeric"
        isReadOnly={isReadOnly}
        value={match.homeScore}
        onChange={(text) => set({ homeScore: digits(text) })}
        error={errorAt('/relations/home_score')}
      />
      <TextField
        label="Goals away"
        inputMode="numeric"
        isReadOnly={isReadOnly}
        value={match.awayScore}
        onChange={(text) => set({ awayScore: digits(text) })}
        error={errorAt('/relations/away_score')}
      />
      <Select
        label="Status"
        options={MATCH_STATUSES}
        value={match.status}
        isDisabled={isReadOnly}
        onChange={(status) => set({ status })}
      />
    </section>
  );
}

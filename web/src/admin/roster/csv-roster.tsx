import { useQueries } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Csv } from '../../../../src/base/csv.ts';
import { TAG_TYPES, tagSearchQuery, type TagType } from '../../api/tags.ts';
import { TYPE_NAMES } from '../../library/type-icon.tsx';
import { TagField } from '../../tags/tag-field.tsx';
import { formatCount } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { ReferenceField } from '../taxonomy/tag-reference.tsx';
import { fieldsOf, guessFields, type RosterField, ROSTER_FIELDS } from './roster-fields.ts';
import { clubNamesOf, type Mapping, mapRows, missingOf } from './roster-mapping.ts';
import { RosterPreviewRows } from './roster-preview-rows.tsx';
import { RosterSend } from './roster-send.tsx';

/** Each name is looked up once. */
const MAX_CLUB_NAMES = 100;
const TYPES: readonly { readonly value: TagType | 'column'; readonly label: string }[] = [
  ...TAG_TYPES.map((type) => ({ value: type, label: TYPE_NAMES[type].many })),
  { value: 'column', label: 'As a column says' },
];

/** Which column is what; what comes of it is shown below while it is chosen. */
export function CsvRoster({ csv }: { readonly csv: Csv }) {
  const [type, setType] = useState<TagType | 'column'>(() => guessType(csv.header));
  const [source, setSource] = useState('');
  const [fields, setFields] = useState<readonly RosterField[]>(() => guessFields(csv.header, guessType(csv.header)));
  const [club, setClub] = useState<number | null>(null);
  const [byHand, setByHand] = useState<ReadonlyMap<string, number>>(new Map());
  const names = useMemo(() => clubNamesOf(csv.rows, fields).slice(0, MAX_CLUB_NAMES), [csv, fields]);
  const found = useClubs(names);
  const clubs = useMemo(() => new Map([...found.clubs, ...byHand]), [found.clubs, byHand]);
  const mapping = useMemo<Mapping>(
    () => ({ type, source: source.trim(), fields, club, clubs }),
    [type, source, fields, club, clubs],
  );
  const missing = missingOf(mapping);
  const roster = useMemo(() => mapRows(csv.rows, mapping), [csv, mapping]);
  const options = fieldsOf(type).map((value) => ({ value, label: ROSTER_FIELDS[value].label }));
  const unknown = found.isSearching ? [] : names.filter((name) => !clubs.has(name));
  const hasClubColumn = fields.includes('club_id') || fields.includes('club_name');
  const setField = (at: number, field: RosterField) =>
    // A field is of one column: another one that had it is left out.
    setFields(fields.map((one, index) => (index === at ? field : one === field ? 'ignore' : one)));
  return (
    <>
      <section className="roster-part roster-general" aria-label="The whole file">
        <Select
          label="The rows are"
          options={TYPES}
          value={type}
          onChange={(next) => {
            setType(next);
            setFields(guessFields(csv.header, next));
          }}
        />
        <TextField
          label="The system that the IDs are of"
          placeholder="league"
          hint="The same name next time, so that everything is found again."
          value={source}
          onChange={setSource}
        />
        {type === 'player' && !hasClubColumn && (
          <ReferenceField label="All of them play for" type="club" value={club} isReadOnly={false} onChange={setClub} />
        )}
      </section>
      <section className="roster-part" aria-label="Columns">
        <h3>Columns</h3>
        <ul className="roster-columns">
          {csv.header.map((head, at) => (
            <li key={`${at} ${head}`}>
              <Select
                label={head === '' ? `Column ${at + 1}` : head}
                options={options}
                value={fields[at] ?? 'ignore'}
                onChange={(field) => setField(at, field)}
              />
              <span className="quiet roster-sample">{sampleOf(csv, at)}</span>
            </li>
          ))}
        </ul>
      </section>
      {unknown.length > 0 && (
        <section className="roster-part" aria-label="Clubs that were not found">
          <h3>Clubs that were not found by their name</h3>
          <p className="quiet">Choose what they are called here, or create them under Taxonomy.</p>
          <div className="roster-general">
            {unknown.map((name) => (
              <TagField
                key={name}
                label={name}
                type="club"
                placeholder="Name of a club"
                onChoose={({ id }) => setByHand(new Map([...byHand, [name, id]]))}
              />
            ))}
          </div>
        </section>
      )}
      <RosterPreviewRows items={roster.items} faults={roster.faults} />
      {fields.some((field) => field === 'club_id' || field === 'club_name') || club !== null ? (
        <p className="quiet">
          The clubs of a player here take the place of those that the player has: a file with the present club only ends
          the record of former ones. Give each a row of its own, with dates.
        </p>
      ) : null}
      {missing.length > 0 ? (
        <ul className="taxonomy-note roster-missing" role="status">
          {missing.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : (
        // Another mapping is another file: what was tried before says nothing of it.
        <RosterSend
          key={JSON.stringify([{ ...mapping, clubs: [...clubs] }])}
          items={roster.items}
          faults={roster.faults}
        />
      )}
    </>
  );
}

/** The first cells of a column that hold anything. */
function sampleOf({ rows }: Csv, at: number): string {
  const cells = rows.slice(0, 50).flatMap((row) => (row.cells[at]?.trim() ? [row.cells[at]?.trim() ?? ''] : []));
  return cells.length === 0
    ? 'empty'
    : `${cells.slice(0, 3).join(', ')}${rows.length > 3 ? ` … ${formatCount(rows.length)} rows` : ''}`;
}

function guessType(header: readonly string[]): TagType | 'column' {
  const heads = header.map((head) => head.toLowerCase().trim());
  if (heads.includes('type')) return 'column';
  return heads.some((head) => /^(home|kick.?off)/.test(head)) ? 'match' : 'player';
}

/** The clubs that are called exactly so, by any of their names. */
function useClubs(names: readonly string[]) {
  return useQueries({
    queries: names.map((text) => tagSearchQuery({ text, type: 'club', limit: 5 })),
    combine: (results) => ({
      isSearching: results.some(({ isPending }) => isPending),
      clubs: new Map(
        results.flatMap(({ data }, at) => {
          const name = names[at] ?? '';
          const wanted = name.toLowerCase();
          const exact = data?.clubs.filter(({ label, full_name: full, aliases }) =>
            [label, full ?? '', ...aliases].some((one) => one.toLowerCase() === wanted),
          );
          // Two of one name are for a person to choose from.
          return exact?.length === 1 && exact[0] ? [[name, exact[0].id] as const] : [];
        }),
      ),
    }),
  });
}

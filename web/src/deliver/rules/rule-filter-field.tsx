import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { facetsQuery } from '../../api/media-search.ts';
import { toProblem } from '../../api/problem.ts';
import { savedSearchesQuery } from '../../api/saved-searches.ts';
import { rememberChipLabel } from '../../library/chip-label.ts';
import { Chips } from '../../library/chips.tsx';
import type { ChangeQuery } from '../../library/library-search.ts';
import { withChip } from '../../library/query-edits.ts';
import { useResting } from '../../library/use-resting.ts';
import { TagField } from '../../tags/tag-field.tsx';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Menu } from '../../ui/menu.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { draftOfFilter, type FilterDraft, filterOfDraft } from './rule-filter.ts';

const KINDS = [
  { value: '', label: 'Photos and videos' },
  { value: 'photo', label: 'Photos' },
  { value: 'video', label: 'Videos' },
] as const;
const REST_MS = 300;

/** Which assets a rule is for: chips as in the library, words, and JSON for what these cannot say. */
export function RuleFilterField({
  draft,
  onChange,
  error,
}: {
  readonly draft: FilterDraft;
  readonly onChange: (change: (draft: FilterDraft) => FilterDraft) => void;
  /** What the service says of the filter. */
  readonly error?: string | undefined;
}) {
  const client = useQueryClient();
  const [showsRest, setShowsRest] = useState(draft.rest !== '');
  const { query, rest } = draft;
  const changeQuery: ChangeQuery = (change) => onChange((now) => ({ ...now, query: change(now.query) }));
  const { media_type: kinds, ...otherValues } = query.values;
  const [kind] = kinds?.length === 1 ? kinds : [''];
  const built = filterOfDraft(draft);
  return (
    <div className="rule-filter">
      <div className="rule-filter-fields">
        <TagField
          label="With a tag"
          placeholder="Player, club, match, sponsor…"
          onChoose={({ id, label, type }) => {
            rememberChipLabel(client, { type, id }, label);
            changeQuery((now) => withChip(now, { type, id, mode: 'all' }));
          }}
        />
        <Select
          label="Of the kind"
          options={KINDS}
          value={KINDS.find(({ value }) => value === kind)?.value ?? ''}
          onChange={(next) =>
            changeQuery((now) => {
              const { media_type: _replaced, ...others } = now.values;
              return { ...now, values: next === '' ? others : { ...others, media_type: [next] } };
            })
          }
        />
        <TextField
          label="With the words"
          value={query.text}
          onChange={(text) => changeQuery((now) => ({ ...now, text }))}
          placeholder="In its name, texts and tags"
        />
      </div>
      <Chips query={{ ...query, values: otherValues }} changeQuery={changeQuery} />
      {showsRest && (
        <TextField
          label="And what else holds, as JSON of a filter"
          isMultiline
          value={rest}
          onChange={(text) => onChange((now) => ({ ...now, rest: text }))}
          placeholder='{"width": {"gte": 3000}, "none": [{"usage": "raw"}]}'
          spellCheck="false"
          className="rule-json"
          hint="All members of the filter of POST /v1/media/search."
          error={'problem' in built ? built.problem : undefined}
        />
      )}
      <div className="rule-filter-more">
        <SavedMenu
          onChoose={(request) => {
            const taken = draftOfFilter(request);
            setShowsRest(taken.rest !== '');
            onChange(() => taken);
          }}
        />
        {!showsRest && (
          <Button size="s" tone="quiet" onPress={() => setShowsRest(true)}>
            More, as JSON
          </Button>
        )}
        <MatchCount draft={draft} />
      </div>
      {error !== undefined && (
        <p className="ui-field-error" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function SavedMenu({ onChoose }: { readonly onChoose: (request: Readonly<Record<string, unknown>>) => void }) {
  const { data } = useQuery(savedSearchesQuery);
  if (!data || data.length === 0) return null;
  return (
    <Menu
      label="Take a saved search"
      trigger={
        <Button size="s">
          <Bookmark aria-hidden /> Take a saved search
        </Button>
      }
      entries={data.map((saved) => ({
        id: String(saved.id),
        label: saved.name,
        onAction: () => onChoose(saved.request),
      }))}
    />
  );
}

/** How many assets of the library meet it now. */
function MatchCount({ draft }: { readonly draft: FilterDraft }) {
  const resting = useResting(JSON.stringify(filterOfDraft(draft)), REST_MS);
  // As it was written a line above.
  const built = JSON.parse(resting) as ReturnType<typeof filterOfDraft>;
  const filter = 'filter' in built ? built.filter : {};
  const { data, error } = useQuery({
    ...facetsQuery(filter, []),
    enabled: 'filter' in built,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if ('problem' in built) return null;
  const fault = error === null ? undefined : toProblem(error).detail;
  return (
    <p className={fault === undefined ? 'quiet' : 'ui-field-error'} role="status">
      {fault ??
        (data && `${plural(data.total, 'asset')} of the library ${data.total === 1 ? 'meets' : 'meet'} it now.`)}
    </p>
  );
}

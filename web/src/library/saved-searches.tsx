import { useQuery } from '@tanstack/react-query';
import { Bookmark, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useHasScope } from '../api/me.ts';
import { type SavedSearch, savedSearchesQuery, useDeleteSavedSearch, useSaveSearch } from '../api/saved-searches.ts';
import { ProblemNote, showProblem } from '../app/problem-view.tsx';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.tsx';
import type { ChangeQuery } from './library-search.ts';
import { isNarrow, type LibraryQuery } from './query.ts';
import { queryOfRequest, requestOf } from './saved-request.ts';
import './saved-searches.css';

/** The organization's searches by name: open one, keep the present one, delete one. */
export function SavedSearches({
  query,
  changeQuery,
}: {
  readonly query: LibraryQuery;
  readonly changeQuery: ChangeQuery;
}) {
  return (
    <Popover
      label="Saved searches"
      placement="bottom end"
      trigger={<IconButton icon={Bookmark} label="Saved searches" />}
    >
      {({ close }) => (
        <div className="saved">
          <SavedList
            onOpen={(saved) => {
              changeQuery(() => queryOfRequest(saved.request));
              close();
            }}
          />
          <SaveForm query={query} onSaved={close} />
        </div>
      )}
    </Popover>
  );
}

function SavedList({ onOpen }: { readonly onOpen: (saved: SavedSearch) => void }) {
  const { data, error } = useQuery(savedSearchesQuery);
  const mayWrite = useHasScope('media.write');
  const remove = useDeleteSavedSearch();
  return (
    <div>
      <h2>Saved searches</h2>
      <ProblemNote error={error} />
      {data?.length === 0 && <p className="quiet">None yet. Narrow the library, then keep the search under a name.</p>}
      <ul className="saved-list">
        {data?.map((saved) => (
          <li key={saved.id}>
            <Button tone="quiet" className="saved-open" onPress={() => onOpen(saved)}>
              {saved.name}
            </Button>
            {mayWrite && (
              <IconButton
                icon={Trash2}
                size="s"
                label={`Delete ${saved.name}`}
                onPress={() =>
                  remove.mutate(saved.id, {
                    onError: (error) => showProblem(error, 'The saved search was not deleted.'),
                  })
                }
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function SaveForm({ query, onSaved }: { readonly query: LibraryQuery; readonly onSaved: () => void }) {
  const [name, setName] = useState('');
  const mayWrite = useHasScope('media.write');
  const save = useSaveSearch();
  if (!mayWrite || !isNarrow(query)) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { name: name.trim(), request: requestOf(query) },
      {
        onSuccess: () => {
          showToast({ tone: 'ok', text: `The search “${name.trim()}” was saved.` });
          onSaved();
        },
      },
    );
  };
  return (
    <form className="saved-form" onSubmit={submit}>
      <TextField label="Save the present search as" value={name} onChange={setName} maxLength={200} />
      <Button type="submit" tone="primary" isDisabled={name.trim() === ''} isPending={save.isPending}>
        Save
      </Button>
      <ProblemNote error={save.error} />
    </form>
  );
}

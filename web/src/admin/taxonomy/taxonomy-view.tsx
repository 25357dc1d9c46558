import { useNavigate } from '@tanstack/react-router';
import { FolderPen, Lock, Plus } from 'lucide-react';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useHasScope, useMe } from '../../api/me.ts';
import { ownSearchNow, useOwnSearch } from '../../app/own-search.ts';
import { useShortcuts } from '../../app/shortcuts.tsx';
import { TYPE_NAMES } from '../../library/type-icon.tsx';
import { useMediaQuery } from '../../library/use-media-query.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { RenameCategoryDialog } from './rename-category.tsx';
import { emptyDraft } from './tag-draft.ts';
import { NewTagPanel, TagPanel } from './tag-editor.tsx';
import { TagTable } from './tag-table.tsx';
import { TaxonomyNav } from './taxonomy-nav.tsx';
import { readTaxonomySearch, type TaxonomySearch, writeTaxonomySearch } from './taxonomy-search.ts';
import { WriteScopeNote } from './write-scope-note.tsx';
import './taxonomy.css';

/** The category by which the service knows types of actions; it keeps its name. */
const ACTION_TYPE = 'action type';
const PATH = '/admin/taxonomy';

function useTaxonomySearch() {
  const own = useOwnSearch(PATH);
  const navigate = useNavigate();
  const search = useMemo(() => readTaxonomySearch(own), [own]);
  const change = useCallback(
    (next: Partial<TaxonomySearch>, { replace = false } = {}) => {
      const present = ownSearchNow(PATH);
      if (!present) return;
      void navigate({ to: PATH, search: writeTaxonomySearch({ ...readTaxonomySearch(present), ...next }), replace });
    },
    [navigate],
  );
  return { search, change };
}

/** Tag options by type and category: found, made, edited, merged, deactivated and deleted. */
export function TaxonomyView() {
  const { data: me } = useMe();
  const canRead = useHasScope('media.read');
  if (!me) return null;
  if (!canRead) {
    return (
      <EmptyState icon={Lock} title="This key may not see the taxonomy">
        Looking at it needs a key with the scope media.read, changing it one with tags.write as well. An administrator
        of the organization can make one.
      </EmptyState>
    );
  }
  return <Taxonomy />;
}

function Taxonomy() {
  const canWrite = useHasScope('tags.write');
  const isNarrow = useMediaQuery('(max-width: 760px)');
  const { search, change } = useTaxonomySearch();
  const { type, category, text, tag } = search;
  const [isRenaming, setRenaming] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const close = () => change({ tag: undefined });
  const makeNew = () => change({ tag: 'new' });
  useShortcuts([
    { keys: '/', label: 'Search', group: 'Taxonomy', run: () => field.current?.focus() },
    ...(canWrite ? [{ keys: 'n', label: 'New', group: 'Taxonomy', run: makeNew }] : []),
  ]);
  const what = category ?? (type === undefined ? 'tag options' : TYPE_NAMES[type].many.toLowerCase());
  const canRename = canWrite && type !== undefined && category !== undefined;
  return (
    <div className="taxonomy">
      <WriteScopeNote />
      <TaxonomyNav search={search} />
      <section className="taxonomy-list" aria-label="Tag options">
        <div className="taxonomy-bar">
          <SearchField
            label={`Search ${what}`}
            inputRef={field}
            value={text}
            onChange={(next) => change({ text: next }, { replace: true })}
          />
          {canRename && !(type === 'tag' && category === ACTION_TYPE) && (
            <Button onPress={() => setRenaming(true)}>
              <FolderPen aria-hidden /> Rename the category
            </Button>
          )}
          {canWrite && (
            <Button tone="primary" onPress={makeNew}>
              <Plus aria-hidden /> New {type === undefined ? 'tag option' : TYPE_NAMES[type].one.toLowerCase()}
            </Button>
          )}
        </div>
        {category === ACTION_TYPE && (
          <p className="quiet taxonomy-hint">
            Types of actions in videos. Those that every library knows, such as goal and corner, appear here when they
            are used for the first time. The keys that log them are set on the page of a video, for each browser.
          </p>
        )}
        <TagTable
          asked={{ type, category, text: text.trim() }}
          isNarrow={isNarrow}
          onOpen={(id) => change({ tag: id })}
          {...(canWrite && { onNew: makeNew })}
        />
      </section>
      {tag === 'new' && canWrite && (
        <NewTagPanel
          initial={emptyDraft(type ?? 'tag', category)}
          onMade={({ id }) => change({ tag: id }, { replace: true })}
          onClose={close}
        />
      )}
      {typeof tag === 'number' && (
        <TagPanel id={tag} canWrite={canWrite} onOpen={(id) => change({ tag: id })} onClose={close} />
      )}
      {isRenaming && type !== undefined && category !== undefined && (
        <RenameCategoryDialog
          type={type}
          category={category}
          onRenamed={(name) => {
            setRenaming(false);
            change({ category: name });
          }}
          onClose={() => setRenaming(false)}
        />
      )}
    </div>
  );
}

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  Button,
  Collection,
  ComboBox,
  Header,
  Input,
  ListBox,
  ListBoxItem,
  ListBoxSection,
} from 'react-aria-components';
import { type TagHit, tagSearchQuery } from '../api/tags.ts';
import { useShortcuts } from '../app/shortcuts.tsx';
import { formatCount } from '../ui/format.ts';
import { PopoverSurface } from '../ui/popover.tsx';
import { rememberChipLabel } from './chip-label.ts';
import type { ChangeQuery } from './library-search.ts';
import { withChip } from './query-edits.ts';
import { CHIP_TYPES, type ChipType, type LibraryQuery } from './query.ts';
import { TYPE_NAMES, TypeIcon } from './type-icon.tsx';
import '../ui/button.css';
import '../ui/field.css';
import './search-box.css';

/** Between two letters of quick typing; each search answers in less. */
const TYPING_MS = 70;
const MAX_HITS = 12;

type Group = { readonly type: ChipType; readonly hits: readonly TagHit[] };

/** Ranked as the service does it, and under headings: a type stands where its best hit does. */
export function groupHits(hits: readonly TagHit[]): readonly Group[] {
  const groups = Map.groupBy(hits, ({ type }) => type);
  return [...groups].flatMap(([type, list]) => {
    const known = CHIP_TYPES.find((one) => one === type);
    return known ? [{ type: known, hits: list }] : [];
  });
}

/**
 * Text and tags in one: what is typed searches at once, and what it may mean is offered below. Choosing one makes a chip of
 * it and takes the text away. `/` brings the focus here.
 */
export function SearchBox({ query, changeQuery }: { readonly query: LibraryQuery; readonly changeQuery: ChangeQuery }) {
  const client = useQueryClient();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(query.text);
  const [isOpen, setOpen] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const typed = text.trim();
  const { data, isFetching } = useQuery({
    ...tagSearchQuery({ text: typed, limit: MAX_HITS }),
    enabled: typed !== '' && isFocused,
    placeholderData: keepPreviousData,
  });
  const hits = typed === '' ? [] : (data?.tag_options ?? []);

  useTypedText({ text, query, setText, changeQuery });
  useShortcuts([
    {
      keys: '/',
      label: 'Search',
      group: 'Library',
      run: () => {
        input.current?.focus();
        input.current?.select();
      },
    },
  ]);

  const choose = (id: number) => {
    const hit = hits.find((one) => one.id === id);
    const type = CHIP_TYPES.find((one) => one === hit?.type);
    if (!hit || !type) return;
    rememberChipLabel(client, { type, id }, hit.label);
    setText('');
    changeQuery((now) => withChip({ ...now, text: '' }, { type, id, mode: 'all' }));
  };

  return (
    <ComboBox
      className="ui-field search-box"
      aria-label="Search the library"
      items={groupHits(hits)}
      inputValue={text}
      onInputChange={setText}
      onOpenChange={setOpen}
      onFocusChange={setFocused}
      value={null}
      onChange={(id) => {
        if (typeof id === 'number') choose(id);
      }}
      allowsCustomValue
      // What was chosen leaves no text, and then nothing is offered.
      allowsEmptyCollection={typed !== ''}
      menuTrigger="input"
    >
      <div className="ui-input-frame">
        <Search aria-hidden />
        <Input
          ref={input}
          className="ui-input"
          type="text"
          enterKeyHint="search"
          placeholder="Players, clubs, matches, words…"
          onKeyDown={(event) => {
            // The last chip goes as the last letter did.
            if (event.key === 'Backspace' && text === '') {
              changeQuery((now) => ({ ...now, chips: now.chips.slice(0, -1) }));
            }
            if (event.key === 'Escape' && !isOpen) {
              if (text !== '') setText('');
              else input.current?.blur();
            }
          }}
        />
        {text !== '' && (
          <Button
            slot={null}
            className="ui-button ui-button-quiet ui-button-s ui-icon-button"
            aria-label="Clear the text"
            onPress={() => {
              setText('');
              input.current?.focus();
            }}
          >
            <X aria-hidden />
          </Button>
        )}
      </div>
      <PopoverSurface className="search-hits">
        <ListBox
          className="ui-list"
          renderEmptyState={() => (
            <div className="ui-list-empty">
              {isFetching ? 'Searching…' : 'No tag is called that. Names and texts of assets are searched for it.'}
            </div>
          )}
        >
          {(group: Group) => (
            <ListBoxSection id={group.type}>
              <Header className="ui-list-header">{TYPE_NAMES[group.type].many}</Header>
              <Collection items={group.hits}>
                {(hit) => (
                  <ListBoxItem id={hit.id} textValue={hit.label} className="ui-item">
                    <TypeIcon type={group.type} />
                    <span className="search-hit-name">
                      {hit.label}
                      {hit.full_name !== null && hit.full_name !== hit.label && (
                        <span className="quiet"> {hit.full_name}</span>
                      )}
                    </span>
                    <span className="ui-item-note">{formatCount(hit.media_count)}</span>
                  </ListBoxItem>
                )}
              </Collection>
            </ListBoxSection>
          )}
        </ListBox>
      </PopoverSurface>
    </ComboBox>
  );
}

/** Text goes into the address a moment after it was typed; an address that changes by itself (Back) comes back as text. */
function useTypedText(given: {
  readonly text: string;
  readonly query: LibraryQuery;
  readonly setText: (text: string) => void;
  readonly changeQuery: ChangeQuery;
}): void {
  const { text, query, setText, changeQuery } = given;
  const sent = useRef(query.text);
  useEffect(() => {
    if (text === sent.current) return undefined;
    const timer = setTimeout(() => {
      sent.current = text;
      changeQuery((now) => ({ ...now, text }), { replace: true });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [changeQuery, text]);
  useEffect(() => {
    if (query.text === sent.current) return;
    sent.current = query.text;
    setText(query.text);
  }, [query.text, setText]);
}

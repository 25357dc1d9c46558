import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { type TagHit, tagSearchQuery } from '../api/tags.ts';
import { ComboBox } from '../ui/combo-box.tsx';

export type ChosenTag = { readonly id: number; readonly label: string; readonly type: TagHit['type'] };

/** Finds a tag option by what is typed, of one type or of any, and hands it over. */
export function TagField({
  label,
  isLabelHidden = false,
  type,
  placeholder = 'Name',
  autoFocus = false,
  onChoose,
}: {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** Such as `player`; any without it. */
  readonly type?: string;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly onChoose: (tag: ChosenTag) => void;
}) {
  const [text, setText] = useState('');
  const asked = text.trim();
  const { data, isFetching } = useQuery({
    ...tagSearchQuery({ text: asked, ...(type !== undefined && { type }) }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  });
  const found = asked === '' ? [] : (data?.tag_options ?? []);
  return (
    <ComboBox
      label={label}
      isLabelHidden={isLabelHidden}
      items={found.map((tag) => ({
        id: tag.ID,
        label: tag.label,
        icon: <Plus aria-hidden />,
        note: noteOf(tag, type),
      }))}
      text={text}
      onTextChange={setText}
      isLoading={isFetching}
      placeholder={placeholder}
      emptyText={asked === '' ? 'Type a name.' : 'Nothing of that name.'}
      autoFocus={autoFocus}
      onChoose={(id) => {
        const chosen = found.find((tag) => tag.ID === id);
        if (chosen) onChoose({ id: chosen.ID, label: chosen.label, type: chosen.type });
        setText('');
      }}
    />
  );
}

/** What tells two of the same name apart. */
function noteOf(tag: TagHit, type: string | undefined): string {
  if (tag.category !== null && tag.category !== '') return tag.category;
  if (tag.full_name !== null && tag.full_name !== tag.label) return tag.full_name;
  return type === undefined ? tag.type : '';
}

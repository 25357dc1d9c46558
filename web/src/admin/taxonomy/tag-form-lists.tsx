import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TagGroup } from '../../ui/tag-group.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { ExternalId } from './tag-draft.ts';

type ErrorAt = (pointer: string) => string | undefined;

/** Other names that people type. Enter adds one. */
export function AliasField({
  aliases,
  isReadOnly,
  error,
  onChange,
}: {
  readonly aliases: readonly string[];
  readonly isReadOnly: boolean;
  readonly error: string | undefined;
  readonly onChange: (aliases: readonly string[]) => void;
}) {
  const [text, setText] = useState('');
  const typed = text.trim();
  const add = () => {
    if (typed !== '') onChange([...aliases.filter((one) => one !== typed), typed]);
    setText('');
  };
  return (
    <section className="tag-part" aria-label="Other names">
      <TagGroup
        label="Other names"
        isLabelHidden={false}
        tags={aliases.map((alias) => ({ id: alias, label: alias }))}
        empty={<span className="quiet">None yet.</span>}
        {...(!isReadOnly && { onRemove: (id) => onChange(aliases.filter((one) => one !== id)) })}
      />
      {!isReadOnly && (
        <div className="tag-add">
          <TextField
            label="Another name"
            hint="Spellings, nicknames and short forms; all of them are searched."
            value={text}
            onChange={setText}
            error={error}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // The form would be sent.
              event.preventDefault();
              add();
            }}
          />
          <Button isDisabled={typed === ''} onPress={add}>
            <Plus aria-hidden /> Add
          </Button>
        </div>
      )}
    </section>
  );
}

/** What other systems call it. */
export function ExternalIdField({
  externalIds,
  isReadOnly,
  errorAt,
  onChange,
}: {
  readonly externalIds: readonly ExternalId[];
  readonly isReadOnly: boolean;
  readonly errorAt: ErrorAt;
  readonly onChange: (externalIds: readonly ExternalId[]) => void;
}) {
  const replace = (at: number, next: ExternalId) =>
    onChange(externalIds.map((one, index) => (index === at ? next : one)));
  return (
    <section className="tag-part" aria-label="IDs in other systems">
      <h3>IDs in other systems</h3>
      {externalIds.length === 0 && (
        <p className="quiet">None yet. A roster finds its players and clubs again by them.</p>
      )}
      {externalIds.map(({ source, id }, at) => (
        // A row is its place: source and ID are both being typed.
        <div key={at} className="tag-external">
          <TextField
            label="System"
            placeholder="opta"
            isReadOnly={isReadOnly}
            value={source}
            onChange={(text) => replace(at, { source: text, id })}
          />
          <TextField
            label="ID there"
            isReadOnly={isReadOnly}
            value={id}
            onChange={(text) => replace(at, { source, id: text })}
            error={errorAt(`/external_ids/${source}`)}
          />
          {!isReadOnly && (
            <IconButton
              icon={X}
              label={`Take the ID of ${source === '' ? 'this system' : source} away`}
              onPress={() => onChange(externalIds.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Button size="s" onPress={() => onChange([...externalIds, { source: '', id: '' }])}>
          <Plus aria-hidden /> Add an ID
        </Button>
      )}
    </section>
  );
}

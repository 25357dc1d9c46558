import type { Destination } from '../../api/destinations.ts';
import { Select } from '../../ui/select.tsx';
import type { DeliverDraft } from './deliver-draft.ts';

const SIDECARS = { none: 'None', json: 'JSON', xmp: 'XMP' } as const;
const COLLISIONS = {
  skip_same: 'Same file stays, another is replaced',
  overwrite: 'Is replaced',
  suffix: 'New file gets a number',
  fail: 'New file fails',
} as const;
const EMBED = { yes: 'Written into the copies', no: 'As the files are' } as const;

const optionsOf = <Value extends string>(words: Readonly<Record<Value, string>>, own: Value) => [
  { value: '' as const, label: `As the destination has it: ${words[own].toLowerCase()}` },
  // The keys of a record are what its type says.
  ...(Object.keys(words) as Value[]).map((value) => ({ value, label: words[value] })),
];

/** What goes beside and into the files, and what happens where the target has one of the name. */
export function SettingFields({
  draft,
  destination,
  onChange,
}: {
  readonly draft: DeliverDraft;
  readonly destination: Destination;
  readonly onChange: (part: Partial<DeliverDraft>) => void;
}) {
  // A target that fetches the files itself is told what a sidecar says, and names them as it likes.
  const fetches = destination.kind === 'webhook';
  const isPicture = draft.content === 'preset' || draft.content === 'recipe';
  return (
    <>
      <Select
        label="Metadata"
        isDisabled={isPicture}
        options={optionsOf(EMBED, destination.embed_metadata ? 'yes' : 'no')}
        value={draft.embed}
        onChange={(embed) => onChange({ embed })}
      />
      {!fetches && (
        <>
          <Select
            label="Sidecar"
            options={optionsOf(SIDECARS, destination.sidecar)}
            value={draft.sidecar}
            onChange={(sidecar) => onChange({ sidecar })}
          />
          <Select
            label="A file of the same name at the target"
            options={optionsOf(COLLISIONS, destination.collision)}
            value={draft.collision}
            onChange={(collision) => onChange({ collision })}
          />
        </>
      )}
    </>
  );
}

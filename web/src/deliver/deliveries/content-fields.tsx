import { useQuery } from '@tanstack/react-query';
import { imagePresetsQuery } from '../../api/deliveries.ts';
import type { Destination } from '../../api/destinations.ts';
import { useHasScope } from '../../api/me.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Choices } from '../choices.tsx';
import { QUALITY_OPTIONS } from '../content.ts';
import { type Content, type DeliverDraft, destinationContent } from './deliver-draft.ts';

/** What goes out of each asset: files that it has, or a picture made of it. */
export function ContentFields({
  draft,
  destination,
  recipeError,
  onChange,
}: {
  readonly draft: DeliverDraft;
  readonly destination: Destination;
  readonly recipeError: string | undefined;
  readonly onChange: (part: Partial<DeliverDraft>) => void;
}) {
  const canRead = useHasScope('media.read');
  const { data: presets = [] } = useQuery({ ...imagePresetsQuery, enabled: canRead });
  const options: readonly { readonly value: Content; readonly label: string }[] = [
    { value: 'destination', label: `As the destination has it: ${destinationContent(destination)}` },
    ...QUALITY_OPTIONS,
    { value: 'several', label: 'Several qualities' },
    ...(presets.length > 0 ? [{ value: 'preset', label: 'A picture by a preset' } as const] : []),
    { value: 'recipe', label: 'A picture made to measure' },
  ];
  const choose = (content: Content) => {
    const [first] = presets;
    const preset = draft.preset === '' ? (first?.name ?? '') : draft.preset;
    onChange({ content, ...(content === 'preset' && { preset }) });
  };
  return (
    <div className="deliver-field">
      <Select label="What goes out" options={options} value={draft.content} onChange={choose} />
      {draft.content === 'several' && (
        <Choices
          label="Qualities"
          options={QUALITY_OPTIONS}
          chosen={draft.qualities}
          onChange={(qualities) => onChange({ qualities })}
        />
      )}
      {draft.content === 'preset' && (
        <Select
          label="Preset"
          options={presets.map(({ name }) => ({ value: name, label: name }))}
          value={draft.preset}
          onChange={(preset) => onChange({ preset })}
        />
      )}
      {draft.content === 'recipe' && (
        <TextField
          label="Recipe"
          value={draft.recipe}
          onChange={(recipe) => onChange({ recipe })}
          error={recipeError}
          hint="Parameters as in image URLs: width, height, focus, format. Without fmt the picture is a JPEG."
        />
      )}
    </div>
  );
}

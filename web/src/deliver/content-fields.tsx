import { useQuery } from '@tanstack/react-query';
import { type Destination, imagePresetsQuery } from '../api/deliveries.ts';
import { useHasScope } from '../api/me.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type Content, type DeliverDraft, destinationContent, type Quality } from './deliver-draft.ts';
import { QUALITY_WORDS } from './words.ts';

const QUALITIES: readonly Quality[] = ['photographer', 'compressed', 'thumbnail'];

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
    ...QUALITIES.map((quality) => ({ value: quality, label: QUALITY_WORDS[quality] })),
    { value: 'several', label: 'Several qualities' },
    ...(presets.length > 0 ? [{ value: 'preset', label: 'A picture by a preset' } as const] : []),
    { value: 'recipe', label: 'A picture made to measure' },
  ];
  const choose = (content: Content) => {
    const [first] = presets;
    const preset = draft.preset === '' ? (first?.name ?? '') : draft.preset;
    onChange({ content, ...(content === 'preset' && { preset }) });
  };
  const toggle = (quality: Quality, isOn: boolean) =>
    onChange({ qualities: QUALITIES.filter((one) => (one === quality ? isOn : draft.qualities.includes(one))) });
  return (
    <div className="deliver-field">
      <Select label="What goes out" options={options} value={draft.content} onChange={choose} />
      {draft.content === 'several' && (
        <div className="deliver-checks" role="group" aria-label="Qualities">
          {QUALITIES.map((quality) => (
            <Checkbox
              key={quality}
              isSelected={draft.qualities.includes(quality)}
              onChange={(isOn) => toggle(quality, isOn)}
            >
              {QUALITY_WORDS[quality]}
            </Checkbox>
          ))}
        </div>
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

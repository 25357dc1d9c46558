import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { destinationsQuery } from '../../api/destinations.ts';
import type { Filter } from '../../api/media-search.ts';
import { fieldError } from '../../app/field-errors.ts';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Choices } from '../choices.tsx';
import { DEFAULT_PICTURE, QUALITY_OPTIONS } from '../content.ts';
import { PathPreview } from '../path-preview.tsx';
import { DestinationSelect } from './destination-select.tsx';
import type { Step } from './rule-draft.ts';

type Deliver = Extract<Step, { readonly do: 'deliver' }>;

const WHAT = [
  { value: 'default', label: 'What the destination has' },
  { value: 'qualities', label: 'Files of the asset' },
  { value: 'picture', label: 'A picture made to measure' },
] as const;

/** Where to, and what of the asset; the path is by the template of the destination. */
export function DeliverFields({
  step,
  onChange,
  pointer,
  filter,
  error,
}: {
  readonly step: Deliver;
  readonly onChange: (step: Step) => void;
  readonly pointer: string;
  /** Of the rule. */
  readonly filter: Filter;
  readonly error: unknown;
}) {
  const { data } = useQuery(destinationsQuery);
  const what = step.rendition ? 'picture' : step.qualities ? 'qualities' : 'default';
  const { qualities: _qualities, rendition: _rendition, ...plain } = step;
  const choose = (next: (typeof WHAT)[number]['value']) => {
    if (next === 'default') return onChange(plain);
    if (next === 'qualities') return onChange({ ...plain, qualities: ['photographer'] });
    return onChange({ ...plain, rendition: { kind: 'image', params: DEFAULT_PICTURE } });
  };
  const target = data?.find(({ id }) => id === step.destination_id);
  if (data?.length === 0) {
    return (
      <p className="quiet">
        There is no destination yet: <Link to="/deliver/destinations">make one</Link> first.
      </p>
    );
  }
  return (
    <>
      <div className="rule-step-fields">
        <DestinationSelect
          label="Destination"
          value={step.destination_id}
          onChange={(id) => onChange({ ...step, destination_id: id })}
          error={fieldError(error, `${pointer}/destination_id`)}
        />
        <Select label="What goes out" options={WHAT} value={what} onChange={choose} />
      </div>
      {what === 'qualities' && (
        <Choices
          label="Qualities"
          options={QUALITY_OPTIONS}
          chosen={step.qualities ?? []}
          onChange={(qualities) => onChange({ ...plain, qualities })}
        />
      )}
      {what === 'picture' && (
        <TextField
          label="Parameters, as in image URLs"
          value={step.rendition?.params ?? ''}
          onChange={(params) => onChange({ ...plain, rendition: { kind: 'image', params } })}
          error={fieldError(error, `${pointer}/rendition/params`)}
        />
      )}
      {target && (
        <PathPreview
          filter={filter}
          template={target.path_template}
          destination={{ id: target.id }}
          qualities={step.qualities ?? target.qualities}
          picture={step.rendition?.params ?? (step.qualities ? '' : (target.rendition?.params ?? ''))}
        />
      )}
    </>
  );
}

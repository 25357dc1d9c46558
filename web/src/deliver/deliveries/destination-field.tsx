import type { Destination } from '../../api/destinations.ts';
import { Select } from '../../ui/select.tsx';
import { healthWords } from './words.ts';

/** Where to, with how the target is at present. */
export function DestinationField({
  destinations,
  value,
  onChange,
}: {
  readonly destinations: readonly Destination[];
  readonly value: Destination;
  readonly onChange: (id: number) => void;
}) {
  const health = healthWords(value);
  const options = destinations.map(({ id, name, kind, paused }) => ({
    value: String(id),
    label: `${name} (${kind}${paused ? ', paused' : ''})`,
  }));
  return (
    <div className="deliver-field">
      <Select label="Destination" options={options} value={String(value.id)} onChange={(id) => onChange(Number(id))} />
      <p className={`deliver-health deliver-health-${health.tone}`} role="status">
        {health.text}
      </p>
    </div>
  );
}

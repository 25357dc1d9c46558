import { useQuery } from '@tanstack/react-query';
import { destinationsQuery } from '../../api/destinations.ts';
import { Select } from '../../ui/select.tsx';

/** One of the destinations. */
export function DestinationSelect({
  label,
  none,
  value,
  onChange,
  error,
}: {
  readonly label: string;
  /** What stands for no destination, where that is a choice. */
  readonly none?: string;
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined) => void;
  readonly error: string | undefined;
}) {
  const { data = [] } = useQuery(destinationsQuery);
  const isGone = value !== undefined && data.length > 0 && !data.some(({ id }) => id === value);
  const options = [
    ...(none === undefined ? [] : [{ value: '', label: none }]),
    ...data.map(({ id, name }) => ({ value: String(id), label: name })),
    ...(isGone ? [{ value: String(value), label: `Destination ${value}, which is gone` }] : []),
  ];
  return (
    <div className="ui-field">
      <Select
        label={label}
        options={options}
        value={value === undefined ? '' : String(value)}
        onChange={(id) => onChange(id === '' ? undefined : Number(id))}
        placeholder="Choose one"
        isInvalid={error !== undefined}
      />
      {error !== undefined && <p className="ui-field-error">{error}</p>}
    </div>
  );
}

import { Checkbox } from '../ui/checkbox.tsx';

/** Several of a few values, in the order in which they are listed. */
export function Choices<Value extends string>({
  label,
  options,
  chosen,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}) {
  return (
    <div role="group" aria-label={label} className="ui-field">
      <span className="ui-label" aria-hidden>
        {label}
      </span>
      <div className="deliver-choices">
        {options.map((option) => (
          <Checkbox
            key={option.value}
            isSelected={chosen.includes(option.value)}
            onChange={(on) =>
              onChange(
                options
                  .map(({ value }) => value)
                  .filter((value) => (value === option.value ? on : chosen.includes(value))),
              )
            }
          >
            {option.label}
          </Checkbox>
        ))}
      </div>
    </div>
  );
}

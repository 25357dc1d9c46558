import { RadioGroup as AriaRadioGroup, Label, Radio } from 'react-aria-components';
import './choices.css';

/** One of a few values, all of them in sight; each may explain itself. */
export function RadioGroup<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <AriaRadioGroup
      className="ui-field"
      value={value}
      onChange={(next) => {
        const chosen = options.find((option) => option.value === next);
        if (chosen) onChange(chosen.value);
      }}
    >
      <Label className="ui-label">{label}</Label>
      {options.map((option) => (
        <Radio key={option.value} value={option.value} className="ui-choice ui-radio">
          <span className="ui-radio-mark" aria-hidden />
          <span>
            {option.label}
            {option.hint !== undefined && <span className="ui-hint ui-choice-hint">{option.hint}</span>}
          </span>
        </Radio>
      ))}
    </AriaRadioGroup>
  );
}

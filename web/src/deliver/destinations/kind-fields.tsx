import { fieldError } from '../../app/field-errors.ts';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { FieldTexts } from './destination-draft.ts';
import type { KindField } from './destination-kinds.ts';

/** The fields of one kind: of its config, or of its secrets. */
export function KindFields({
  fields,
  texts,
  onChange,
  pointer,
  error,
}: {
  readonly fields: readonly KindField[];
  readonly texts: FieldTexts;
  readonly onChange: (texts: FieldTexts) => void;
  /** Of the object that they are members of, such as `/config`. */
  readonly pointer: string;
  readonly error: unknown;
}) {
  return (
    <div className="destination-fields">
      {fields.map((field) => (
        <KindFieldInput
          key={field.name}
          field={field}
          value={texts[field.name] ?? ''}
          onChange={(text) => onChange({ ...texts, [field.name]: text })}
          problem={fieldError(error, `${pointer}/${field.name}`)}
        />
      ))}
    </div>
  );
}

function KindFieldInput({
  field,
  value,
  onChange,
  problem,
}: {
  readonly field: KindField;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly problem: string | undefined;
}) {
  const { label, hint, placeholder, type, isRequired = false, isWide = false } = field;
  if (type === 'flag') {
    return (
      <div className="destination-wide">
        <Switch isSelected={value === 'true'} onChange={(on) => onChange(on ? 'true' : '')}>
          {label}
        </Switch>
        {hint !== undefined && <p className="ui-hint">{hint}</p>}
      </div>
    );
  }
  if (type === 'choice') {
    const chosen = value === '' ? (field.options[0]?.value ?? '') : value;
    return <Select label={label} options={field.options} value={chosen} onChange={onChange} />;
  }
  const isLong = type === 'long' || type === 'long-secret';
  const isSecret = type === 'secret' || type === 'long-secret';
  return (
    <TextField
      label={label}
      value={value}
      onChange={onChange}
      isRequired={isRequired}
      isMultiline={isLong}
      spellCheck="false"
      autoComplete={isSecret ? 'new-password' : 'off'}
      {...(type === 'secret' && { type: 'password' })}
      {...(type === 'number' && { inputMode: 'numeric' as const })}
      {...(hint !== undefined && { hint })}
      {...(placeholder !== undefined && { placeholder })}
      {...((isLong || isWide) && { className: 'destination-wide' })}
      error={problem}
    />
  );
}

import { ComboBox, Input, Label, ListBox, ListBoxItem, FieldError } from 'react-aria-components';
import { PopoverSurface } from '../../ui/popover.tsx';
import '../../ui/field.css';

const MAX_SHOWN = 20;

/** A text that others of its kind have already, or a new one. */
export function CategoryField({
  label,
  suggestions,
  value,
  isReadOnly,
  error,
  onChange,
}: {
  readonly label: string;
  readonly suggestions: readonly string[];
  readonly value: string;
  readonly isReadOnly: boolean;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}) {
  const typed = value.trim().toLowerCase();
  const shown = suggestions
    .filter((one) => one.toLowerCase().includes(typed) && one !== value)
    .slice(0, MAX_SHOWN)
    .map((text) => ({ id: text }));
  return (
    <ComboBox
      className="ui-field"
      items={shown}
      inputValue={value}
      onInputChange={onChange}
      value={null}
      onChange={(chosen) => {
        if (chosen !== null) onChange(String(chosen));
      }}
      allowsCustomValue
      menuTrigger="focus"
      isReadOnly={isReadOnly}
      isInvalid={error !== undefined}
    >
      <Label className="ui-label">{label}</Label>
      <Input className="ui-input" />
      <FieldError className="ui-field-error">{error}</FieldError>
      <PopoverSurface>
        <ListBox className="ui-list">
          {(item: { readonly id: string }) => (
            <ListBoxItem id={item.id} textValue={item.id} className="ui-item">
              {item.id}
            </ListBoxItem>
          )}
        </ListBox>
      </PopoverSurface>
    </ComboBox>
  );
}

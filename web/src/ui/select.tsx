import { ChevronDown } from 'lucide-react';
import {
  Select as AriaSelect,
  type SelectProps as AriaSelectProps,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  SelectValue,
} from 'react-aria-components';
import { classNames } from './class-names.ts';
import { PopoverSurface } from './popover.tsx';
import './button.css';
import './field.css';
import './select.css';

export type SelectOption<Value extends string> = { readonly value: Value; readonly label: string };

/** One of a few values. */
export function Select<Value extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
  className,
  ...rest
}: Omit<AriaSelectProps<object>, 'className' | 'children' | 'value' | 'onChange'> & {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly options: readonly SelectOption<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly className?: string;
}) {
  return (
    <AriaSelect
      {...rest}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      className={classNames('ui-field ui-select', className)}
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen) onChange(chosen.value);
      }}
    >
      {!isLabelHidden && <Label className="ui-label">{label}</Label>}
      <Button className="ui-button ui-select-button">
        <SelectValue className="ui-select-value" />
        <ChevronDown aria-hidden />
      </Button>
      <PopoverSurface>
        <ListBox className="ui-list">
          {options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} className="ui-item" textValue={option.label}>
              {option.label}
            </ListBoxItem>
          ))}
        </ListBox>
      </PopoverSurface>
    </AriaSelect>
  );
}

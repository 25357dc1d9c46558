import type { Ref } from 'react';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components';
import { classNames } from './class-names.ts';
import './field.css';

export type TextFieldProps = Omit<AriaTextFieldProps, 'className' | 'children'> & {
  readonly label: string;
  /** What belongs here, below the field. */
  readonly hint?: string;
  /** Why the value was refused; marks the field. */
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly isMultiline?: boolean;
  readonly className?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
};

export function TextField({
  label,
  hint,
  error,
  placeholder = '',
  isMultiline = false,
  className,
  inputRef,
  ...rest
}: TextFieldProps) {
  return (
    // Ours said, the field does not keep its form from being sent again; else the browser's own checks count, such as that a value is required.
    <AriaTextField
      validationBehavior={error === undefined ? 'native' : 'aria'}
      {...rest}
      {...(error !== undefined && { isInvalid: true })}
      className={classNames('ui-field', className)}
    >
      <Label className="ui-label">{label}</Label>
      {isMultiline ? (
        <TextArea className="ui-input" placeholder={placeholder} />
      ) : (
        <Input {...(inputRef && { ref: inputRef })} className="ui-input" placeholder={placeholder} />
      )}
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="ui-hint">
          {hint}
        </Text>
      )}
      <FieldError className="ui-field-error">{error}</FieldError>
    </AriaTextField>
  );
}

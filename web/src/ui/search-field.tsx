import { Search, X } from 'lucide-react';
import type { Ref } from 'react';
import {
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
  Button,
  Input,
} from 'react-aria-components';
import { classNames } from './class-names.ts';
import './button.css';
import './field.css';

export type SearchFieldProps = Omit<AriaSearchFieldProps, 'className' | 'children'> & {
  readonly label: string;
  readonly placeholder?: string;
  readonly className?: string;
  readonly inputRef?: Ref<HTMLInputElement>;
};

/** A field to search or narrow with; Escape empties it. Its label is for screen readers. */
export function SearchField({ label, placeholder, className, inputRef, ...rest }: SearchFieldProps) {
  return (
    <AriaSearchField {...rest} aria-label={label} className={classNames('ui-field ui-search', className)}>
      <div className="ui-input-frame">
        <Search aria-hidden />
        <Input {...(inputRef && { ref: inputRef })} className="ui-input" placeholder={placeholder ?? label} />
        <Button className="ui-button ui-button-quiet ui-button-s ui-icon-button" aria-label="Clear">
          <X aria-hidden />
        </Button>
      </div>
    </AriaSearchField>
  );
}

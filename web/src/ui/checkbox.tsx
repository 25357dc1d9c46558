import { Check, Minus } from 'lucide-react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components';
import type { ReactNode } from 'react';
import './choices.css';

export function Checkbox({
  children,
  ...rest
}: Omit<CheckboxProps, 'className' | 'children'> & { readonly children?: ReactNode }) {
  return (
    <AriaCheckbox {...rest} className="ui-choice">
      {({ isIndeterminate, isSelected }) => (
        <>
          <span className="ui-check" aria-hidden>
            {isIndeterminate ? <Minus /> : isSelected ? <Check /> : null}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  );
}

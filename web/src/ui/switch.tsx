import type { ReactNode } from 'react';
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components';
import './choices.css';

export function Switch({
  children,
  ...rest
}: Omit<SwitchProps, 'className' | 'children'> & { readonly children?: ReactNode }) {
  return (
    <AriaSwitch {...rest} className="ui-choice ui-switch">
      <span className="ui-switch-track" aria-hidden />
      {children}
    </AriaSwitch>
  );
}

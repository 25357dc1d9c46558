import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { classNames } from './class-names.ts';
import './button.css';

export type ButtonProps = Omit<AriaButtonProps, 'className'> & {
  /** `primary` is the one thing to do here, `danger` what cannot be taken back. */
  readonly tone?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly size?: 'm' | 's';
  readonly className?: string;
};

/** A button with a text, perhaps beside an icon. */
export function Button({ tone = 'plain', size = 'm', className, ...rest }: ButtonProps) {
  return (
    <AriaButton
      {...rest}
      className={classNames('ui-button', `ui-button-${tone}`, size === 's' && 'ui-button-s', className)}
    />
  );
}

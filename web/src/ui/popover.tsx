import type { ReactElement, ReactNode } from 'react';
import {
  Popover as AriaPopover,
  type PopoverProps as AriaPopoverProps,
  Dialog,
  DialogTrigger,
} from 'react-aria-components';
import { classNames } from './class-names.ts';
import './popover.css';

/** The surface of everything that opens beside what opened it; Select, ComboBox and Menu use it too. */
export function PopoverSurface({
  className,
  ...rest
}: Omit<AriaPopoverProps, 'className'> & { readonly className?: string }) {
  return <AriaPopover offset={4} {...rest} className={classNames('ui-popover', className)} />;
}

/** A button, and what opens beside it. */
export function Popover({
  trigger,
  label,
  placement = 'bottom start',
  isOpen,
  onOpenChange,
  children,
}: {
  readonly trigger: ReactElement;
  /** What it is for, to screen readers. */
  readonly label: string;
  readonly placement?: AriaPopoverProps['placement'];
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly children: ReactNode | ((actions: { readonly close: () => void }) => ReactNode);
}) {
  const state = {
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(onOpenChange === undefined ? {} : { onOpenChange }),
  };
  return (
    <DialogTrigger {...state}>
      {trigger}
      <PopoverSurface {...(placement === undefined ? {} : { placement })}>
        <Dialog aria-label={label} className="ui-popover-content">
          {children}
        </Dialog>
      </PopoverSurface>
    </DialogTrigger>
  );
}

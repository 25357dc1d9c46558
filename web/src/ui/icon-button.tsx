import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps } from './button.tsx';
import { classNames } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

export type IconButtonProps = Omit<ButtonProps, 'children' | 'aria-label'> & {
  readonly icon: LucideIcon;
  /** What it does, in the imperative: the accessible name, and the tooltip. */
  readonly label: string;
  /** A shortcut that does the same, shown in the tooltip. */
  readonly keys?: string;
};

/** A button that is an icon; its label is shown when it is pointed at or focused. */
export function IconButton({ icon: Icon, label, keys, tone = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
      <Button {...rest} tone={tone} aria-label={label} className={classNames('ui-icon-button', className)}>
        <Icon aria-hidden />
      </Button>
    </Tooltip>
  );
}

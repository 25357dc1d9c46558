import type { LucideIcon } from 'lucide-react';
import { Fragment, type ReactElement } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, type PopoverProps, Separator } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { Kbd } from './kbd.tsx';
import { PopoverSurface } from './popover.tsx';

export type MenuEntry = {
  readonly id: string;
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly keys?: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** A line above it. */
  readonly startsGroup?: boolean;
  readonly onAction: () => void;
};

/** A button, and the menu that it opens. */
export function Menu({
  trigger,
  label,
  entries,
  placement = 'bottom start',
}: {
  readonly trigger: ReactElement;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  readonly placement?: PopoverProps['placement'];
}) {
  return (
    <MenuTrigger>
      {trigger}
      <PopoverSurface {...(placement === undefined ? {} : { placement })}>
        <AriaMenu className="ui-list" aria-label={label}>
          {entries.map(({ id, label: text, icon: Icon, keys, isDanger, isDisabled, startsGroup, onAction }) => (
            <Fragment key={id}>
              {startsGroup === true && <Separator className="ui-separator" />}
              <MenuItem
                id={id}
                textValue={text}
                isDisabled={isDisabled === true}
                onAction={onAction}
                className={classNames('ui-item', isDanger === true && 'ui-item-danger')}
              >
                {Icon && <Icon aria-hidden />}
                <span>{text}</span>
                {keys !== undefined && (
                  <span className="ui-item-note">
                    <Kbd keys={keys} />
                  </span>
                )}
              </MenuItem>
            </Fragment>
          ))}
        </AriaMenu>
      </PopoverSurface>
    </MenuTrigger>
  );
}

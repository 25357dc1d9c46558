import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { ReturnFocus } from './return-focus.tsx';
import './dialog.css';

export type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** `drawer` comes from the right and is as high as the window, `sheet` from below; a dialog is a sheet on a phone. */
  readonly kind?: 'dialog' | 'drawer' | 'sheet';
  readonly width?: 's' | 'm' | 'l';
  /** Buttons, at the end. */
  readonly footer?: ReactNode;
  /** For what must not be left by a click beside it, or by Escape. */
  readonly mustDecide?: boolean;
  readonly children: ReactNode;
};

/** What has to be dealt with before going on; the rest of the page can be neither clicked nor tabbed to meanwhile. */
export function Dialog({
  title,
  isOpen,
  onClose,
  kind = 'dialog',
  width = 'm',
  footer,
  mustDecide = false,
  children,
}: DialogProps) {
  return (
    <ModalOverlay
      className="ui-scrim"
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!mustDecide}
      isKeyboardDismissDisabled={mustDecide}
    >
      <Modal className={classNames('ui-modal', `ui-modal-${kind}`, `ui-modal-${width}`)}>
        <AriaDialog className="ui-dialog" {...(mustDecide ? { role: 'alertdialog' } : {})}>
          <ReturnFocus />
          <header className="ui-dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            {!mustDecide && <IconButton icon={X} label="Close" keys="escape" onPress={onClose} />}
          </header>
          <div className="ui-dialog-body">{children}</div>
          {footer !== undefined && <footer className="ui-dialog-foot">{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** A panel from the right: `Dialog` with `kind="drawer"`. */
export function Drawer(props: Omit<DialogProps, 'kind'>) {
  return <Dialog {...props} kind="drawer" />;
}

/** A panel from below: `Dialog` with `kind="sheet"`. */
export function Sheet(props: Omit<DialogProps, 'kind'>) {
  return <Dialog {...props} kind="sheet" />;
}

import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemNote } from './problem-view.tsx';
import './confirm-dialog.css';

/** Asks before something is done that cannot simply be taken back. */
export function ConfirmDialog({
  title,
  action,
  cancel = 'Cancel',
  tone = 'danger',
  mustDecide = false,
  isPending = false,
  isDisabled = false,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button says. */
  readonly action: string;
  /** And the one beside it, which does nothing. */
  readonly cancel?: string;
  readonly tone?: 'danger' | 'primary';
  /** For what is lost for good: a stray Escape or Enter decides nothing. */
  readonly mustDecide?: boolean;
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog
      title={title}
      isOpen
      mustDecide={mustDecide}
      width={mustDecide ? 's' : 'm'}
      onClose={onClose}
      footer={
        <>
          <Button autoFocus={mustDecide} onPress={onClose}>
            {cancel}
          </Button>
          <Button tone={tone} isPending={isPending} isDisabled={isDisabled} onPress={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="confirm">
        {children}
        <ProblemNote error={error} />
      </div>
    </Dialog>
  );
}

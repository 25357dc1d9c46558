import type { ReactNode } from 'react';
import { ProblemNote } from '../app/problem-view.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Asks before something is done that cannot simply be taken back. */
export function ConfirmDialog({
  title,
  action,
  tone = 'danger',
  isPending,
  isDisabled = false,
  error,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** What the button says. */
  readonly action: string;
  readonly tone?: 'danger' | 'primary';
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button tone={tone} isPending={isPending} isDisabled={isDisabled} onPress={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="admin-form">
        {children}
        <ProblemNote error={error} />
      </div>
    </Dialog>
  );
}

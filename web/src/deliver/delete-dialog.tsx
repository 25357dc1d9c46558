import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../app/confirm-dialog.tsx';

/** Asks before something goes that does not come back, and says what goes with it. */
export function DeleteDialog({
  title,
  confirm,
  run,
  onClose,
  children,
}: {
  readonly title: string;
  readonly confirm: string;
  readonly run: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { mutate, isPending, error } = useMutation({ mutationFn: run, onSuccess: onClose });
  return (
    <ConfirmDialog
      title={title}
      action={confirm}
      mustDecide
      isPending={isPending}
      error={error}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <p>{children}</p>
    </ConfirmDialog>
  );
}

import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNote } from '../app/problem-view.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

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
    <Dialog
      title={title}
      isOpen
      mustDecide
      width="s"
      onClose={onClose}
      footer={
        <>
          <Button autoFocus onPress={onClose}>
            Cancel
          </Button>
          <Button tone="danger" isPending={isPending} onPress={() => mutate()}>
            {confirm}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <ProblemNote error={error} />
    </Dialog>
  );
}

import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Keeps a form with something in it from being lost by a stray Escape or click: `close` asks first. */
export function useDiscardGuard(isChanged: boolean, onClose: () => void): { close: () => void; question: ReactNode } {
  const [isAsking, setAsking] = useState(false);
  const close = () => (isChanged ? setAsking(true) : onClose());
  const question = isAsking && (
    <ConfirmDialog
      title="Leave without saving?"
      action="Leave"
      cancel="Go on editing"
      mustDecide
      onConfirm={onClose}
      onClose={() => setAsking(false)}
    >
      <p>What you have entered is lost then.</p>
    </ConfirmDialog>
  );
  return { close, question };
}

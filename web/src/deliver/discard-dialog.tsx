import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Keeps a form with something in it from being lost by a stray Escape or click: `close` asks first. */
export function useDiscardGuard(isChanged: boolean, onClose: () => void): { close: () => void; question: ReactNode } {
  const [isAsking, setAsking] = useState(false);
  const close = () => (isChanged ? setAsking(true) : onClose());
  const question = isAsking && (
    <Dialog
      title="Leave without saving?"
      isOpen
      mustDecide
      width="s"
      onClose={() => setAsking(false)}
      footer={
        <>
          <Button autoFocus onPress={() => setAsking(false)}>
            Go on editing
          </Button>
          <Button tone="danger" onPress={onClose}>
            Leave
          </Button>
        </>
      }
    >
      <p>What you have entered is lost then.</p>
    </Dialog>
  );
  return { close, question };
}

import { Copy, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { showToast } from '../ui/toast.tsx';

/** Shows a secret that the service tells once. It cannot be left by mistake. */
export function SecretDialog({
  title,
  label,
  secret,
  children,
  onDone,
}: {
  readonly title: string;
  /** What the secret is: `API key`. */
  readonly label: string;
  readonly secret: string;
  /** What to do with it. */
  readonly children: ReactNode;
  readonly onDone: () => void;
}) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      showToast({ tone: 'ok', text: `The ${label} is copied.` });
    } catch {
      showToast({ tone: 'error', text: `The ${label} was not copied.`, detail: 'Select it, and copy it by hand.' });
    }
  };
  return (
    <Dialog
      title={title}
      isOpen
      mustDecide
      onClose={onDone}
      footer={
        <>
          <Button onPress={() => void copy()}>
            <Copy aria-hidden /> Copy
          </Button>
          <Button tone="primary" onPress={onDone}>
            I have kept it
          </Button>
        </>
      }
    >
      <div className="admin-form">
        <p className="admin-warning">
          <TriangleAlert aria-hidden />
          <span>This is shown once. The service keeps it in no form that it could show again.</span>
        </p>
        <TextField label={label} value={secret} isReadOnly isMultiline autoFocus className="admin-secret" />
        {children}
      </div>
    </Dialog>
  );
}

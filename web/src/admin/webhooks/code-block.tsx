import { Copy } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';

/** A text for programs, to be read and copied. */
export function CodeBlock({ label, text }: { readonly label: string; readonly text: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast({ tone: 'ok', text: `${label}: copied.` });
    } catch {
      showToast({ tone: 'error', text: `${label}: not copied.`, detail: 'Select it, and copy it by hand.' });
    }
  };
  return (
    <div className="admin-code">
      {/* Scrolls within itself, so it has to be reached by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Button size="s" onPress={() => void copy()}>
        <Copy aria-hidden /> Copy
      </Button>
    </div>
  );
}

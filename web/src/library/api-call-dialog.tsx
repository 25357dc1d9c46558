import { Copy } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { showToast } from '../ui/toast.tsx';
import { curlOf, typescriptOf } from './api-call.ts';
import type { SavedRequest } from './saved-request.ts';
import './api-call-dialog.css';

/** The present search as a call of the API, to be copied. The key is not shown: the call reads it from the environment. */
export function ApiCallDialog({
  request,
  isOpen,
  onClose,
}: {
  readonly request: SavedRequest;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const baseUrl = window.location.origin;
  return (
    <Dialog title="This search as an API call" isOpen={isOpen} onClose={onClose} width="l">
      <Tabs
        label="Language"
        tabs={[
          { id: 'curl', label: 'curl', content: <Code name="command" text={curlOf(request, baseUrl)} /> },
          {
            id: 'typescript',
            label: 'TypeScript',
            content: <Code name="code" text={typescriptOf(request, baseUrl)} />,
          },
        ]}
      />
      <p className="quiet api-call-note">
        Set <code>TOUCHLINE_KEY</code> to your API key. What else a search can do is in the{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          documentation of the API
        </a>
        .
      </p>
    </Dialog>
  );
}

function Code({ name, text }: { readonly name: string; readonly text: string }) {
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => showToast({ tone: 'ok', text: `The ${name} was copied.` }),
      () =>
        showToast({ tone: 'error', text: `The ${name} was not copied.`, detail: 'Select it, and copy it by hand.' }),
    );
  };
  return (
    <div className="api-call">
      {/* Scrolls within itself, so it has to be reached by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={`The ${name}`}>
        {text}
      </pre>
      <Button size="s" onPress={copy}>
        <Copy aria-hidden /> Copy
      </Button>
    </div>
  );
}

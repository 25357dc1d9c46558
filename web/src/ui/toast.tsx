import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as AriaToastContent,
  UNSTABLE_ToastQueue as AriaToastQueue,
  UNSTABLE_ToastRegion as AriaToastRegion,
  Text,
} from 'react-aria-components';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import './toast.css';

export type Toast = {
  readonly tone: 'info' | 'ok' | 'error';
  readonly text: string;
  /** What to do about it, or where to look. */
  readonly detail?: string | undefined;
  /** Such as Undo. */
  readonly action?: { readonly label: string; readonly run: () => void };
};

const queue = new AriaToastQueue<Toast>({ maxVisibleToasts: 4 });
/** Long enough to read and to reach the button; what failed stays until it is closed. */
const SHOWN_MS = 6000;

/** Says something at the edge of the screen, and answers how to take it away. */
export function showToast(toast: Toast): () => void {
  const key = queue.add(toast, toast.tone === 'error' ? {} : { timeout: SHOWN_MS });
  return () => queue.close(key);
}

const ICONS = { info: Info, ok: CircleCheck, error: CircleAlert };

/** Where toasts appear; once, at the root of the application. F6 moves the focus there. */
export function ToastRegion() {
  return (
    <AriaToastRegion queue={queue} className="ui-toasts" aria-label="Messages">
      {({ toast }) => {
        const { tone, text, detail, action } = toast.content;
        const Icon = ICONS[tone];
        return (
          <AriaToast toast={toast} className={`ui-toast ui-toast-${tone}`}>
            <Icon aria-hidden />
            <AriaToastContent className="ui-toast-content">
              <Text slot="title">{text}</Text>
              {detail !== undefined && (
                <Text slot="description" className="ui-toast-detail">
                  {detail}
                </Text>
              )}
            </AriaToastContent>
            {action && (
              <Button
                size="s"
                tone="quiet"
                onPress={() => {
                  action.run();
                  queue.close(toast.key);
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton icon={X} label="Dismiss" size="s" slot="close" />
          </AriaToast>
        );
      }}
    </AriaToastRegion>
  );
}

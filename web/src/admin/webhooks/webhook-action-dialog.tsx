import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWebhookReplays, useWebhookWrites, type Webhook } from '../../api/webhooks.ts';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { plural } from '../../ui/format.ts';
import { showToast } from '../../ui/toast.tsx';
import { formatMoment } from '../../ui/when.ts';
import type { WebhookAction } from './webhook-actions.tsx';
import { EditWebhookDialog } from './webhook-dialog.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

type Props = { readonly webhook: Webhook; readonly onClose: () => void };

/** The dialog of what was chosen to be done with a webhook. */
export function WebhookActionDialog({ action, ...props }: Props & { readonly action: WebhookAction }) {
  if (action === 'edit') return <EditWebhookDialog {...props} />;
  if (action === 'rotate') return <RotateDialog {...props} />;
  if (action === 'replay') return <ReplayDialog {...props} after={0} />;
  return <DeleteDialog {...props} />;
}

function RotateDialog({ webhook, onClose }: Props) {
  const { rotate } = useWebhookWrites(webhook.id);
  const [made, setMade] = useState<{ readonly secret: string; readonly until: string | null }>();
  if (made) {
    return (
      <WebhookSecret
        name={webhook.name}
        secret={made.secret}
        {...(made.until !== null && { previousUntil: formatMoment(made.until) })}
        onDone={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={`A new secret for ${webhook.name}?`}
      action="Make a new secret"
      tone="primary"
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() =>
        rotate.mutate(undefined, {
          onSuccess: ({ secret, webhook: { previous_secret_until: until } }) =>
            setMade({ secret: secret ?? '', until }),
        })
      }
      onClose={onClose}
    >
      <p>
        For 24 hours both secrets sign every message. Your server has to know the new one by then: after that, it alone
        signs.
      </p>
    </ConfirmDialog>
  );
}

/** Sends all events behind one again. */
export function ReplayDialog({ webhook, after, onClose }: Props & { readonly after: number }) {
  const { range } = useWebhookReplays(webhook.id);
  return (
    <ConfirmDialog
      title="Send events again?"
      action="Send again"
      tone="primary"
      isPending={range.isPending}
      error={range.error}
      onConfirm={() =>
        range.mutate(after, {
          onSuccess: (queued) => {
            showToast({ tone: 'ok', text: `${plural(queued, 'message')} will be sent.` });
            onClose();
          },
        })
      }
      onClose={onClose}
    >
      <p>
        {after === 0 ? 'All events of the last 30 days' : `All events from number ${after + 1} on`} that this webhook
        asks for are sent, in their order: also those that were taken in, and those from before it was made. Your server
        knows what it has seen by the header <code>webhook-id</code>.
      </p>
    </ConfirmDialog>
  );
}

function DeleteDialog({ webhook, onClose }: Props) {
  const navigate = useNavigate();
  const { remove } = useWebhookWrites(webhook.id);
  return (
    <ConfirmDialog
      title={`Delete ${webhook.name}?`}
      action="Delete"
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            showToast({ tone: 'ok', text: `${webhook.name} is deleted.` });
            void navigate({ to: '/admin/webhooks', search: {} });
          },
        })
      }
      onClose={onClose}
    >
      <p>
        Nothing is sent to <code>{webhook.url}</code> any more, and its log goes too. To stop it for a while only,
        disable it.
      </p>
    </ConfirmDialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { type Webhook, webhooksQuery } from '../../api/webhooks.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatDay } from '../../ui/when.ts';
import { describeEvents } from './event-choice.ts';
import { NewWebhookDialog } from './webhook-dialog.tsx';
import { WebhookSecret } from './webhook-secret.tsx';
import { stateOfWebhook } from './webhook-state.ts';

type Open = 'create' | { readonly webhook: Webhook; readonly secret: string };

/** All webhooks, and the way to make one. */
export function WebhookList() {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery);
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  if (error && !webhooks) return <ProblemView error={error} onRetry={() => void refetch()} />;
  if (!webhooks) return <Skeleton height={240} />;

  const create = (
    <Button tone="primary" onPress={() => setOpen('create')}>
      <Plus aria-hidden /> New webhook
    </Button>
  );
  return (
    <section aria-label="Webhooks">
      {webhooks.length === 0 ? (
        <EmptyState icon={WebhookIcon} title="No webhook yet" actions={create}>
          A webhook tells a server of yours what happens in the library, within a second: a photo is ready, a delivery
          has failed. Name the URL that takes the messages.
        </EmptyState>
      ) : (
        <>
          <header className="admin-bar">
            <p className="quiet admin-bar-text">
              Each tells a server of yours what happens in the library, and tries for 3 days until it is taken in.
            </p>
            {create}
          </header>
          <ul className="admin-list">
            {webhooks.map((webhook) => (
              <WebhookItem key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        </>
      )}
      {open === 'create' && (
        <NewWebhookDialog
          onClose={() => setOpen(undefined)}
          onCreated={(webhook, secret) => setOpen({ webhook, secret })}
        />
      )}
      {typeof open === 'object' && (
        <WebhookSecret
          name={open.webhook.name}
          secret={open.secret}
          onDone={() => {
            setOpen(undefined);
            void navigate({ to: '/admin/webhooks', search: { webhook: String(open.webhook.id) } });
          }}
        />
      )}
    </section>
  );
}

function WebhookItem({ webhook }: { readonly webhook: Webhook }) {
  const { tone, text, reason } = stateOfWebhook(webhook);
  return (
    <li className="admin-item admin-item-2">
      <div className="admin-item-head">
        <h3>
          <Link to="/admin/webhooks" search={{ webhook: String(webhook.id) }}>
            {webhook.name}
          </Link>
        </h3>
        <Badge tone={tone}>{text}</Badge>
      </div>
      <div className="admin-item-text">
        <code>{webhook.url}</code>
        {reason !== undefined && <p className="quiet">{reason}</p>}
      </div>
      <Facts
        layout="columns"
        facts={[
          ['Events', describeEvents(webhook.types)],
          ['Created', formatDay(webhook.created_at)],
        ]}
      />
    </li>
  );
}

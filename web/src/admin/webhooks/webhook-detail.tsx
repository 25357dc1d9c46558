import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useWebhookWrites, type Webhook, webhookQuery } from '../../api/webhooks.ts';
import { ProblemView, showProblem } from '../../app/problem-view.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { formatDay } from '../../ui/when.ts';
import { useFocusHome } from '../use-focus-home.ts';
import { describeEvents } from './event-choice.ts';
import { MessageLog } from './message-log.tsx';
import { PingResult } from './ping-result.tsx';
import { WebhookActionDialog } from './webhook-action-dialog.tsx';
import { WebhookActions, type WebhookAction } from './webhook-actions.tsx';
import { stateOfWebhook } from './webhook-state.ts';

/** One webhook: how it is, what can be done with it, and what was sent. */
export function WebhookDetail({ id }: { readonly id: number }) {
  const { data: webhook, error, refetch } = useQuery(webhookQuery(id));
  const back = (
    <Link to="/admin/webhooks" search={{}} className="admin-back">
      <ArrowLeft aria-hidden /> All webhooks
    </Link>
  );
  if (error && !webhook) return <ProblemView error={error} onRetry={() => void refetch()} actions={back} />;
  if (!webhook) return <Skeleton height={320} />;
  return (
    <article aria-label={webhook.name}>
      {back}
      <WebhookHead webhook={webhook} />
      <MessageLog webhook={webhook} />
    </article>
  );
}

function WebhookHead({ webhook }: { readonly webhook: Webhook }) {
  const { change, ping } = useWebhookWrites(webhook.id);
  const [action, setAction] = useState<WebhookAction>();
  const { ref, focusHome } = useFocusHome();
  const { tone, text, reason } = stateOfWebhook(webhook);
  const setStatus = (status: Webhook['status']) =>
    change.mutate(
      { body: { status }, version: webhook.version },
      { onError: (error) => showProblem(error, `${webhook.name} was not changed.`) },
    );
  return (
    <>
      <header className="admin-bar admin-bar-top admin-home" ref={ref} tabIndex={-1}>
        <div className="admin-item-head">
          <h2>{webhook.name}</h2>
          <Badge tone={tone}>{text}</Badge>
        </div>
        <WebhookActions
          webhook={webhook}
          isPinging={ping.isPending}
          onPing={() => ping.mutate()}
          onAction={setAction}
          onDisable={() => setStatus('disabled')}
        />
      </header>
      <p className="admin-url">
        <code>{webhook.url}</code>
      </p>
      {reason !== undefined && (
        <div className="admin-warning admin-state" role="status">
          <TriangleAlert aria-hidden />
          <p>
            {reason}
            {webhook.status === 'disabled' && ' Enabled again, it goes on where it stopped, as far as events are kept.'}
          </p>
          {webhook.status === 'disabled' && (
            <Button tone="primary" isPending={change.isPending} onPress={() => setStatus('active')}>
              Enable
            </Button>
          )}
        </div>
      )}
      <PingResult isPending={ping.isPending} result={ping.data} error={ping.error} />
      <WebhookFacts webhook={webhook} />
      {action && (
        <WebhookActionDialog
          action={action}
          webhook={webhook}
          onClose={() => {
            setAction(undefined);
            focusHome();
          }}
        />
      )}
    </>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { previous_secret_until: until } = webhook;
  return (
    <Facts
      layout="columns"
      facts={[
        ['Events', describeEvents(webhook.types)],
        [
          'Messages are sent',
          webhook.concurrency === 1 ? 'In the order of their events' : `${webhook.concurrency} at a time`,
        ],
        until === null
          ? ['Created', formatDay(webhook.created_at)]
          : ['The old secret signs until', <Moment key="until" at={until} />],
      ]}
    />
  );
}

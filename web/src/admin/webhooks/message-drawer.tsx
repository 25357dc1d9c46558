import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  useWebhookReplays,
  type Webhook,
  type WebhookAttempt,
  type WebhookMessage,
  webhookMessageQuery,
} from '../../api/webhooks.ts';
import { ProblemView, showProblem } from '../../app/problem-view.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Drawer } from '../../ui/dialog.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { formatMoment } from '../../ui/when.ts';
import { CodeBlock } from './code-block.tsx';
import { ReplayDialog } from './webhook-action-dialog.tsx';
import { answerOf, isTakenIn, MESSAGE_STATES } from './webhook-state.ts';

/** One message: each try with what was answered, what it says, and the way to send it again. */
export function MessageDrawer({
  webhook,
  id,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly id: number;
  readonly onClose: () => void;
}) {
  const { data, error, refetch } = useQuery(webhookMessageQuery(webhook.id, id));
  return (
    <Drawer title={data ? data.message.event.type : 'Message'} width="l" isOpen onClose={onClose}>
      {data ? (
        <div className="admin-form">
          <MessageHead webhook={webhook} message={data.message} />
          <section className="admin-form">
            <h3>Tries</h3>
            {data.message.attempts.length === 0 && <p className="quiet">None yet.</p>}
            <ol className="admin-attempts">
              {data.message.attempts.toReversed().map((attempt) => (
                <Attempt key={attempt.started_at} attempt={attempt} />
              ))}
            </ol>
          </section>
          <section className="admin-form">
            <h3>What is posted</h3>
            {data.payload === null ? (
              <p className="quiet">The event is not kept any more, so what was posted cannot be shown.</p>
            ) : (
              <CodeBlock label="Payload" text={JSON.stringify(data.payload, null, 2)} />
            )}
          </section>
        </div>
      ) : error ? (
        <ProblemView error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
    </Drawer>
  );
}

function MessageHead({ webhook, message }: { readonly webhook: Webhook; readonly message: WebhookMessage }) {
  const { message: replay } = useWebhookReplays(webhook.id);
  const [isRangeOpen, setRangeOpen] = useState(false);
  const isDisabled = webhook.status === 'disabled';
  const { tone, text } = MESSAGE_STATES[message.state];
  const sendAgain = () =>
    replay.mutate(message.id, {
      onSuccess: () => showToast({ tone: 'ok', text: 'The message is sent again.' }),
      onError: (error) => showProblem(error, 'The message was not sent again.'),
    });
  return (
    <>
      <Facts
        layout="columns"
        facts={[
          [
            'State',
            <Badge key="state" tone={tone}>
              {text}
            </Badge>,
          ],
          ['Event', `${message.event.id}`],
          message.next_attempt_at === null
            ? ['Made', <Moment key="made" at={message.created_at} />]
            : ['Next try', isDisabled ? 'Once it is enabled' : <Moment at={message.next_attempt_at} />],
        ]}
      />
      <p className="quiet">
        Header <code>webhook-id</code>: <code>{message.message_id}</code>
      </p>
      <div className="admin-buttons">
        <Button tone="primary" isDisabled={isDisabled} isPending={replay.isPending} onPress={sendAgain}>
          Send again
        </Button>
        <Button isDisabled={isDisabled} onPress={() => setRangeOpen(true)}>
          Send this and all later ones again…
        </Button>
      </div>
      {isDisabled && <p className="quiet">The webhook is disabled: enable it to send anything.</p>}
      {isRangeOpen && (
        <ReplayDialog webhook={webhook} after={message.event.id - 1} onClose={() => setRangeOpen(false)} />
      )}
    </>
  );
}

function Attempt({ attempt }: { readonly attempt: WebhookAttempt }) {
  return (
    <li>
      <div className="admin-attempt-head">
        <Badge tone={isTakenIn(attempt) ? 'ok' : 'danger'}>{answerOf(attempt)}</Badge>
        <span className="quiet">{formatMoment(attempt.started_at)}</span>
      </div>
      {attempt.error !== null && <p className="quiet">{attempt.error}</p>}
      {attempt.excerpt !== null && <pre className="admin-excerpt">{attempt.excerpt}</pre>}
    </li>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type MessageState, type Webhook, type WebhookMessage, webhookMessagesQuery } from '../../api/webhooks.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { useMediaQuery } from '../../library/use-media-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { MessageDrawer } from './message-drawer.tsx';
import { answerOf, MESSAGE_STATES } from './webhook-state.ts';

const FILTERS = [
  { value: '', label: 'All messages' },
  { value: 'pending', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
] as const;
const isState = (text: string | undefined): text is MessageState => text !== undefined && text in MESSAGE_STATES;

/** What was sent, newest first, with what came back; one of them opens beside it. */
export function MessageLog({ webhook }: { readonly webhook: Webhook }) {
  const search = useSearch({ from: '/admin/webhooks' });
  const navigate = useNavigate();
  const isNarrow = useMediaQuery('(max-width: 600px)');
  const state = isState(search['state']) ? search['state'] : undefined;
  const log = useInfiniteQuery(webhookMessagesQuery(webhook.id, state));
  const go = (change: Readonly<Record<string, string>>) =>
    void navigate({ to: '/admin/webhooks', search: { ...search, ...change }, replace: true });
  const message = Number(search['message']);
  return (
    <section className="admin-log" aria-label="Delivery log">
      <header className="admin-bar">
        <h2>Delivery log</h2>
        <Select
          label="Which messages"
          isLabelHidden
          options={FILTERS}
          value={state ?? ''}
          onChange={(next) => go({ state: next })}
        />
      </header>
      {log.data ? (
        <Table
          label="Messages"
          columns={isNarrow ? NARROW : COLUMNS}
          items={log.data.pages.flatMap(({ messages }) => messages)}
          idOf={({ id }) => id}
          onRowAction={({ id }) => go({ message: String(id) })}
          empty={emptyText(webhook, state)}
        />
      ) : log.error ? (
        <ProblemView error={log.error} onRetry={() => void log.refetch()} />
      ) : (
        <Skeleton height={200} />
      )}
      {log.hasNextPage && (
        <Button className="admin-more" isPending={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
          Show older messages
        </Button>
      )}
      {Number.isInteger(message) && message > 0 && (
        <MessageDrawer webhook={webhook} id={message} onClose={() => go({ message: '' })} />
      )}
    </section>
  );
}

function emptyText(webhook: Webhook, state: MessageState | undefined): string {
  if (state !== undefined) return `No message is ${MESSAGE_STATES[state].text.toLowerCase()}.`;
  if (webhook.status === 'disabled') return 'Nothing was sent, and nothing is while it is disabled.';
  return 'Nothing was sent yet. The first message comes with the first event; Send a test shows whether it would arrive.';
}

const STATE: TableColumn<WebhookMessage> = {
  id: 'state',
  label: 'State',
  cell: ({ state }) => <Badge tone={MESSAGE_STATES[state].tone}>{MESSAGE_STATES[state].text}</Badge>,
};
const ANSWER: TableColumn<WebhookMessage> = {
  id: 'answer',
  label: 'Last answer',
  cell: ({ attempts }) => {
    const last = attempts.at(-1);
    return last ? answerOf(last) : <span className="quiet">None yet</span>;
  },
};
const COLUMNS: readonly TableColumn<WebhookMessage>[] = [
  {
    id: 'event',
    label: 'Event',
    isRowHeader: true,
    cell: ({ event }) => (
      <>
        <code>{event.type}</code> <span className="quiet">{event.id}</span>
      </>
    ),
  },
  STATE,
  ANSWER,
  { id: 'tries', label: 'Tries', isNumber: true, cell: ({ attempts }) => attempts.length },
  { id: 'at', label: 'When', cell: ({ created_at }) => <Moment at={created_at} /> },
];
const NARROW: readonly TableColumn<WebhookMessage>[] = [
  {
    id: 'event',
    label: 'Event',
    isRowHeader: true,
    cell: ({ event, created_at }) => (
      <>
        <code>{event.type}</code>
        <div className="quiet">
          <Moment at={created_at} />
        </div>
      </>
    ),
  },
  { ...ANSWER, id: 'state', label: 'State', cell: (message) => <NarrowState message={message} /> },
];

function NarrowState({ message }: { readonly message: WebhookMessage }) {
  return (
    <>
      {STATE.cell(message)}
      <div>{ANSWER.cell(message)}</div>
    </>
  );
}

import { type FormEvent, useId, useState } from 'react';
import { useCreateWebhook, useWebhookWrites, type Webhook } from '../../api/webhooks.ts';
import { fieldErrorsOf } from '../../app/field-errors.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import { EVENT_TYPES, type EventType, eventsOf, namesOf } from './event-choice.ts';
import { EventChooser } from './event-chooser.tsx';

type Draft = {
  readonly name: string;
  readonly url: string;
  readonly isAll: boolean;
  readonly events: ReadonlySet<EventType>;
  readonly concurrency: '1' | '2' | '3' | '4';
};
const ORDERS = [
  { value: '1', label: 'One after the other, in order' },
  { value: '2', label: 'Two at a time' },
  { value: '3', label: 'Three at a time' },
  { value: '4', label: 'Four at a time' },
] as const;
const EMPTY: Draft = { name: '', url: '', isAll: true, events: new Set(EVENT_TYPES), concurrency: '1' };

function draftOf({ name, url, types, concurrency }: Webhook): Draft {
  const order = ORDERS.find(({ value }) => value === String(concurrency));
  return { name, url, isAll: types.includes('*'), events: eventsOf(types), concurrency: order?.value ?? '1' };
}

const bodyOf = ({ name, url, isAll, events, concurrency }: Draft) => ({
  name: name.trim(),
  url: url.trim(),
  types: isAll ? ['*'] : [...namesOf(events)],
  concurrency: Number(concurrency),
});

const isComplete = ({ name, url, isAll, events }: Draft) =>
  name.trim() !== '' && url.trim() !== '' && (isAll || events.size > 0);

/** Makes a webhook. */
export function NewWebhookDialog({
  onCreated,
  onClose,
}: {
  readonly onCreated: (webhook: Webhook, secret: string) => void;
  readonly onClose: () => void;
}) {
  const create = useCreateWebhook();
  return (
    <WebhookForm
      title="New webhook"
      action="Create the webhook"
      initial={EMPTY}
      isPending={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={(draft) =>
        create.mutate(bodyOf(draft), { onSuccess: ({ webhook, secret }) => onCreated(webhook, secret ?? '') })
      }
    />
  );
}

/** Changes a webhook. */
export function EditWebhookDialog({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const { change } = useWebhookWrites(webhook.id);
  // What was opened is what is changed: somebody else's change meanwhile is refused rather than overwritten.
  const [{ version, initial }] = useState(() => ({ version: webhook.version, initial: draftOf(webhook) }));
  const save = (draft: Draft) => {
    const { types, ...rest } = bodyOf(draft);
    const isSame = draft.isAll === initial.isAll && draft.events === initial.events;
    const body = isSame ? rest : { ...rest, types };
    change.mutate(
      { body, version },
      {
        onSuccess: () => {
          showToast({ tone: 'ok', text: `${rest.name} is changed.` });
          onClose();
        },
      },
    );
  };
  return (
    <WebhookForm
      title={`Change ${initial.name}`}
      action="Save"
      initial={initial}
      isPending={change.isPending}
      error={change.error}
      onClose={onClose}
      onSubmit={save}
    />
  );
}

function WebhookForm({
  title,
  action,
  initial,
  isPending,
  error,
  onSubmit,
  onClose,
}: {
  readonly title: string;
  readonly action: string;
  readonly initial: Draft;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onSubmit: (draft: Draft) => void;
  readonly onClose: () => void;
}) {
  const formId = useId();
  const [draft, setDraft] = useState(initial);
  const errors = fieldErrorsOf(error, ['name', 'url', 'types']);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete(draft)) onSubmit(draft);
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <Button tone="primary" type="submit" form={formId} isDisabled={!isComplete(draft)} isPending={isPending}>
          {action}
        </Button>
      }
    >
      <form id={formId} className="admin-form" onSubmit={submit}>
        <TextField
          label="Name"
          autoFocus
          maxLength={200}
          placeholder="Website"
          value={draft.name}
          onChange={(name) => change({ name })}
          error={errors.of('name')}
        />
        <TextField
          label="URL"
          type="text"
          inputMode="url"
          spellCheck="false"
          maxLength={2000}
          placeholder="https://example.com/hooks/touchline"
          hint="Where your server takes messages: https, reachable from the internet."
          value={draft.url}
          onChange={(url) => change({ url })}
          error={errors.of('url')}
        />
        <EventChooser isAll={draft.isAll} events={draft.events} error={errors.of('types')} onChange={change} />
        <Select
          label="Messages are sent"
          options={ORDERS}
          value={draft.concurrency}
          onChange={(concurrency) => change({ concurrency })}
        />
        <ProblemNote error={errors.other} />
      </form>
    </Dialog>
  );
}

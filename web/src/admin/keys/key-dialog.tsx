import { type FormEvent, useId, useState } from 'react';
import { type ApiKey, type CreatedApiKey, useCreateKey } from '../../api/keys.ts';
import type { Scope } from '../../api/me.ts';
import { fieldErrorsOf } from '../../app/field-errors.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { draftOf, isComplete, type KeyDraft, LIFETIMES, requestOfDraft } from './key-draft.ts';
import { ScopeChoice } from './scope-choice.tsx';

/** Makes a key, perhaps one that takes the place of another. */
export function KeyDialog({
  replaced,
  own,
  onCreated,
  onClose,
}: {
  readonly replaced?: ApiKey | undefined;
  /** The scopes of the key in use: others cannot be handed on. */
  readonly own: readonly Scope[];
  readonly onCreated: (created: CreatedApiKey) => void;
  readonly onClose: () => void;
}) {
  const formId = useId();
  const [draft, setDraft] = useState<KeyDraft>(() => draftOf(replaced, own));
  const create = useCreateKey();
  const errors = fieldErrorsOf(create.error, ['name', 'expires_at', 'cidrs']);
  const change = (part: Partial<KeyDraft>) => setDraft({ ...draft, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete(draft)) create.mutate(requestOfDraft(draft, Date.now()), { onSuccess: onCreated });
  };
  return (
    <Dialog
      title={replaced ? `Replace ${replaced.name}` : 'New API key'}
      isOpen
      onClose={onClose}
      footer={
        <Button tone="primary" type="submit" form={formId} isDisabled={!isComplete(draft)} isPending={create.isPending}>
          Create the key
        </Button>
      }
    >
      <form id={formId} className="admin-form" onSubmit={submit}>
        {replaced && (
          <p>
            A new key that may do the same. <b>{replaced.prefix}</b> goes on working until you revoke it, so that
            nothing stops meanwhile.
          </p>
        )}
        <TextField
          label="Name"
          autoFocus
          maxLength={200}
          hint="Who or what uses it: one key each, so that one can be revoked alone."
          placeholder="Website"
          value={draft.name}
          onChange={(name) => change({ name })}
          error={errors.of('name')}
        />
        <ScopeChoice own={own} scopes={draft.scopes} onChange={(scopes) => change({ scopes })} />
        <div className="admin-pair">
          <Select
            label="Expires"
            options={LIFETIMES}
            value={draft.lifetime}
            onChange={(lifetime) => change({ lifetime })}
          />
          {draft.lifetime === 'day' && (
            <TextField
              label="Last day"
              type="date"
              value={draft.day}
              onChange={(day) => change({ day })}
              error={errors.of('expires_at')}
            />
          )}
        </div>
        <TextField
          label="Only from these networks (optional)"
          hint="Addresses such as 203.0.113.0/24, with commas between them. Empty: from anywhere."
          value={draft.networks}
          onChange={(networks) => change({ networks })}
          error={errors.of('cidrs')}
        />
        <ProblemNote error={errors.other} />
      </form>
    </Dialog>
  );
}

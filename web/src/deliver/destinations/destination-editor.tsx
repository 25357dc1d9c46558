import { useState } from 'react';
import { type Destination, useDestinationWrites } from '../../api/destinations.ts';
import { useDiscardGuard } from '../../app/discard-guard.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { bodyOf, type DestinationDraft, draftOf, newDraft, patchOf } from './destination-draft.ts';
import { DestinationForm } from './destination-form.tsx';
import { DESTINATION_KINDS, type DestinationKind, KINDS } from './destination-kinds.ts';

const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
const KIND_OPTIONS = DESTINATION_KINDS.map((value) => ({ value, label: KINDS[value].label }));
const FORM = 'destination-form';

/** Makes a destination of a kind, or changes one; what was made or changed is handed on, to be verified. */
export function DestinationEditor({
  destination,
  kind,
  onKindChange,
  onSaved,
  onClose,
}: {
  readonly destination: Destination | undefined;
  /** Of a new one. */
  readonly kind: DestinationKind;
  readonly onKindChange: (kind: DestinationKind) => void;
  readonly onSaved: (saved: Destination) => void;
  readonly onClose: () => void;
}) {
  const [draft, setDraft] = useState<DestinationDraft>(() =>
    destination ? draftOf(destination, timeZone()) : newDraft(kind, timeZone()),
  );
  const { create, change } = useDestinationWrites();
  const isPending = create.isPending || change.isPending;
  const [initial] = useState(draft);
  const { close, question } = useDiscardGuard(JSON.stringify(draft) !== JSON.stringify(initial), onClose);
  const error = create.error ?? change.error;
  const forget = () => {
    create.reset();
    change.reset();
  };
  const save = async () => {
    try {
      if (!destination) return onSaved(await create.mutateAsync(bodyOf(draft)));
      const body = patchOf(draft, destination);
      if (Object.keys(body).length === 0) return onClose();
      const saved = await change.mutateAsync({ id: destination.id, body, version: destination.version });
      onSaved(saved);
    } catch {
      // The form says what is wrong.
      document.querySelector(`#${FORM}`)?.scrollIntoView({ block: 'start' });
    }
  };
  return (
    <Dialog
      title={destination ? `Change ${destination.name}` : 'New destination'}
      isOpen
      width="l"
      onClose={close}
      footer={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button tone="primary" type="submit" form={FORM} isPending={isPending}>
            {destination ? 'Save' : 'Create and verify'}
          </Button>
        </>
      }
    >
      <form
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) void save();
        }}
      >
        {!destination && (
          <div className="destination-kind">
            <Select
              label="Kind"
              options={KIND_OPTIONS}
              value={kind}
              onChange={(next) => {
                onKindChange(next);
                forget();
                // What is typed already and has the same name elsewhere, such as host and user, stays.
                setDraft({ ...draft, kind: next });
              }}
            />
          </div>
        )}
        <DestinationForm
          draft={draft}
          onChange={(part) => {
            // What was refused may be right now.
            if (error !== null) forget();
            setDraft((now) => ({ ...now, ...part }));
          }}
          error={error}
          hasSecrets={destination?.has_secrets === true}
          preview={destination ? { id: destination.id } : { kind: draft.kind }}
        />
      </form>
      {question}
    </Dialog>
  );
}

import { Circle, CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type Destination, useDestinationWrites, type VerifyAnswer, type VerifyStep } from '../../api/destinations.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';

const STEPS: Readonly<Record<VerifyStep['step'], Readonly<Record<VerifyStep['status'], string>>>> = {
  connect: { done: 'It was reached.', failed: 'It could not be reached.', not_reached: 'Reach it' },
  write: { done: 'A probe was written.', failed: 'A probe could not be written.', not_reached: 'Write a probe' },
  read: {
    done: 'The probe was read back, and is the same.',
    failed: 'The probe did not come back as it was written.',
    not_reached: 'Read the probe back',
  },
  delete: {
    done: 'The probe was deleted.',
    failed: 'The probe could not be deleted.',
    not_reached: 'Delete the probe',
  },
  send: {
    done: 'It took a signed message.',
    failed: 'It did not take a signed message.',
    not_reached: 'Send a message',
  },
};
const ICONS = { done: CircleCheck, failed: CircleAlert, not_reached: Circle };

/** Verifies a destination as it opens, and says step by step how it went. */
export function VerifyDialog({
  destination,
  mayChange,
  onEdit,
  onClose,
}: {
  readonly destination: Destination;
  /** Whether the key may confirm the key of an SFTP server. */
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onClose: () => void;
}) {
  const { verify, change } = useDestinationWrites();
  const { id } = destination;
  const start = useRef(() => verify.mutate(id));
  useEffect(() => start.current(), []);
  const answer = verify.data;
  const asksForKey = answer !== undefined && answer.host_key !== null;
  const isPending = verify.isPending || change.isPending || (answer === undefined && verify.error === null);
  const confirm = async (hostKey: string) => {
    await change.mutateAsync({ id, body: { config: { host_key: hostKey } } });
    verify.mutate(id);
  };
  return (
    <Dialog
      title={`Verify ${destination.name}`}
      isOpen
      onClose={onClose}
      footer={
        <>
          {mayChange && (
            <Button tone="quiet" onPress={onEdit}>
              Change it
            </Button>
          )}
          <Button isPending={isPending} onPress={() => verify.mutate(id)}>
            Verify again
          </Button>
          <Button tone={asksForKey ? 'plain' : 'primary'} onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div className="destination-verify">
        {isPending && <ProgressBar label="Writing a probe, reading it back and deleting it" />}
        <ProblemNote error={verify.error ?? change.error} />
        {answer && !isPending && (
          <Outcome
            answer={answer}
            mayChange={mayChange}
            onConfirm={(key) => void confirm(key).catch(() => undefined)}
          />
        )}
      </div>
    </Dialog>
  );
}

function Outcome({
  answer,
  mayChange,
  onConfirm,
}: {
  readonly answer: VerifyAnswer;
  readonly mayChange: boolean;
  readonly onConfirm: (hostKey: string) => void;
}) {
  const { destination, steps, host_key: hostKey } = answer;
  const isGood = destination.status === 'ok';
  return (
    <>
      <p role="status">
        <b>{isGood ? 'It works.' : hostKey === null ? 'It does not work yet.' : 'Is this the right server?'}</b>{' '}
        {hostKey === null && destination.failure?.reason}
      </p>
      {hostKey === null ? (
        <ol className="verify-steps" aria-label="Steps">
          {steps.map(({ step, status }) => {
            const Icon = ICONS[status];
            return (
              <li key={step} className={`verify-step verify-step-${status}`}>
                <Icon aria-hidden />
                <span className="visually-hidden">{status === 'not_reached' ? 'Not reached: ' : ''}</span>
                {STEPS[step][status]}
              </li>
            );
          })}
        </ol>
      ) : (
        <HostKey
          shown={hostKey}
          known={destination.config['host_key']}
          mayChange={mayChange}
          onConfirm={() => onConfirm(hostKey)}
        />
      )}
    </>
  );
}

/** An SFTP server is trusted by its key, which somebody has to have compared. */
function HostKey({
  shown,
  known,
  mayChange,
  onConfirm,
}: {
  readonly shown: string;
  readonly known: unknown;
  readonly mayChange: boolean;
  readonly onConfirm: () => void;
}) {
  return (
    <>
      {known !== undefined && (
        <p className="verify-warning" role="alert">
          It shows another key than the one that was confirmed. Either its owner has changed it, or this is another
          server. Nothing was sent.
        </p>
      )}
      <p>The server shows this key. Compare it with what its owner tells you; nothing is sent before.</p>
      <p className="verify-key">
        <code>{shown}</code>
      </p>
      {mayChange ? (
        <div>
          <Button tone="primary" onPress={onConfirm}>
            It is the right key
          </Button>
        </div>
      ) : (
        <p className="quiet">Confirming it needs a key with the scope admin.</p>
      )}
    </>
  );
}

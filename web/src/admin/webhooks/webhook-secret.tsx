import { SecretDialog } from '../secret-dialog.tsx';

/** The secret that messages of a webhook are signed with, shown once. */
export function WebhookSecret({
  name,
  secret,
  previousUntil,
  onDone,
}: {
  readonly name: string;
  readonly secret: string;
  /** Until when the one before signs too, said as a text. */
  readonly previousUntil?: string;
  readonly onDone: () => void;
}) {
  return (
    <SecretDialog title={`The secret of ${name}`} label="Signing secret" secret={secret} onDone={onDone}>
      <p>
        Give it to the server that takes the messages: it proves by it that they come from this library. Any library of{' '}
        <a href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer">
          Standard Webhooks
        </a>{' '}
        does that.
      </p>
      {previousUntil !== undefined && (
        <p>The one before signs too until {previousUntil}, so that no message is refused.</p>
      )}
    </SecretDialog>
  );
}

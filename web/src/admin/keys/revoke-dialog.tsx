import { useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type ApiKey, useRevokeKey } from '../../api/keys.ts';
import { signOut } from '../../api/session.ts';
import { ConfirmDialog } from '../../app/confirm-dialog.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Moment } from '../../ui/moment.tsx';
import { showToast } from '../../ui/toast.tsx';

/** Asks before a key is revoked; harder when it is the one in use. */
export function RevokeDialog({
  apiKey,
  isOwn,
  isLastAdmin,
  onClose,
}: {
  readonly apiKey: ApiKey;
  readonly isOwn: boolean;
  /** Whether nobody could administer the library from here any more. */
  readonly isLastAdmin: boolean;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const revoke = useRevokeKey();
  const [isSure, setIsSure] = useState(false);
  const run = () =>
    revoke.mutate(apiKey.id, {
      onSuccess: () => {
        if (isOwn) {
          signOut('refused');
          return;
        }
        void client.invalidateQueries({ queryKey: ['key'] });
        showToast({ tone: 'ok', text: `${apiKey.name} is revoked.` });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      action="Revoke for good"
      isPending={revoke.isPending}
      isDisabled={isOwn && !isSure}
      error={revoke.error}
      onConfirm={run}
      onClose={onClose}
    >
      <p>
        Whatever uses <code>{apiKey.prefix}</code> is refused from then on. It cannot be taken back.{' '}
        {apiKey.last_used_at === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used <Moment at={apiKey.last_used_at} />.
          </>
        )}
      </p>
      {isOwn && (
        <>
          <p className="admin-warning">
            <TriangleAlert aria-hidden />
            <span>
              <b>This is the key you are signed in with.</b> You are signed out at once, and need another key to come
              back.
              {isLastAdmin && (
                <>
                  {' '}
                  It is also the last one that may administer: the next is made on the server, with{' '}
                  <code>touchline key create</code>.
                </>
              )}
            </span>
          </p>
          <Checkbox isSelected={isSure} onChange={setIsSure}>
            Revoke it, and sign me out
          </Checkbox>
        </>
      )}
    </ConfirmDialog>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { type ApiKey, keysQuery } from '../../api/keys.ts';
import { useMe } from '../../api/me.ts';
import { ProblemView } from '../../app/problem-view.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { plural } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useNow } from '../../ui/use-now.ts';
import { AdminOnly } from '../admin-only.tsx';
import { SecretDialog } from '../secret-dialog.tsx';
import { useFocusHome } from '../use-focus-home.ts';
import { KeyDialog } from './key-dialog.tsx';
import { KeyItem } from './key-item.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { isUsable } from './scopes.ts';

/** API keys: which there are, what each may do and when it was last used; new ones, and the end of old ones. */
export function KeysView() {
  return (
    <AdminOnly what="API keys">
      <Keys />
    </AdminOnly>
  );
}

type Open =
  | { readonly kind: 'create'; readonly replaced?: ApiKey }
  | { readonly kind: 'revoke'; readonly apiKey: ApiKey }
  | { readonly kind: 'secret'; readonly apiKey: ApiKey; readonly secret: string };

function Keys() {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(keysQuery);
  const { show } = useSearch({ from: '/admin/' });
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const me = useMe().data;
  const now = useNow();
  const { ref, focusHome } = useFocusHome();
  if (error && !data) return <ProblemView error={error} onRetry={() => void refetch()} />;
  if (!data || !me) return <Skeleton height={240} />;

  const keys = data.pages.flatMap(({ api_keys }) => api_keys);
  const usable = keys.filter((key) => isUsable(key, now));
  const shown = show === 'all' ? keys : usable;
  const isOwn = (key: ApiKey) => key.id === me.api_key.id;
  const isLastAdmin = (key: ApiKey) =>
    !hasNextPage && !usable.some((one) => one.id !== key.id && one.scopes.includes('admin'));
  const close = () => {
    setOpen(undefined);
    focusHome();
  };

  return (
    <section aria-label="API keys" ref={ref} tabIndex={-1} className="admin-home">
      <header className="admin-bar">
        <p className="quiet admin-bar-text">
          Programs and people come in with an API key. Give each its own, with no more than it needs.
        </p>
        <Button tone="primary" onPress={() => setOpen({ kind: 'create' })}>
          <Plus aria-hidden /> New API key
        </Button>
      </header>
      <div className="admin-bar">
        <h2>{plural(usable.length, 'key')} in use</h2>
        {keys.length > usable.length && (
          <Switch
            isSelected={show === 'all'}
            onChange={(isOn) => void navigate({ to: '/admin', search: isOn ? { show: 'all' } : {}, replace: true })}
          >
            Show revoked and expired ({keys.length - usable.length})
          </Switch>
        )}
      </div>
      {shown.length === 0 && (
        <EmptyState icon={KeyRound} title="No key is in use">
          Make one for each program and each person that works with the library.
        </EmptyState>
      )}
      <ul className="admin-list">
        {shown.map((key) => (
          <KeyItem
            key={key.id}
            apiKey={key}
            isOwn={isOwn(key)}
            now={now}
            onReplace={() => setOpen({ kind: 'create', replaced: key })}
            onRevoke={() => setOpen({ kind: 'revoke', apiKey: key })}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button isPending={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          Show older keys
        </Button>
      )}
      {open?.kind === 'create' && (
        <KeyDialog
          replaced={open.replaced}
          own={me.scopes}
          onClose={close}
          onCreated={({ api_key: apiKey, key }) => setOpen({ kind: 'secret', apiKey, secret: key ?? '' })}
        />
      )}
      {open?.kind === 'secret' && <KeySecret apiKey={open.apiKey} secret={open.secret} onDone={close} />}
      {open?.kind === 'revoke' && (
        <RevokeDialog
          apiKey={open.apiKey}
          isOwn={isOwn(open.apiKey)}
          isLastAdmin={isLastAdmin(open.apiKey)}
          onClose={close}
        />
      )}
    </section>
  );
}

function KeySecret({
  apiKey,
  secret,
  onDone,
}: {
  readonly apiKey: ApiKey;
  readonly secret: string;
  readonly onDone: () => void;
}) {
  return (
    <SecretDialog title={`The key of ${apiKey.name}`} label="API key" secret={secret} onDone={onDone}>
      <p>
        Put it where the program keeps its secrets, or into a password manager. Programs send it as the header{' '}
        <code>X-Api-Key</code>; people paste it where the library asks them to sign in.
      </p>
    </SecretDialog>
  );
}

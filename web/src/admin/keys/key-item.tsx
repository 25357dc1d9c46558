import type { ApiKey } from '../../api/keys.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { formatDay } from '../../ui/when.ts';
import { describeScopes, type KeyState, stateOfKey } from './scopes.ts';

const STATES: Readonly<Record<KeyState, { readonly tone: BadgeTone; readonly text: string } | undefined>> = {
  active: undefined,
  expiring: { tone: 'warn', text: 'Expires soon' },
  expired: { tone: 'plain', text: 'Expired' },
  revoked: { tone: 'plain', text: 'Revoked' },
};

/** A key in the list. */
export function KeyItem({
  apiKey,
  isOwn,
  now,
  onReplace,
  onRevoke,
}: {
  readonly apiKey: ApiKey;
  readonly isOwn: boolean;
  readonly now: number;
  readonly onReplace: () => void;
  readonly onRevoke: () => void;
}) {
  const state = stateOfKey(apiKey, now);
  const badge = STATES[state];
  const isOver = state === 'revoked' || state === 'expired';
  return (
    <li className="admin-item" data-over={isOver || undefined}>
      <div className="admin-item-head">
        <h3>{apiKey.name}</h3>
        <code className="quiet">{apiKey.prefix}…</code>
        {isOwn && <Badge tone="accent">This key</Badge>}
        {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
      </div>
      <p className="admin-item-text" title={apiKey.scopes.join(', ')}>
        {describeScopes(apiKey.scopes)}
        {apiKey.cidrs.length > 0 && <span className="quiet"> · only from {apiKey.cidrs.join(', ')}</span>}
      </p>
      <Facts layout="columns" facts={factsOf(apiKey)} />
      {!isOver && (
        <div className="admin-item-actions">
          <Button size="s" tone="quiet" onPress={onReplace} aria-label={`Replace ${apiKey.name}`}>
            Replace…
          </Button>
          <Button size="s" onPress={onRevoke} aria-label={`Revoke ${apiKey.name}`}>
            Revoke…
          </Button>
        </div>
      )}
    </li>
  );
}

function factsOf({ created_at, last_used_at, expires_at, revoked_at }: ApiKey): readonly Fact[] {
  const end: Fact =
    revoked_at === null
      ? ['Expires', expires_at === null ? 'Never' : <Moment at={expires_at} />]
      : ['Revoked', <Moment key="end" at={revoked_at} />];
  return [
    ['Last used', last_used_at === null ? 'Never' : <Moment at={last_used_at} />],
    end,
    ['Created', formatDay(created_at)],
  ];
}

import type { ApiKey, NewApiKey } from '../../api/keys.ts';
import type { Scope } from '../../api/me.ts';

export const LIFETIMES = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'day', label: 'On a day' },
] as const;
export type Lifetime = (typeof LIFETIMES)[number]['value'];

/** What the form of a new key holds. */
export type KeyDraft = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly lifetime: Lifetime;
  /** YYYY-MM-DD, for the lifetime `day`. */
  readonly day: string;
  readonly networks: string;
  /** Of the key that it replaces; the service's own otherwise. */
  readonly limits?: { readonly requests_per_second: number; readonly burst: number };
};

const DAY_MS = 86_400_000;

/** A draft that is empty, or for a key that takes the place of another. */
export function draftOf(replaced: ApiKey | undefined, own: readonly Scope[]): KeyDraft {
  const empty = { lifetime: 'never', day: '' } as const;
  if (!replaced) return { ...empty, name: '', scopes: own.filter((scope) => scope === 'media.read'), networks: '' };
  const { name, scopes, cidrs, requests_per_second, burst } = replaced;
  return {
    ...empty,
    name,
    scopes: scopes.filter((scope) => own.includes(scope)),
    networks: cidrs.join(', '),
    limits: { requests_per_second, burst },
  };
}

/** The end of a day where the reader is, or the same time so many days on. */
function expiryOf({ lifetime, day }: KeyDraft, now: number): string | null {
  if (lifetime === 'never') return null;
  if (lifetime === 'day') return new Date(`${day}T23:59:59`).toISOString();
  return new Date(now + Number(lifetime) * DAY_MS).toISOString();
}

export const isComplete = (draft: KeyDraft): boolean =>
  draft.name.trim() !== '' &&
  draft.scopes.length > 0 &&
  (draft.lifetime !== 'day' || /^\d{4}-\d\d-\d\d$/.test(draft.day));

export function requestOfDraft(draft: KeyDraft, now: number): NewApiKey {
  const cidrs = draft.networks.split(/[\s,;]+/).filter((network) => network !== '');
  return {
    name: draft.name.trim(),
    scopes: [...draft.scopes],
    expires_at: expiryOf(draft, now),
    ...(cidrs.length > 0 && { cidrs }),
    ...draft.limits,
  };
}

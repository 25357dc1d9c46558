import type { ApiKey } from '../../api/keys.ts';
import type { Scope } from '../../api/me.ts';

/** What each scope lets a program or a person do. */
export const SCOPES: readonly { readonly scope: Scope; readonly label: string; readonly hint: string }[] = [
  {
    scope: 'media.read',
    label: 'Look and download',
    hint: 'Search and open photos, videos, actions and tags, download files, and follow what changes.',
  },
  {
    scope: 'media.write',
    label: 'Upload and change',
    hint: 'Upload, tag and describe assets, sort them into collections, and move them to the bin.',
  },
  {
    scope: 'tags.write',
    label: 'Edit the taxonomy',
    hint: 'Create, rename and merge players, clubs, matches and tags, also from a squad or fixture system.',
  },
  {
    scope: 'actions.write',
    label: 'Log actions, cut clips',
    hint: 'Record what happens in videos, import files of events, and cut clips and reels.',
  },
  {
    scope: 'delivery.run',
    label: 'Deliver',
    hint: 'Send files to the destinations that are set up, and see what became of that.',
  },
  {
    scope: 'admin',
    label: 'Administer',
    hint: 'API keys, webhooks, destinations, rules and settings. Includes none of the others.',
  },
];

const ALL = SCOPES.map(({ scope }) => scope);

export type Preset = { readonly id: string; readonly label: string; readonly scopes: readonly Scope[] };

/** What keys are mostly made for. */
const PRESETS: readonly Preset[] = [
  { id: 'read', label: 'Read only: a website, a screen, an app', scopes: ['media.read'] },
  { id: 'photographer', label: 'Photographer upload', scopes: ['media.read', 'media.write'] },
  { id: 'analyst', label: 'Video analyst', scopes: ['media.read', 'media.write', 'actions.write'] },
  { id: 'squad', label: 'Squad and fixture system', scopes: ['media.read', 'tags.write'] },
  { id: 'desk', label: 'Media desk: all but administration', scopes: ALL.filter((scope) => scope !== 'admin') },
  { id: 'all', label: 'Everything', scopes: ALL },
];

/** Those whose scopes a key with `own` scopes may hand on. */
export const presetsWithin = (own: readonly Scope[]): readonly Preset[] =>
  PRESETS.filter(({ scopes }) => scopes.every((scope) => own.includes(scope)));

const isSame = (one: readonly Scope[], other: readonly Scope[]) =>
  one.length === other.length && one.every((scope) => other.includes(scope));

export const presetOf = (scopes: readonly Scope[]): Preset | undefined =>
  PRESETS.find((preset) => isSame(preset.scopes, scopes));

/** In words, in the order of the list above. */
export function describeScopes(scopes: readonly Scope[]): string {
  if (isSame(scopes, ALL)) return 'Everything';
  return SCOPES.filter(({ scope }) => scopes.includes(scope))
    .map(({ label }) => label)
    .join(', ');
}

export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';
const SOON_MS = 14 * 86_400_000;

export function stateOfKey(key: Pick<ApiKey, 'revoked_at' | 'expires_at'>, now: number): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'active';
  const left = Date.parse(key.expires_at) - now;
  if (left <= 0) return 'expired';
  return left < SOON_MS ? 'expiring' : 'active';
}

export const isUsable = (key: ApiKey, now: number): boolean => {
  const state = stateOfKey(key, now);
  return state === 'active' || state === 'expiring';
};

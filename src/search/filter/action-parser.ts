import {
  ACTION_TAG_FIELDS,
  type ActionFilterInput,
  type ActionTagField,
  KEYWORD_MEMBERS,
  NUMBER_MEMBERS,
} from './action-schema.ts';
import { checkDepth, type DraftIds, draftIds, draftScalar, draftText, reject } from './filter-draft.ts';
import type { ActionFilter } from './filter-tree.ts';

/** Types are given by ID or by key; an action has one. */
export type DraftTypes = {
  readonly kind: 'types';
  readonly test: 'any' | 'none';
  readonly types: readonly (number | string)[];
  readonly pointer: string;
};
export type DraftActionIds = DraftIds<ActionTagField> & { readonly roles?: readonly string[] };
export type ActionDraft =
  | Exclude<ActionFilter, { kind: 'all' | 'any' | 'none' } | { kind: 'ids' }>
  | Extract<ActionFilter, { kind: 'ids' }>
  | DraftActionIds
  | DraftTypes
  | ActionDraftGroup;
type ActionDraftGroup = { readonly kind: 'all' | 'any' | 'none'; readonly filters: readonly ActionDraft[] };

function draftTypes(test: NonNullable<ActionFilterInput['type']>, pointer: string): readonly DraftTypes[] {
  const draft = (kind: 'any' | 'none', types: readonly (number | string)[], at: string): DraftTypes => ({
    kind: 'types',
    test: kind,
    types,
    pointer: at,
  });
  if (typeof test !== 'object') return [draft('any', [test], pointer)];
  if (Array.isArray(test)) return [draft('any', test, pointer)];
  return (['any', 'none'] as const).flatMap((kind) => {
    const types = test[kind];
    return types ? [draft(kind, types, `${pointer}/${kind}`)] : [];
  });
}

/** The roles that stand beside players: a role that is asked for, not one that is excluded or only there. */
function rolesBeside(test: NonNullable<ActionFilterInput['role']>, pointer: string): readonly string[] {
  if (typeof test === 'string') return [test];
  if (Array.isArray(test)) return test;
  const refused = (['ne', 'exists'] as const).find((operator) => test[operator] !== undefined);
  if (refused) {
    const detail = `expected a role or a list of roles beside player, received ${refused}; it may stand in an object of all`;
    throw reject([{ pointer: `${pointer}/${refused}`, code: 'invalid', detail }]);
  }
  const listed = test.in ?? (test.eq === undefined ? [] : [test.eq]);
  return listed.filter((role) => test.eq === undefined || role === test.eq);
}

/** Tests of who takes part: beside players, a role is theirs. */
function draftPlayers(input: ActionFilterInput, pointer: string): readonly ActionDraft[] {
  const { player, role } = input;
  const options = { pointer: `${pointer}/player`, listMeans: 'all' } as const;
  const players = player === undefined ? [] : draftIds('player', player, options);
  if (role === undefined) return players;
  if (players.length === 0) return draftScalar('role', role, `${pointer}/role`);
  const roles = rolesBeside(role, `${pointer}/role`);
  return players.map((draft) => ({ ...draft, roles }));
}

/** The tests of a validated filter over actions, IDs and types not resolved yet. */
export function draftAction(input: ActionFilterInput, pointer: string, depth: number): ActionDraft {
  checkDepth(pointer, depth);
  const drafts: ActionDraft[] = [];
  if (input.type !== undefined) drafts.push(...draftTypes(input.type, `${pointer}/type`));
  for (const field of ACTION_TAG_FIELDS) {
    if (field === 'player' || input[field] === undefined) continue;
    drafts.push(...draftIds(field, input[field], { pointer: `${pointer}/${field}`, listMeans: 'all' }));
  }
  drafts.push(...draftPlayers(input, pointer));
  if (input.media_id !== undefined) {
    const ids = [...new Set([input.media_id].flat())];
    drafts.push({ kind: 'ids', field: 'media', test: 'any', ids });
  }
  for (const field of [...KEYWORD_MEMBERS, ...NUMBER_MEMBERS]) {
    if (input[field] !== undefined) drafts.push(...draftScalar(field, input[field], `${pointer}/${field}`));
  }
  if (input.text !== undefined) drafts.push(draftText(input.text, `${pointer}/text`));
  for (const kind of ['all', 'any', 'none'] as const) {
    const children = input[kind];
    if (!children) continue;
    // The schema validated each child as a filter over actions; recursion through $ref is beyond its static type.
    const filters = (children as ActionFilterInput[]).map((child, at) =>
      draftAction(child, `${pointer}/${kind}/${at}`, depth + 1),
    );
    drafts.push({ kind, filters });
  }
  return { kind: 'all', filters: drafts };
}

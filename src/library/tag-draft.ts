import { AppError, type FieldError } from '../base/index.ts';
import type { TagInput } from './tag-input.ts';
import { sameExternalIds, sameValues, stateOf, type TagState } from './tag-state.ts';
import { externalKey, type TagSummary, type TagValues } from './tag-store.ts';
import type { TagOption } from './tag-types.ts';

export type TagItem = {
  readonly input: TagInput;
  /** `new` creates; a tag option is changed; otherwise the one with the item's external IDs, or a new one. */
  readonly target?: 'new' | TagOption;
};

/** The database as the items find it: all they mention. */
export type TagSnapshot = {
  /** Owners of external IDs, redirects included. */
  readonly owners: ReadonlyMap<string, number>;
  readonly summaries: ReadonlyMap<number, TagSummary>;
  /** Those that items may change. */
  readonly options: ReadonlyMap<number, TagOption>;
  /** Parent by club. */
  readonly parents: ReadonlyMap<number, number>;
};

export type PlanOptions = {
  /** Whether a later item, outside of this list, brings this external ID: then what refers to it is deferred. */
  readonly comesLater: (externalKey: string) => boolean;
  /** Items with one of these external IDs are deferred too: an earlier item of the same option was. */
  readonly deferredKeys: ReadonlySet<string>;
  /** The ID of the first new option, below 0; -1 without it. Later ones count down. */
  readonly nextNewId?: number;
};

/** Thrown for an item that has to wait until a later one was written. */
export class Deferred extends Error {}

export function failed(errors: readonly FieldError[]): AppError {
  return new AppError('validation_failed', errors.map((error) => `${error.pointer}: ${error.detail}`).join('; '), {
    errors,
  });
}

export function or<T>(given: T | undefined, present: T): T {
  return given === undefined ? present : given;
}

/** External IDs that an item has, as keys. */
export function keysOf(input: TagInput): readonly string[] {
  return Object.entries(input.externalIds ?? {}).flatMap(([source, id]) =>
    id === null ? [] : [externalKey({ source, id })],
  );
}

/** All options that a list of items touches, as those taken so far leave them. */
export type TagDraft = {
  readonly snapshot: TagSnapshot;
  readonly options: PlanOptions;
  readonly states: Map<number, TagState>;
  /** External IDs that items have given or taken away; null: nobody has it any more. */
  readonly claims: Map<string, TagState | null>;
  nextNewId: number;
};

export function createDraft(snapshot: TagSnapshot, options: PlanOptions): TagDraft {
  return { snapshot, options, states: new Map(), claims: new Map(), nextNewId: options.nextNewId ?? -1 };
}

function loaded({ states, snapshot }: TagDraft, id: number): TagState | undefined {
  const known = states.get(id);
  if (known) return known;
  const option = snapshot.options.get(id);
  if (!option) return undefined;
  const state = stateOf(option);
  states.set(id, state);
  return state;
}

/** Who has an external ID; `leadsTo` is another option when that one was merged. */
export function ownerOf(
  { claims, snapshot }: TagDraft,
  key: string,
): { readonly id: number; readonly leadsTo: number } | undefined {
  const claim = claims.get(key);
  if (claim) return { id: claim.id, leadsTo: claim.id };
  const id = claim === null ? undefined : snapshot.owners.get(key);
  return id === undefined ? undefined : { id, leadsTo: snapshot.summaries.get(id)?.mergedInto ?? id };
}

function findTarget(draft: TagDraft, item: TagItem): TagState | undefined {
  if (item.target === 'new') return undefined;
  if (item.target) return loaded(draft, item.target.id);
  const keys = keysOf(item.input);
  if (keys.length === 0) {
    throw failed([
      { pointer: '/external_ids', code: 'required', detail: 'expected at least one external id to upsert by' },
    ]);
  }
  if (keys.some((key) => draft.options.deferredKeys.has(key))) throw new Deferred();
  const found = [...new Set(keys.flatMap((key) => ownerOf(draft, key)?.leadsTo ?? []))];
  if (found.length > 1) {
    const detail = `expected external ids of one tag option, received those of ${found.join(' and ')}`;
    throw new AppError('external_id_taken', detail, {
      errors: [{ pointer: '/external_ids', code: 'external_id_taken', detail }],
    });
  }
  return found[0] === undefined ? undefined : loaded(draft, found[0]);
}

/** A new option from an item's fields. */
function newState(draft: TagDraft, input: TagInput): TagState {
  const { type, label } = input;
  if (type === undefined || label === undefined) {
    const missing = [...(type === undefined ? ['/type'] : []), ...(label === undefined ? ['/label'] : [])];
    throw failed(missing.map((pointer) => ({ pointer, code: 'required', detail: 'expected a value, received none' })));
  }
  const values: TagValues = {
    type,
    label,
    category: input.category ?? null,
    fullName: input.fullName ?? null,
    aliases: input.aliases ?? [],
    imageUrl: input.imageUrl ?? null,
    status: input.status ?? 'active',
  };
  return { id: draft.nextNewId, before: undefined, values, externalIds: {}, relations: [], match: null };
}

/** The option after an item's fields, as a copy: nothing is kept when the item fails. */
function withFields(present: TagState, input: TagInput): TagState {
  const { values } = present;
  if (values.status === 'merged') {
    const into = present.before?.mergedInto;
    throw new AppError('state_conflict', `Tag option ${present.id} was merged into ${into}: edit that one.`);
  }
  if (input.type !== undefined && input.type !== values.type) {
    const detail = `expected ${values.type}, the type of tag option ${present.id} (a type never changes), received ${input.type}`;
    throw failed([{ pointer: '/type', code: 'invalid', detail }]);
  }
  return {
    ...present,
    values: {
      type: values.type,
      category: or(input.category, values.category),
      label: or(input.label, values.label),
      fullName: or(input.fullName, values.fullName),
      aliases: or(input.aliases, values.aliases),
      imageUrl: or(input.imageUrl, values.imageUrl),
      status: or(input.status, values.status),
    },
  };
}

function withExternalIds(draft: TagDraft, state: TagState, given: NonNullable<TagInput['externalIds']>): TagState {
  const next: Record<string, string> = { ...state.externalIds };
  for (const [source, id] of Object.entries(given)) {
    if (id === null) {
      delete next[source];
      continue;
    }
    const owner = ownerOf(draft, externalKey({ source, id }));
    // The option's redirect has this one, and keeps it: a feed that knows both names of one thing finds it by both.
    if (owner && owner.id !== state.id && owner.leadsTo === state.id) continue;
    if (owner && owner.id !== state.id) {
      const whose = owner.id < 0 ? 'an item before' : `tag option ${owner.id}`;
      const detail = `the external id ${source}:${id} belongs to ${whose}`;
      throw new AppError('external_id_taken', detail, {
        errors: [{ pointer: `/external_ids/${source}`, code: 'external_id_taken', detail }],
      });
    }
    next[source] = id;
  }
  return { ...state, externalIds: next };
}

/** Takes an item's own fields; answers the option and what became of it so far. */
export function takeFields(
  draft: TagDraft,
  item: TagItem,
): { readonly state: TagState; readonly status: 'created' | 'updated' | 'unchanged' } {
  const present = findTarget(draft, item);
  const { input } = item;
  const fields = present ? withFields(present, input) : newState(draft, input);
  const next = input.externalIds ? withExternalIds(draft, fields, input.externalIds) : fields;
  const same =
    present && sameValues(present.values, next.values) && sameExternalIds(present.externalIds, next.externalIds);
  if (!present) draft.nextNewId -= 1;
  for (const [source, id] of Object.entries(present?.externalIds ?? {})) {
    if (next.externalIds[source] !== id) draft.claims.set(externalKey({ source, id }), null);
  }
  // The same object goes on, so that the items before name it still.
  const state = present ? Object.assign(present, next) : next;
  draft.states.set(state.id, state);
  for (const [source, id] of Object.entries(state.externalIds)) draft.claims.set(externalKey({ source, id }), state);
  return { state, status: !present ? 'created' : same ? 'unchanged' : 'updated' };
}

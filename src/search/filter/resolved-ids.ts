import { AppError, type FieldError } from '../../base/index.ts';
import type { DetailField, TagSummary } from '../../library/index.ts';
import type { DraftTypes } from './action-parser.ts';
import { type DraftDetail, type ParsedDetail, parseDetail } from './detail-parser.ts';
import { type DraftIds, reject } from './filter-draft.ts';

/** Looks up what the IDs of a filter are: tag options and collections of the organization that searches. */
export type IdResolver = {
  tags(ids: readonly number[]): Promise<ReadonlyMap<number, TagSummary>>;
  /**
   * The types of actions that are meant by keys, and those of these IDs that are types of actions. A key that may be used
   * but never was stands for no ID; one that is unknown is missing.
   */
  actionTypes(types: readonly (number | string)[]): Promise<ReadonlyMap<number | string, readonly number[]>>;
  missingCollections(ids: readonly number[]): Promise<readonly number[]>;
  /** The organization's own fields. */
  detailFields(): Promise<readonly DetailField[]>;
};

/** What IDs, keys and tests of fields stand for: merged ones for what they were merged into; each once. */
export type Resolved = {
  tags(ids: readonly number[]): readonly number[];
  types(types: readonly (number | string)[]): readonly number[];
  /** @throws AppError `validation_failed` */
  detail(draft: DraftDetail): ParsedDetail;
};

type Leaf = DraftIds<string> | DraftTypes | DraftDetail;

function checkTags(leaf: DraftIds<string>, known: ReadonlyMap<number, TagSummary>): FieldError[] {
  const { pointer, field } = leaf;
  return leaf.ids.flatMap((id): FieldError[] => {
    const found = known.get(id);
    if (!found) {
      return [{ pointer, code: 'unknown_tag_option', detail: `expected IDs of tag options, received unknown ${id}` }];
    }
    if (field === 'tag_options' || found.type === field) return [];
    const detail = `expected IDs of type ${field}, received ${id} of type ${found.type}`;
    return [{ pointer, code: 'wrong_type', detail }];
  });
}

function checkTypes(
  { types, pointer }: DraftTypes,
  known: ReadonlyMap<number, TagSummary>,
  ofActions: ReadonlyMap<number | string, readonly number[]>,
): FieldError[] {
  return types.flatMap((type): FieldError[] => {
    const found = typeof type === 'number' ? known.get(type) : undefined;
    if (ofActions.has(found?.mergedInto ?? type)) return [];
    const expected = 'expected IDs or keys of action types';
    if (!found) {
      return [{ pointer, code: 'unknown_tag_option', detail: `${expected}, received unknown ${JSON.stringify(type)}` }];
    }
    const what = found.type === 'tag' ? 'another category' : `type ${found.type}`;
    return [{ pointer, code: 'wrong_type', detail: `${expected}, received ${found.id} of ${what}` }];
  });
}

function throwAny(errors: readonly FieldError[], unknown: readonly (number | string)[]): void {
  const first = errors.find((error) => error.code.startsWith('unknown_'));
  if (first) {
    const code = first.code === 'unknown_collection' ? 'unknown_collection' : 'unknown_tag_option';
    throw new AppError(code, errors.map((error) => `${error.pointer}: ${error.detail}`).join('; '), {
      errors,
      details: { unknown: [...new Set(unknown)] },
    });
  }
  if (errors.length > 0) throw reject(errors);
}

/**
 * Looks up every ID of a filter at once.
 * @throws AppError `validation_failed` (an ID of another type), `unknown_tag_option`, `unknown_collection`
 */
export async function resolveIds(leaves: readonly Leaf[], ids: IdResolver): Promise<Resolved> {
  const typeLeaves = leaves.filter((leaf) => leaf.kind === 'types');
  const idLeaves = leaves.filter((leaf) => leaf.kind === 'ids');
  const tagLeaves = idLeaves.filter((leaf) => leaf.field !== 'collection');
  const collections = idLeaves.filter((leaf) => leaf.field === 'collection');
  const types = typeLeaves.flatMap((leaf) => leaf.types);
  const typeIds = types.filter((type) => typeof type === 'number');
  const known = await ids.tags([...new Set([...tagLeaves.flatMap((leaf) => leaf.ids), ...typeIds])]);
  const meant = types.map((type) => (typeof type === 'number' ? (known.get(type)?.mergedInto ?? type) : type));
  const ofActions = meant.length === 0 ? new Map() : await ids.actionTypes([...new Set(meant)]);
  const errors = [
    ...tagLeaves.flatMap((leaf) => checkTags(leaf, known)),
    ...typeLeaves.flatMap((leaf) => checkTypes(leaf, known, ofActions)),
  ];
  const missing = new Set(await ids.missingCollections([...new Set(collections.flatMap((leaf) => leaf.ids))]));
  for (const { pointer, ids: given } of collections) {
    for (const id of given.filter((id) => missing.has(id))) {
      const detail = `expected IDs of collections, received unknown ${id}`;
      errors.push({ pointer, code: 'unknown_collection', detail });
    }
  }
  const unknownTags = [...tagLeaves.flatMap((leaf) => leaf.ids), ...typeIds].filter((id) => !known.has(id));
  const unknownKeys = types.filter((type) => typeof type === 'string' && !ofActions.has(type));
  const first = errors.find((error) => error.code.startsWith('unknown_'));
  throwAny(errors, first?.code === 'unknown_collection' ? [...missing] : [...unknownTags, ...unknownKeys]);

  const asksForDetails = leaves.some((leaf) => leaf.kind === 'detail');
  const fields = asksForDetails ? await ids.detailFields() : [];
  const survivor = (id: number): number => known.get(id)?.mergedInto ?? id;
  return {
    tags: (given) => [...new Set(given.map(survivor))],
    detail: (draft) => parseDetail(draft, fields),
    types: (given) => [
      ...new Set(given.flatMap((type) => ofActions.get(typeof type === 'number' ? survivor(type) : type) ?? [])),
    ],
  };
}

import type { ActionEngineRequest, EngineRequest } from '../../src/search/engine.ts';
import type { ActionFilter, Filter } from '../../src/search/filter/filter-tree.ts';
import type { TagWords } from '../../src/search/text/tag-words.ts';
import { parseTextQuery } from '../../src/search/text/text-query.ts';
import { pick, type Random } from '../tag-lookup/generator.ts';
import { ACTION_TYPES, typeId } from './action-generator.ts';
import { fixtureOf, idOf, skewed, SQUAD } from './generator.ts';
import { SINGLE_WORDS } from './names.ts';
import workload from './workload.json' with { type: 'json' };

type IdTest = Extract<ActionFilter, { kind: 'ids' }>;
const all = (...filters: readonly ActionFilter[]): ActionFilter => ({ kind: 'all', filters });
const types = (ids: readonly number[]): ActionFilter => ({ kind: 'ids', field: 'type', test: 'any', ids });
const tagged = (field: IdTest['field'], id: number, roles?: readonly string[]): ActionFilter => ({
  kind: 'ids',
  field,
  test: 'all',
  ids: [id],
  ...(roles && { roles }),
});
const minutes = (comparison: 'gte' | 'lte', minute: number): ActionFilter => ({
  kind: 'compare',
  field: 'minute',
  comparison,
  values: [minute],
});
const outcome: ActionFilter = { kind: 'compare', field: 'outcome', comparison: 'eq', values: ['successful'] };

function text(typed: string): ActionFilter {
  const query = parseTextQuery(typed);
  if (!query) throw new Error(`expected words, received ${typed}`);
  return { kind: 'text', query };
}

function someTypes(random: Random, count: number): readonly number[] {
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(typeId(pick(random, ACTION_TYPES)));
  return [...drawn];
}

const SIX_FACETS = ['type', 'player', 'club', 'role', 'outcome', 'minute'] as const;

type Draft = {
  readonly filter: ActionFilter;
  /** Of assets, beside their actions. */
  readonly tags?: readonly number[];
  /** Searches actions instead of assets. */
  readonly ofActions?: boolean;
  readonly sort?: 'created_at' | 'start_ms' | 'relevance';
  readonly facets?: boolean;
};

/** Players of the first eleven of a match's home club. */
function scorer(random: Random, match: number): number {
  const { home } = fixtureOf(match);
  return idOf('player', (home * SQUAD + Math.floor(random() * 11)) % workload.tags.player);
}

const late = (random: Random): ActionFilter => {
  const match = Math.floor(random() * workload.tags.match);
  return all(
    types([typeId('goal')]),
    tagged('player', scorer(random, match), ['scorer']),
    tagged('match', idOf('match', match)),
    minutes('gte', 80),
  );
};
const anyPlayer = (random: Random): number =>
  idOf('player', skewed(random, { count: workload.tags.player, exponent: 1.5 }));

const DRAWS: Readonly<Record<string, (random: Random, hot: readonly number[]) => Draft>> = {
  action_type: (random) => ({ filter: types([typeId(pick(random, ACTION_TYPES))]) }),
  action_player_role: (random) => ({
    filter: tagged('player', anyPlayer(random), [pick(random, ['scorer', 'assist', 'goalkeeper'])]),
  }),
  action_late_goal: (random) => ({ filter: late(random) }),
  action_minutes: (random) => {
    const from = 1 + Math.floor(random() * 85);
    return { filter: all(minutes('gte', from), minutes('lte', from + Math.floor(random() * 10))) };
  },
  action_text: (random) => ({ filter: text(`${pick(random, SINGLE_WORDS)} `) }),
  action_phrase: (random) => ({ filter: text(`"${pick(random, SINGLE_WORDS)} ${pick(random, SINGLE_WORDS)}"`) }),
  action_types_outcome: (random) => ({ filter: all(types(someTypes(random, 3)), outcome) }),
  action_and_tags: (random, hot) => ({
    filter: all(types(someTypes(random, 1)), minutes('gte', 80)),
    tags: [pick(random, hot), pick(random, hot)],
  }),
  action_start: (random) => ({ filter: types([typeId(pick(random, ACTION_TYPES))]), sort: 'start_ms' }),
  actions_player: (random) => ({ filter: tagged('player', anyPlayer(random)), ofActions: true }),
  actions_type_late: (random) => ({
    filter: all(types(someTypes(random, 1)), minutes('gte', 80)),
    ofActions: true,
    sort: 'start_ms',
  }),
  actions_in_tagged: (random, hot) => ({
    filter: types(someTypes(random, 3)),
    tags: [pick(random, hot)],
    ofActions: true,
  }),
  actions_relevance: (random) => ({
    filter: text(`${pick(random, SINGLE_WORDS)} ${pick(random, SINGLE_WORDS)} `),
    ofActions: true,
    sort: 'relevance',
  }),
  actions_facets: (random) => ({ filter: all(types(someTypes(random, 3)), outcome), ofActions: true, facets: true }),
  actions_facets_all: (random) => ({
    filter: { kind: 'none', filters: [types(someTypes(random, 1))] },
    ofActions: true,
    facets: true,
  }),
};

export const ACTION_CLASSES: readonly string[] = Object.keys(DRAWS);

function requestOf({ filter, tags = [], ofActions, sort, facets }: Draft, tagWords: TagWords) {
  const tests: Filter[] = tags.length === 0 ? [] : [{ kind: 'ids', field: 'tag_options', test: 'all', ids: tags }];
  const page = { limit: workload.page_size, offset: 0, after: undefined, tagWords };
  const root: ActionFilter = { kind: 'all', filters: [filter] };
  if (ofActions) {
    const request: ActionEngineRequest = {
      ...page,
      filter: root,
      media: { kind: 'all', filters: tests },
      homeOnly: true,
      sort: { field: sort ?? 'created_at', descending: sort !== 'start_ms' },
      facets: facets ? SIX_FACETS.map((field) => ({ field, limit: workload.facet_limit, filter: root })) : [],
    };
    return request;
  }
  const request: EngineRequest = {
    ...page,
    filter: { kind: 'all', filters: [...tests, { kind: 'action', filter: root }] },
    sort:
      sort === 'start_ms' ? { field: 'action.start_ms', descending: false } : { field: 'created_at', descending: true },
    facets: [],
  };
  return request;
}

/** Up to `count` different requests of a class; fewer where the class has no more. */
export function generateActionRequests(
  name: string,
  options: {
    readonly hot: readonly number[];
    readonly tagWords: TagWords;
    readonly random: Random;
    readonly count: number;
  },
): readonly (EngineRequest | ActionEngineRequest)[] {
  const drawOne = DRAWS[name];
  if (!drawOne) throw new Error(`expected a known class of queries, received ${name}`);
  const requests = new Map<string, EngineRequest | ActionEngineRequest>();
  for (let attempt = 0; attempt < options.count * 20 && requests.size < options.count; attempt += 1) {
    const request = requestOf(drawOne(options.random, options.hot), options.tagWords);
    const { tagWords: _, ...key } = request;
    requests.set(JSON.stringify(key), request);
  }
  return [...requests.values()];
}

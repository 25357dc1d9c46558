import { foldText } from '../../src/base/index.ts';
import type { EngineRequest, FacetRequest, Sort } from '../../src/search/engine.ts';
import type { Filter } from '../../src/search/filter/filter-tree.ts';
import type { TagWords } from '../../src/search/text/tag-words.ts';
import { parseTextQuery } from '../../src/search/text/text-query.ts';
import { pick, type Random } from '../tag-lookup/generator.ts';
import { FIRST_MATCH_AT, idsOfKind, LAST_MATCH_AT, photographerName } from './generator.ts';
import type { TagCounts } from './library.ts';
import { CAPTION_WORDS, SINGLE_WORDS, SURNAMES } from './names.ts';
import workload from './workload.json' with { type: 'json' };

const DAY_MS = 24 * 3_600_000;
const NEWEST: Sort = { field: 'created_at', descending: true };

type Tags = {
  readonly hottest: readonly number[];
  readonly hot: readonly number[];
  readonly rare: readonly number[];
  /** Players who occur, those in many assets and those in few. */
  readonly players: readonly number[];
};

/** The tag options that most assets have. */
export function hottestTags(counts: TagCounts, count: number): readonly number[] {
  const byCount = Array.from(counts.keys()).toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
  return byCount.slice(0, count);
}

function groupTags(counts: TagCounts, assets: number): Tags {
  const used = Array.from(counts.keys()).filter((id) => (counts[id] ?? 0) > 0);
  const byCount = used.toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
  const rareBelow = assets * workload.rare_share;
  return {
    hottest: byCount.slice(0, workload.hottest_tags),
    hot: byCount.slice(0, workload.hot_tags),
    rare: byCount.filter((id) => (counts[id] ?? 0) <= rareBelow),
    players: idsOfKind('player').filter((id) => (counts[id] ?? 0) > 0),
  };
}

type IdTest = Extract<Filter, { kind: 'ids' }>['test'];
const tags = (test: IdTest, ids: readonly number[]): Filter => ({ kind: 'ids', field: 'tag_options', test, ids });
const all = (...filters: readonly Filter[]): Filter => ({ kind: 'all', filters });

function draw(random: Random, from: readonly number[], count: number): readonly number[] {
  const drawn = new Set<number>();
  while (drawn.size < Math.min(count, from.length)) drawn.add(pick(random, from));
  return [...drawn];
}

/** What a search of the class asks to be counted; each with the search's own filter. */
type FacetDraft = Pick<FacetRequest, 'limit'> &
  ({ readonly field: 'captured_at'; readonly interval: 'month' } | { readonly field: (typeof SIX_FACETS)[number] });
type Draft = {
  readonly filter: Filter;
  readonly sort?: Sort;
  readonly page?: number;
  readonly facets?: readonly FacetDraft[];
};
type Draw = (random: Random, tags: Tags) => Draft;

const SIX_FACETS = ['player', 'club', 'competition', 'tag', 'sponsor', 'media_type'] as const;
const sixFacets = SIX_FACETS.map((field) => ({ field, limit: workload.facet_limit }));

/** What somebody typed; a space at the end finishes the last word. */
function text(typed: string): Filter {
  const query = parseTextQuery(typed);
  if (!query) throw new Error(`expected words, received ${typed}`);
  return { kind: 'text', query };
}

const plainSurnames = SURNAMES.filter((name) => /^\p{L}{4,}$/u.test(name));
const actions = CAPTION_WORDS.action.slice(0, 12);

const DRAWS: Readonly<Record<string, Draw>> = {
  rare_tag: (random, { rare }) => ({ filter: all(tags('all', draw(random, rare, 1))) }),
  hot_tag: (random, { hot }) => ({ filter: all(tags('all', draw(random, hot, 1))) }),
  and_hot_hot: (random, { hot }) => ({ filter: all(tags('all', draw(random, hot, 2))) }),
  and_rare_hot: (random, { rare, hottest }) => ({
    filter: all(tags('all', [...draw(random, rare, 1), ...draw(random, hottest, 1)])),
  }),
  cnf_or_groups: (random, { hot, hottest }) => ({
    filter: all(
      tags('any', draw(random, hottest, 3)),
      tags('any', draw(random, hot, 4)),
      tags('any', draw(random, hot, 8)),
    ),
  }),
  video_and_hot: (random, { hot }) => ({
    filter: all(
      { kind: 'compare', field: 'media_type', comparison: 'eq', values: ['video'] },
      tags('all', draw(random, hot, 1)),
    ),
  }),
  exclude: (random, { hot, hottest }) => ({
    filter: all(tags('all', draw(random, hottest, 1)), tags('none', draw(random, hot, 2))),
  }),
  broad_not: (random, { hot }) => ({ filter: all({ kind: 'none', filters: [tags('any', draw(random, hot, 3))] }) }),
  only: (random, { players }) => ({
    filter: all({
      kind: 'ids',
      field: 'player',
      test: 'only',
      ids: draw(random, players, 1 + Math.floor(random() * 2)),
    }),
  }),
  date_range: (random) => {
    const from = FIRST_MATCH_AT + Math.floor(random() * (LAST_MATCH_AT - FIRST_MATCH_AT));
    const to = from + Math.floor((7 + random() * 83) * DAY_MS);
    return {
      filter: all(
        { kind: 'compare', field: 'captured_at', comparison: 'gte', values: [new Date(from)] },
        { kind: 'compare', field: 'captured_at', comparison: 'lt', values: [new Date(to)] },
      ),
      sort: { field: 'captured_at', descending: true },
    };
  },
  deep_page: (random, { hottest }) => ({
    filter: all(tags('any', draw(random, hottest, 2))),
    page: workload.deep_page,
  }),
  // A photographer's initials (many), or the end of a match number with one (few).
  name_part: (random) => {
    const photographer = photographerName(Math.floor(random() * workload.photographers));
    const match = String(Math.floor(random() * workload.tags.match)).padStart(4, '0');
    const contains = pick(random, [
      `${photographer.toLowerCase()}_${match.slice(0, 2)}`,
      `_${match}_`,
      `${photographer}_${match}`,
    ]);
    return { filter: all({ kind: 'name', contains }) };
  },
  text_word: (random) => ({
    filter: all(text(`${pick(random, random() < 0.5 ? SINGLE_WORDS : plainSurnames)} `)),
  }),
  text_two_words: (random) => ({ filter: all(text(`${pick(random, plainSurnames)} ${pick(random, actions)} `)) }),
  text_phrase: (random) => ({
    filter: all(text(`"${pick(random, CAPTION_WORDS.action)} ${pick(random, CAPTION_WORDS.join)}"`)),
  }),
  text_prefix: (random) => {
    const word = foldText(pick(random, random() < 0.5 ? SINGLE_WORDS : plainSurnames));
    return { filter: all(text(word.slice(0, 3 + Math.floor(random() * 3)))) };
  },
  text_exclude: (random) => ({ filter: all(text(`${pick(random, actions)} -${pick(random, SINGLE_WORDS)} `)) }),
  text_and_tag: (random, { hot }) => ({
    filter: all(tags('all', draw(random, hot, 1)), text(`${pick(random, SINGLE_WORDS)} `)),
  }),
  text_relevance: (random) => ({
    filter: all(text(`${pick(random, plainSurnames)} ${pick(random, actions)} `)),
    sort: { field: 'relevance', descending: true },
  }),
  // Two letters swapped behind the third: most such words are in no caption and no name.
  text_typo: (random) => {
    const word = foldText(pick(random, plainSurnames));
    const letters = word.split('');
    [letters[2], letters[3]] = [letters[3] ?? '', letters[2] ?? ''];
    return { filter: all(text(`${letters.join('')} `)) };
  },
  facets_narrow: (random, { hot }) => ({ filter: all(tags('all', draw(random, hot, 2))), facets: sixFacets }),
  facets_broad: (random, { hot }) => ({
    filter: all({ kind: 'none', filters: [tags('any', draw(random, hot, 3))] }),
    facets: sixFacets,
  }),
  facets_months: (random, { hot }) => ({
    filter: all(tags('all', draw(random, hot, 1))),
    facets: [{ field: 'captured_at', interval: 'month', limit: workload.facet_limit }],
  }),
  newest: (random) => ({ filter: all(), page: 1 + Math.floor(random() * 10) }),
};

/** Up to `count` different requests of a class; fewer where the class has no more. */
export function generateRequests(
  name: string,
  options: {
    readonly counts: TagCounts;
    readonly assets: number;
    readonly tagWords: TagWords;
    readonly random: Random;
    readonly count: number;
  },
): readonly EngineRequest[] {
  const drawOne = DRAWS[name];
  if (!drawOne) throw new Error(`expected a known class of queries, received ${name}`);
  const groups = groupTags(options.counts, options.assets);
  const requests = new Map<string, EngineRequest>();
  for (let attempt = 0; attempt < options.count * 20 && requests.size < options.count; attempt += 1) {
    const { filter, sort = NEWEST, page = 1, facets = [] } = drawOne(options.random, groups);
    const offset = (page - 1) * workload.page_size;
    const request = { filter, sort, limit: workload.page_size, offset, after: undefined };
    requests.set(JSON.stringify(request), {
      ...request,
      facets: facets.map((facet) => ({ ...facet, filter })),
      tagWords: options.tagWords,
    });
  }
  return [...requests.values()];
}

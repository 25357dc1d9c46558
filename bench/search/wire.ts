/** The benchmark's requests as bodies of `POST /v1/media/search`. */
import type { EngineRequest } from '../../src/search/engine.ts';
import type { Filter } from '../../src/search/filter/filter-tree.ts';
import type { TextClause, TextQuery } from '../../src/search/text/text-query.ts';

function clauseText(clause: TextClause): string {
  const words = clause.kind === 'phrase' ? `"${clause.words.join(' ')}"` : clause.word;
  return `${clause.negated ? '-' : ''}${words}`;
}

function typed({ clauses }: TextQuery): string {
  const last = clauses.at(-1);
  const unfinished = last?.kind === 'word' && last.prefix;
  return `${clauses.map(clauseText).join(' ')}${unfinished ? '' : ' '}`;
}

function body(filter: Filter): Readonly<Record<string, unknown>> {
  switch (filter.kind) {
    case 'all':
    case 'any':
    case 'none':
      return filter.filters.length === 0 ? {} : { [filter.kind]: filter.filters.map(body) };
    case 'ids':
      return { [filter.field]: { [filter.test]: filter.ids } };
    case 'compare': {
      const values = filter.values.map((value) => (value instanceof Date ? value.toISOString() : value));
      return { [filter.field]: { [filter.comparison]: filter.comparison === 'in' ? values : values[0] } };
    }
    case 'exists':
      return { [filter.field]: { exists: filter.exists } };
    case 'name':
      return { name: filter.contains };
    case 'text':
      return { text: typed(filter.query) };
    case 'assets':
    case 'detail':
    case 'action':
      throw new RangeError(`expected a filter of assets alone, received ${filter.kind}`);
  }
}

/** `pageSize` replaces the request's own; the number of the page stays. */
export function toBody({ filter, sort, limit, offset, facets }: EngineRequest, pageSize: number): string {
  const asked = facets.map((facet) => ({
    field: facet.field,
    limit: facet.limit,
    ...('interval' in facet ? { interval: facet.interval } : {}),
  }));
  return JSON.stringify({
    ...body(filter),
    sort: `${sort.descending ? '-' : ''}${sort.field}`,
    limit: pageSize,
    page: offset / limit + 1,
    ...(asked.length > 0 ? { facets: asked } : {}),
  });
}

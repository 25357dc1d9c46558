/** The benchmark's table, as Markdown. */
import type { Variant } from './lucene.ts';
import type { ClassResult } from './measure.ts';
import { median, percentiles } from './statistics.ts';

const isFacets = (result: ClassResult): boolean => result.name.startsWith('facets_');

function ratio(theirs: readonly number[], ours: readonly number[]): number | undefined {
  return theirs.length > 0 && ours.length > 0 ? median(theirs) / median(ours) : undefined;
}

const shown = (value: number | undefined): string => value?.toFixed(1) ?? '-';

function howAnswered(result: ClassResult, variant: Variant | undefined): string {
  if (!variant) return '';
  const counting = isFacets(result) ? [variant.counting] : [];
  return [`${variant.passes} pass`, ...(variant.cache ? ['cache'] : []), ...counting].join(' ');
}

export const HEAD = [
  '| class | matches, median | queries | bitmap p50, p95, p99 ms | PostgreSQL p50, p95, p99 ms (queries) | Lucene p50, p95, p99 ms | Lucene by | PostgreSQL / bitmap | Lucene / bitmap |',
  '|---|--:|--:|--:|--:|--:|---|--:|--:|',
].join('\n');

export function row(result: ClassResult): string {
  const { name, matches, queries, bitmapMs, postgresMs, luceneMs, variant } = result;
  const few = postgresMs.length < queries && postgresMs.length > 0 ? ` (${postgresMs.length})` : '';
  const cells = [
    `\`${name}\``,
    matches.toLocaleString('en'),
    String(queries),
    percentiles(bitmapMs),
    `${percentiles(postgresMs)}${few}`,
    percentiles(luceneMs),
    howAnswered(result, variant),
    shown(ratio(postgresMs, bitmapMs)),
    shown(ratio(luceneMs, bitmapMs)),
  ];
  return `| ${cells.join(' | ')} |`;
}

function summaryOf(kind: string, results: readonly ClassResult[]): string {
  const medianOf = (pick: (result: ClassResult) => readonly number[]) => {
    const ratios = results.flatMap((result) => ratio(pick(result), result.bitmapMs) ?? []);
    return ratios.length > 0 ? `${median(ratios).toFixed(1)} (${ratios.length} classes)` : '-';
  };
  return (
    `${kind}: median of the classes' ratios: PostgreSQL / bitmap ${medianOf((one) => one.postgresMs)}, ` +
    `Lucene / bitmap ${medianOf((one) => one.luceneMs)}; all of bitmap p50, p95, p99: ` +
    `${percentiles(results.flatMap((one) => one.bitmapMs))} ms`
  );
}

export function summary(results: readonly ClassResult[]): string {
  return [
    summaryOf(
      'page and total',
      results.filter((one) => !isFacets(one)),
    ),
    summaryOf('facets', results.filter(isFacets)),
  ].join('\n');
}

import { extname } from 'node:path';
import { formatBytes, formatCount, formatDuration, printable } from './figures-text.ts';
import type { ImportSummary } from './import-types.ts';

const SHOWN_SKIPPED = 5;

const ENDINGS: Readonly<Record<ImportSummary['ended'], string | undefined>> = {
  complete: undefined,
  dry_run: 'Dry run: nothing was changed.',
  strict: 'Nothing was uploaded, because of --strict: something of the table cannot be applied.',
  aborted: 'Stopped. The next run of the same command goes on from here.',
  unreachable:
    'Stopped, because the service cannot be reached or only fails. The next run of the same command goes on from here.',
  refused: 'Stopped, because the service refuses this API key.',
};

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${printable(line)}`)];
}

/** Files that are no media, by extension, with the first names of each. */
function skippedLines(skipped: readonly string[]): readonly string[] {
  const byExtension = new Map<string, string[]>();
  for (const path of skipped) {
    const extension = extname(path).toLowerCase() || 'no extension';
    byExtension.set(extension, [...(byExtension.get(extension) ?? []), path]);
  }
  return [...byExtension].map(([extension, paths]) => {
    const more = paths.length > SHOWN_SKIPPED ? ', ...' : '';
    return `${extension} (${paths.length}): ${paths.slice(0, SHOWN_SKIPPED).join(', ')}${more}`;
  });
}

function countLines(summary: ImportSummary): readonly string[] {
  const { files, bytes, uploaded, uploadedBytes, duplicates, importedBefore, updated, untried, failures } = summary;
  if (summary.ended === 'dry_run' || summary.ended === 'strict')
    return [`${formatCount(files, 'file')}, ${formatBytes(bytes)}`];
  const sent = uploaded + duplicates;
  const rate = [
    formatDuration(summary.seconds * 1000),
    ...(sent > 0 && summary.seconds > 0
      ? [`${formatBytes(uploadedBytes / summary.seconds)}/s`, `${Math.round((sent / summary.seconds) * 60)} files/min`]
      : []),
  ].join(', ');
  return [
    `${formatCount(uploaded, 'file')} uploaded to ${summary.organization} (${formatBytes(uploadedBytes)} sent, ${rate})`,
    ...(duplicates > 0 ? [`${duplicates} in the library already (same bytes; tags and fields were added)`] : []),
    ...(importedBefore > 0 ? [`${importedBefore} imported before`] : []),
    ...(updated > 0 ? [`${updated} of these updated with new tags or fields`] : []),
    ...(failures.length > 0 ? [`${failures.length} failed`] : []),
    ...(untried > 0 ? [`${untried} not tried`] : []),
  ];
}

/** The report at the end of an import. */
export function formatSummary(summary: ImportSummary): string {
  const { processed } = summary;
  const ending = ENDINGS[summary.ended];
  return [
    ...countLines(summary),
    ...(processed ? [`${processed.ready} ready, ${processed.failures.length} failed in processing`] : []),
    ...section('Notes', summary.notes),
    ...section('Skipped, not photos or videos by their extension', skippedLines(summary.skipped)),
    ...section(
      'Not applied from the table',
      summary.issues.map(
        ({ line, file, detail }) => `line ${line}${file === undefined ? '' : ` (${file})`}: ${detail}`,
      ),
    ),
    ...section(
      'Rows of the table without a file',
      summary.unmatched.map((row) => `line ${row.line}: ${row.file}`),
    ),
    ...section(
      'Failed',
      summary.failures.map(({ path, reason }) => `${path}: ${reason}`),
    ),
    ...section('Failed in processing', processed?.failures.map(({ path, reason }) => `${path}: ${reason}`) ?? []),
    ...(ending === undefined ? [] : [ending]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** 0: all is in the library as the table says; 1: something is not; 130: stopped by the user. */
export function exitCodeOf(summary: ImportSummary): number {
  if (summary.ended === 'aborted') return 130;
  const isEnded = summary.ended === 'complete' || summary.ended === 'dry_run';
  const faults = summary.failures.length + summary.issues.length + (summary.processed?.failures.length ?? 0);
  return isEnded && faults === 0 ? 0 : 1;
}

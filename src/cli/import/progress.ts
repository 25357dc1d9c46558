import { SECOND_MS } from '../../base/index.ts';
import { formatBytes, formatDuration } from './figures-text.ts';
import type { ImportProgress } from './import-types.ts';
import { createRateMeter, type Rate } from './rate.ts';

/** Shows a run while it lasts. */
export type ProgressReporter = {
  readonly update: (progress: ImportProgress) => void;
  /** Removes the bar, so that what is written next begins on an empty line. */
  readonly end: () => void;
};

const BAR_WIDTH = 20;
const REDRAW_MS = SECOND_MS / 5;
const LINE_EVERY_MS = 5 * SECOND_MS;
const PHASES: Readonly<Record<ImportProgress['phase'], string>> = {
  looking: 'Looking through the folder',
  resolving: 'Looking up tags',
  uploading: 'Uploading',
  processing: 'Waiting for processing',
};

/** One line about a run, such as `12/82 files  30.1/120.9 MB  42.0 MB/s  310 files/min  0:02 left`. */
export function formatProgress(progress: ImportProgress, rate: Rate): string {
  const { phase, filesDone, filesTotal, bytesDone, bytesTotal, failures } = progress;
  if (phase === 'looking' || phase === 'resolving') return `${PHASES[phase]} ...`;
  const failed = failures > 0 ? [`${failures} failed`] : [];
  if (phase === 'processing') return [`${PHASES.processing}: ${filesDone}/${filesTotal}`, ...failed].join('  ');
  return [
    `${filesDone}/${filesTotal} files`,
    `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`,
    `${formatBytes(rate.bytesPerSecond)}/s`,
    `${Math.round(rate.filesPerMinute)} files/min`,
    ...(rate.remainingMs === undefined ? [] : [`${formatDuration(rate.remainingMs)} left`]),
    ...failed,
  ].join('  ');
}

/** A bar of the work done, by bytes where there are any. */
export function formatBar(progress: ImportProgress): string {
  const { filesDone, filesTotal, bytesDone, bytesTotal } = progress;
  const share = bytesTotal > 0 ? bytesDone / bytesTotal : filesTotal > 0 ? filesDone / filesTotal : 0;
  const full = Math.floor(Math.min(1, Math.max(0, share)) * BAR_WIDTH);
  return `[${'#'.repeat(full)}${'-'.repeat(BAR_WIDTH - full)}]`;
}

/** Shows the progress of an import: a bar on a terminal, else a line every 5 s. */
export function createProgressReporter(stream: NodeJS.WriteStream): ProgressReporter {
  const isTerminal = stream.isTTY;
  let meter = createRateMeter();
  let phase: ImportProgress['phase'] | undefined;
  let latest: ImportProgress | undefined;
  let shown = '';

  const show = () => {
    if (!latest) return;
    const rate = meter.read({ files: latest.filesTotal, bytes: latest.bytesTotal });
    const text = formatProgress(latest, rate);
    if (!isTerminal) {
      if (text !== shown) stream.write(`${text}\n`);
    } else {
      const counts = latest.phase === 'uploading' || latest.phase === 'processing';
      const line = counts ? `${formatBar(latest)} ${text}` : text;
      // A line that wraps could not be drawn over.
      stream.write(`\r${line.slice(0, Math.max(10, (stream.columns ?? 80) - 1))}\u001b[K`);
    }
    shown = text;
  };
  const timer = setInterval(show, isTerminal ? REDRAW_MS : LINE_EVERY_MS);
  timer.unref();
  return {
    update(progress) {
      latest = progress;
      if (progress.phase !== phase) {
        phase = progress.phase;
        meter = createRateMeter();
        if (isTerminal) show();
      }
      meter.add({ atMs: performance.now(), files: progress.filesDone, bytes: progress.bytesDone });
    },
    end() {
      clearInterval(timer);
      if (isTerminal && shown !== '') stream.write('\r\u001b[K');
      shown = '';
    },
  };
}

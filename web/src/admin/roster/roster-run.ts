import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type RosterAnswer, type RosterStatus, type RosterSummary, sendRoster } from '../../api/roster.ts';
import type { RosterFault, RosterItem } from './roster-mapping.ts';

/** What became of one tag option of the file. */
export type RosterResult = {
  readonly lines: readonly number[];
  readonly name: string;
  readonly status: RosterStatus;
  readonly id: number | undefined;
  /** What is wrong with it, and where. */
  readonly faults: readonly string[];
};
export type RosterRun = {
  readonly isPreview: boolean;
  readonly total: number;
  readonly results: readonly RosterResult[];
  /** Missing until the last line. */
  readonly summary: RosterSummary | undefined;
  readonly error: unknown;
  readonly isRunning: boolean;
};

/** The screen follows a run a few times a second, however many lines come. */
const SHOW_MS = 150;

function resultOf(item: RosterItem | undefined, { status, id, error }: RosterAnswer): RosterResult {
  const detailed = error?.errors.map(({ pointer, detail }) => `${pointer.slice(1).replaceAll('/', ' › ')}: ${detail}`);
  return {
    lines: item?.lines ?? [],
    name: item?.name ?? '',
    status,
    id,
    faults: error === undefined ? [] : detailed && detailed.length > 0 ? detailed : [error.detail],
  };
}

const failedOf = ({ line, name, detail }: RosterFault): RosterResult => ({
  lines: [line],
  name,
  status: 'failed',
  id: undefined,
  faults: [detail],
});

export type RosterOrder = {
  readonly items: readonly RosterItem[];
  /** Rows that could not be read here; they are told with the others. */
  readonly faults: readonly RosterFault[];
  readonly isPreview: boolean;
  readonly deactivateMissing: readonly string[];
};

/** Sends a roster, and tells what becomes of it while it runs. */
export function useRosterRun() {
  const client = useQueryClient();
  const [run, setRun] = useState<RosterRun>();
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const start = async ({ items, faults, isPreview, deactivateMissing }: RosterOrder): Promise<void> => {
    abort.current?.abort();
    const control = new AbortController();
    abort.current = control;
    const results: RosterResult[] = faults.map(failedOf);
    const base = { isPreview, total: items.length + faults.length };
    const show = (rest: Pick<RosterRun, 'summary' | 'error' | 'isRunning'>) => {
      if (abort.current === control) setRun({ ...base, results: [...results], ...rest });
    };
    const running = { summary: undefined, error: undefined, isRunning: true };
    show(running);
    const timer = setInterval(() => show(running), SHOW_MS);
    try {
      const summary = await sendRoster(
        items.map(({ text }) => text),
        {
          isPreview,
          deactivateMissing,
          signal: control.signal,
          onAnswer: (answer) => results.push(resultOf(items[answer.index], answer)),
        },
      );
      show({ summary, error: undefined, isRunning: false });
    } catch (error) {
      show({ summary: undefined, error: control.signal.aborted ? undefined : error, isRunning: false });
    } finally {
      clearInterval(timer);
      if (!isPreview) {
        void client.invalidateQueries({ queryKey: ['tag'] });
        void client.invalidateQueries({ queryKey: ['media'] });
      }
    }
  };
  return {
    run,
    start,
    /** What was written stays. */
    stop: () => abort.current?.abort(),
    clear: () => {
      abort.current?.abort();
      abort.current = undefined;
      setRun(undefined);
    },
  };
}

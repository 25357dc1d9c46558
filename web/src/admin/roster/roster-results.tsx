import { ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { useState } from 'react';
import type { RosterStatus } from '../../api/roster.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { TagPanel } from '../taxonomy/tag-editor.tsx';
import { reportOf } from './roster-report.ts';
import type { RosterResult } from './roster-run.ts';

const PAGE = 50;
const STATUSES: readonly RosterStatus[] = ['failed', 'created', 'updated', 'unchanged'];
type Shown = RosterStatus | 'all';

/** What became of each line, those that failed first to see. */
export function RosterResults({
  results,
  isRunning,
}: {
  readonly results: readonly RosterResult[];
  readonly isRunning: boolean;
}) {
  const [chosen, setChosen] = useState<Shown>();
  const [page, setPage] = useState(0);
  const [opened, setOpened] = useState<number>();
  const counts = new Map(STATUSES.map((status) => [status, 0]));
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  const shown = chosen ?? ((counts.get('failed') ?? 0) > 0 && !isRunning ? 'failed' : 'all');
  const matching = shown === 'all' ? results : results.filter(({ status }) => status === shown);
  // While it runs they come batch by batch; then in the order of the file.
  const list = isRunning ? matching : matching.toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
  const pages = Math.max(1, Math.ceil(list.length / PAGE));
  const at = Math.min(page, pages - 1);
  const options: readonly { readonly value: Shown; readonly label: string }[] = [
    { value: 'all', label: `All (${formatCount(results.length)})` },
    ...STATUSES.map((status) => ({
      value: status,
      label: `${LABELS[status]} (${formatCount(counts.get(status) ?? 0)})`,
    })),
  ];
  return (
    <div className="roster-results">
      <div className="roster-buttons">
        <Select
          label="Show"
          isLabelHidden
          options={options}
          value={shown}
          onChange={(next) => {
            setChosen(next);
            setPage(0);
          }}
        />
        <Button isDisabled={isRunning} onPress={() => saveReport(results)}>
          <Download aria-hidden /> Report as CSV
        </Button>
      </div>
      <Table
        label="Lines"
        items={list.slice(at * PAGE, (at + 1) * PAGE)}
        idOf={({ lines }) => lines.join(' ')}
        empty="None of these."
        columns={columnsOf(setOpened)}
      />
      {pages > 1 && (
        <div className="taxonomy-pager">
          <span className="quiet">
            {formatCount(at * PAGE + 1)} to {formatCount(Math.min(list.length, (at + 1) * PAGE))} of{' '}
            {formatCount(list.length)}
          </span>
          <Button size="s" isDisabled={at === 0} onPress={() => setPage(at - 1)}>
            <ChevronLeft aria-hidden /> Back
          </Button>
          <Button size="s" isDisabled={at === pages - 1} onPress={() => setPage(at + 1)}>
            Next <ChevronRight aria-hidden />
          </Button>
        </div>
      )}
      {opened !== undefined && (
        <TagPanel id={opened} canWrite onOpen={setOpened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  );
}

function columnsOf(onOpen: (id: number) => void): readonly TableColumn<RosterResult>[] {
  return [
    {
      id: 'line',
      isRowHeader: false,
      label: 'Line',
      isNumber: true,
      width: '72px',
      cell: ({ lines }) => lines.map(formatCount).join(', '),
    },
    {
      id: 'name',
      label: 'Name',
      isRowHeader: true,
      cell: ({ name, id }) =>
        id === undefined ? (
          name
        ) : (
          <Button tone="quiet" size="s" className="roster-name" onPress={() => onOpen(id)}>
            {name === '' ? `ID ${id}` : name}
          </Button>
        ),
    },
    {
      id: 'status',
      label: 'What became of it',
      cell: ({ status, faults }) =>
        status === 'failed' ? (
          <ul className="roster-fault">
            {faults.map((fault) => (
              <li key={fault}>{fault}</li>
            ))}
          </ul>
        ) : (
          <span className={`roster-status roster-status-${status}`}>{status}</span>
        ),
    },
  ];
}

const LABELS: Readonly<Record<RosterStatus, string>> = {
  failed: 'Failed',
  created: 'Created',
  updated: 'Updated',
  unchanged: 'Unchanged',
};

function saveReport(results: readonly RosterResult[]): void {
  const url = URL.createObjectURL(new Blob([reportOf(results)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'roster-report.csv';
  link.click();
  URL.revokeObjectURL(url);
}

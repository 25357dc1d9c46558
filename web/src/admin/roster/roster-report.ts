import type { RosterResult } from './roster-run.ts';

/** What a spreadsheet would take for a formula stays a text (OWASP, CSV injection). */
const cellOf = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Results as CSV, in the order of the file. */
export function reportOf(results: readonly RosterResult[]): string {
  const rows = results
    .toSorted((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0))
    .map(({ lines, name, status, id, faults }) => [
      lines.join(' '),
      name,
      status,
      id === undefined ? '' : String(id),
      faults.join('; '),
    ]);
  return [['line', 'name', 'status', 'id', 'fault'], ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

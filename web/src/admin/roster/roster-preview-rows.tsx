import { formatCount, plural } from '../../ui/format.ts';
import type { RosterFault, RosterItem } from './roster-mapping.ts';

const SHOWN = 5;

/** What the first rows become, and how many cannot be read. */
export function RosterPreviewRows({
  items,
  faults,
}: {
  readonly items: readonly RosterItem[];
  readonly faults: readonly RosterFault[];
}) {
  return (
    <section className="roster-part" aria-label="What the rows become">
      <h3>What the rows become</h3>
      <p role="status" className="quiet">
        {plural(items.length, 'tag option')}
        {faults.length > 0 && `, ${plural(faults.length, 'row')} that cannot be read`}
      </p>
      <ol className="roster-rows">
        {items.slice(0, SHOWN).map(({ lines, name, text }) => (
          <li key={lines[0]}>
            <span className="quiet">Line {lines.map(formatCount).join(', ')}</span> <b>{name}</b>
            <code>{text}</code>
          </li>
        ))}
        {faults.slice(0, SHOWN).map(({ line, name, detail }) => (
          <li key={line}>
            <span className="quiet">Line {formatCount(line)}</span> <b>{name}</b>
            <span className="roster-fault">{detail}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

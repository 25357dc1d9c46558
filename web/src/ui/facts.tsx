import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import './facts.css';

/** A name and what it stands for. */
export type Fact = readonly [name: string, value: ReactNode];

/** A few facts with their names; those without a value are left out. */
export function Facts({
  facts,
  layout,
  className,
}: {
  readonly facts: readonly Fact[];
  /** `columns`: beside each other, each under its name; `rows`: one a line, behind its name. */
  readonly layout?: 'columns' | 'rows';
  readonly className?: string;
}) {
  return (
    <dl className={classNames('ui-facts', layout && `ui-facts-${layout}`, className)}>
      {facts
        .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

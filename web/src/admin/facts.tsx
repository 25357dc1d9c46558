import type { ReactNode } from 'react';

export type Fact = { readonly label: string; readonly value: ReactNode };

/** A few facts beside each other, each under its name. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="admin-facts">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

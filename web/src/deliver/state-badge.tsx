import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';
import './state-badge.css';

/** One or two words on how a thing is doing. */
export function StateBadge({
  tone,
  children,
}: {
  readonly tone: 'ok' | 'warn' | 'danger' | 'quiet';
  readonly children: ReactNode;
}) {
  return <span className={classNames('state-badge', `state-badge-${tone}`)}>{children}</span>;
}

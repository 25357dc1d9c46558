import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import './badge.css';

export type BadgeTone = 'plain' | 'ok' | 'warn' | 'danger' | 'accent';

/** In which state something is, in a word or two. */
export function Badge({ tone = 'plain', children }: { readonly tone?: BadgeTone; readonly children: ReactNode }) {
  return <span className={classNames('ui-badge', `ui-badge-${tone}`)}>{children}</span>;
}

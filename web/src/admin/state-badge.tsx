import type { ReactNode } from 'react';
import { classNames } from '../ui/class-names.ts';

export type Tone = 'plain' | 'ok' | 'warn' | 'danger' | 'accent';

/** In which state something is, in a word. */
export function StateBadge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={classNames('admin-badge', `admin-badge-${tone}`)}>{children}</span>;
}

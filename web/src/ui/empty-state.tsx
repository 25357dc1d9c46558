import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import './empty-state.css';

/** What stands where nothing is: why, and what to do. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  actions,
  role,
}: {
  readonly icon?: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly role?: 'alert' | 'status';
}) {
  return (
    <div className="ui-empty" role={role}>
      {Icon && <Icon aria-hidden />}
      <h2>{title}</h2>
      {children !== undefined && <div className="quiet ui-empty-text">{children}</div>}
      {actions !== undefined && <div className="ui-empty-actions">{actions}</div>}
    </div>
  );
}

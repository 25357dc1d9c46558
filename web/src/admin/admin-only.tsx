import { LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMe } from '../api/me.ts';
import { ProblemView } from '../app/problem-view.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import './admin.css';

/** What only keys with the scope `admin` may see; others are told what they lack, and nothing is asked for in vain. */
export function AdminOnly({ what, children }: { readonly what: string; readonly children: ReactNode }) {
  const { data: me, error, refetch } = useMe();
  if (me?.scopes.includes('admin')) return children;
  if (me) {
    return (
      <EmptyState icon={LockKeyhole} title={`This key may not see ${what}`}>
        <p>
          That takes the scope <code>admin</code>. The key <b>{me.api_key.name}</b> (<code>{me.api_key.prefix}</code>)
          has {listOf(me.scopes)}.
        </p>
        <p>Ask an administrator for a key that has it, and sign in with that one.</p>
      </EmptyState>
    );
  }
  if (error) return <ProblemView error={error} onRetry={() => void refetch()} />;
  return <Skeleton height={160} />;
}

const listOf = (scopes: readonly string[]) =>
  scopes.length === 0 ? 'no scope at all' : new Intl.ListFormat('en').format(scopes);

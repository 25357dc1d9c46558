import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type ApiProblem, toProblem } from '../api/problem.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { showToast } from '../ui/toast.tsx';
import './problem-view.css';

/** Where a whole view failed: what the service said, and a way to try again. */
export function ProblemView({
  error,
  onRetry,
  actions,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  readonly actions?: ReactNode;
}) {
  const problem = toProblem(error);
  return (
    <EmptyState
      icon={CircleAlert}
      role="alert"
      title={problem.title}
      actions={
        <>
          {onRetry && <Button onPress={onRetry}>Try again</Button>}
          {actions}
        </>
      }
    >
      <ProblemText problem={problem} />
    </EmptyState>
  );
}

function ProblemText({ problem }: { readonly problem: ApiProblem }) {
  const fields = problem.fields.filter(({ detail }) => detail !== problem.detail);
  return (
    <>
      <p>{problem.detail}</p>
      {fields.map(({ pointer, detail }) => (
        <p key={pointer}>
          {detail} <code>{pointer}</code>
        </p>
      ))}
      {problem.requestId !== undefined && problem.status >= 500 && (
        <p className="problem-id">
          Request <code>{problem.requestId}</code>
        </p>
      )}
    </>
  );
}

/** A line within a form or a panel. */
export function ProblemNote({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null;
  const problem = toProblem(error);
  return (
    <p role="alert" className="problem-note">
      <CircleAlert aria-hidden />
      <span>
        <b>{problem.title}.</b> {problem.detail}
      </span>
    </p>
  );
}

/** For what was started and left: a toast that stays until it is closed. */
export function showProblem(error: unknown, what?: string): void {
  const problem = toProblem(error);
  showToast({ tone: 'error', text: what ?? problem.title, detail: problem.detail });
}

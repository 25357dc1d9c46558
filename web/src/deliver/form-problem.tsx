import { toProblem } from '../api/problem.ts';
import { ProblemNote } from '../app/problem-view.tsx';

/** What a form as a whole was refused for; what its fields say themselves is not said twice. */
export function FormProblem({
  error,
  fields,
}: {
  readonly error: unknown;
  /** The pointers of members that have a field which shows its fault. */
  readonly fields: RegExp;
}) {
  if (error === null || error === undefined) return null;
  const problem = toProblem(error);
  const isToldBelow = problem.fields.length > 0 && problem.fields.every(({ pointer }) => fields.test(pointer));
  if (!isToldBelow) return <ProblemNote error={error} />;
  return (
    <p role="alert" className="problem-note">
      Not saved: see what is marked below.
    </p>
  );
}

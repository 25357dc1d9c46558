import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { WebhookAttempt } from '../../api/webhooks.ts';
import { ProblemNote } from '../../app/problem-view.tsx';
import { classNames } from '../../ui/class-names.ts';
import { answerOf } from './webhook-state.ts';

/** What came of a test message. */
export function PingResult({
  isPending,
  result,
  error,
}: {
  readonly isPending: boolean;
  readonly result: (WebhookAttempt & { readonly delivered: boolean }) | undefined;
  readonly error: unknown;
}) {
  if (isPending) {
    return (
      <p className="admin-ping quiet" role="status">
        A test message is on its way…
      </p>
    );
  }
  if (error !== null) return <ProblemNote error={error} />;
  if (!result) return null;
  const Icon = result.delivered ? CircleCheck : TriangleAlert;
  return (
    <div className={classNames('admin-ping', result.delivered ? 'admin-ping-ok' : 'admin-ping-failed')} role="status">
      <Icon aria-hidden />
      <div>
        <p>
          <b>{result.delivered ? 'The test message was taken in' : 'The test message was not taken in'}</b>:{' '}
          {answerOf(result)}.
        </p>
        {result.error !== null && <p>{result.error}</p>}
        {result.excerpt !== null && <pre className="admin-excerpt">{result.excerpt}</pre>}
      </div>
    </div>
  );
}

import { useNow } from './use-now.ts';
import { formatMoment, formatRelative } from './when.ts';

/** How long ago or ahead a moment is; pointed at, when exactly. */
export function Moment({ at }: { readonly at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatRelative(at, now)}
    </time>
  );
}

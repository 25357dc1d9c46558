import { formatMoment, formatRelative } from './when.ts';

/** How long ago or ahead a moment is; pointed at, when exactly. */
export function Moment({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatRelative(at, Date.now())}
    </time>
  );
}

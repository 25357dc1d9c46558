import { formatCount, plural } from '../../ui/format.ts';
import { scaleEnd, type Span, spanText } from './usage-figures.ts';

const WIDTH = 1000;
const HEIGHT = 120;

/** A bar for each day or week. The same figures are in the table below it. */
export function SpanChart({
  title,
  spans,
  valueOf,
  what,
}: {
  readonly title: string;
  readonly spans: readonly Span[];
  readonly valueOf: (span: Span) => number;
  /** One of what is counted: `search`. */
  readonly what: readonly [one: string, many: string];
}) {
  const values = spans.map(valueOf);
  const total = values.reduce((sum, value) => sum + value, 0);
  const end = scaleEnd(Math.max(...values));
  const step = WIDTH / spans.length;
  const [first, last] = [spans[0], spans.at(-1)];
  return (
    <figure className="admin-chart">
      <figcaption>
        <h3>{title}</h3>
        <span className="quiet">{plural(total, ...what)}</span>
      </figcaption>
      <div className="admin-chart-plot">
        <span className="admin-chart-end quiet" aria-hidden>
          {formatCount(end)}
        </span>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${plural(total, ...what)} in all, at most ${formatCount(Math.max(...values))} in one ${unitOf(spans)}`}
        >
          <line x1="0" y1="0.5" x2={WIDTH} y2="0.5" className="admin-chart-line" />
          {spans.map((span, at) => {
            const value = valueOf(span);
            const height = (value / end) * HEIGHT;
            return (
              <g key={span.from}>
                <title>{`${spanText(span)}: ${plural(value, ...what)}`}</title>
                <rect x={at * step} y={0} width={step} height={HEIGHT} className="admin-chart-space" />
                <rect
                  x={at * step + step * 0.12}
                  y={HEIGHT - height}
                  width={step * 0.76}
                  height={height}
                  className="admin-chart-bar"
                />
              </g>
            );
          })}
        </svg>
      </div>
      <p className="admin-chart-days quiet" aria-hidden>
        <span>{first && spanText({ from: first.from, to: first.from })}</span>
        <span>{last && spanText({ from: last.to, to: last.to })}</span>
      </p>
    </figure>
  );
}

const unitOf = (spans: readonly Span[]): string => (spans.some(({ from, to }) => from !== to) ? 'week' : 'day');

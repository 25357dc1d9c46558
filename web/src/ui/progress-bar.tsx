import { ProgressBar as AriaProgressBar, Label } from 'react-aria-components';
import './progress-bar.css';

/** How much is done, 0 to 1; without `value` only that something runs. */
export function ProgressBar({
  label,
  isLabelHidden = false,
  value,
  note,
}: {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value?: number | undefined;
  /** At the right, such as `3 of 8`. */
  readonly note?: string;
}) {
  const share = value === undefined ? {} : { value: Math.max(0, Math.min(1, value)) };
  return (
    <AriaProgressBar
      className="ui-progress"
      {...share}
      maxValue={1}
      isIndeterminate={value === undefined}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
    >
      {({ percentage }) => (
        <>
          {(!isLabelHidden || note !== undefined) && (
            <span className="ui-progress-text">
              {isLabelHidden ? <span /> : <Label>{label}</Label>}
              {note !== undefined && <span className="quiet">{note}</span>}
            </span>
          )}
          <span className="ui-progress-track">
            <span
              className={value === undefined ? 'ui-progress-fill ui-progress-running' : 'ui-progress-fill'}
              style={value === undefined ? {} : { width: `${percentage ?? 0}%` }}
            />
          </span>
        </>
      )}
    </AriaProgressBar>
  );
}

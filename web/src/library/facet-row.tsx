import { Check } from 'lucide-react';
import { formatCount, formatShortCount } from '../ui/format.ts';

/** One value of a facet: how many there are, and whether it narrows. */
export function FacetRow({
  label,
  count,
  isOn,
  onPress,
  style,
}: {
  readonly label: string;
  readonly count: number;
  readonly isOn: boolean;
  readonly onPress: () => void;
  readonly style?: { readonly height: number; readonly transform: string };
}) {
  return (
    <li style={style}>
      <button type="button" className="facet-row" aria-pressed={isOn} onClick={onPress}>
        <span className="facet-mark" aria-hidden>
          {isOn && <Check />}
        </span>
        <span className="facet-name">{label}</span>
        <span className="facet-count" title={formatCount(count)}>
          {formatShortCount(count)}
        </span>
      </button>
    </li>
  );
}

import type { DeliveryState } from '../api/deliveries.ts';
import { STATE_TONES, STATE_WORDS } from './words.ts';

export function StateBadge({ state }: { readonly state: DeliveryState }) {
  return <span className={`deliver-badge deliver-health-${STATE_TONES[state]}`}>{STATE_WORDS[state]}</span>;
}

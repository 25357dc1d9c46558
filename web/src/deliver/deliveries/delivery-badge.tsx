import type { DeliveryState } from '../../api/deliveries.ts';
import { Badge } from '../../ui/badge.tsx';
import { STATE_TONES, STATE_WORDS } from './words.ts';

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  return <Badge tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Badge>;
}

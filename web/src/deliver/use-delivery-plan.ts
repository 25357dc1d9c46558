import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type DeliveryRequest, deliveryPlanQuery } from '../api/deliveries.ts';
import { useResting } from '../library/use-resting.ts';

const REST_MS = 300;
const NOTHING: DeliveryRequest = { destination_id: 0 };

/** What a request would come to, as the service says; asked when it has stayed the same for a moment. */
export function useDeliveryPlan(request: DeliveryRequest | undefined) {
  const text = request === undefined ? undefined : JSON.stringify(request);
  const resting = useResting(text, REST_MS);
  // The text is that of a request, made above.
  const asked = useMemo(() => (resting === undefined ? NOTHING : (JSON.parse(resting) as DeliveryRequest)), [resting]);
  const { data, error, isPlaceholderData } = useQuery({
    ...deliveryPlanQuery(asked),
    enabled: resting !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isStale = isPlaceholderData || resting !== text;
  return { plan: request === undefined ? undefined : data, error: isStale ? null : error, isStale };
}

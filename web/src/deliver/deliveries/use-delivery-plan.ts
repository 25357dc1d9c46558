import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type DeliveryRequest, deliveryPlanQuery } from '../../api/deliveries.ts';
import { useResting } from '../../library/use-resting.ts';

const REST_MS = 300;
/** More assets take the service too long for an answer to every key that is pressed. */
const LARGE = 200;
const LARGE_REST_MS = 1000;
const SAMPLE = 40;
const NOTHING: DeliveryRequest = { destination_id: 0 };

// The texts are those of requests, made below: objects would be new ones in each render.
const requestIn = (text: string | undefined): DeliveryRequest =>
  text === undefined ? NOTHING : (JSON.parse(text) as DeliveryRequest);

function usePlan(text: string | undefined, restMs: number) {
  const resting = useResting(text, restMs);
  const asked = useMemo(() => requestIn(resting), [resting]);
  const { data, error, isPlaceholderData } = useQuery({
    ...deliveryPlanQuery(asked),
    enabled: resting !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isStale = isPlaceholderData || resting !== text || (data === undefined && error === null);
  return { plan: text === undefined ? undefined : data, error: isStale ? null : error, isStale };
}

/** The request for the assets that come first, which are those that the first plan of it has. */
function useSampleOf(request: DeliveryRequest | undefined, isLarge: boolean): string | undefined {
  const text = request === undefined ? undefined : JSON.stringify(request);
  const [first] = useState(text);
  const firstRequest = useMemo(() => requestIn(first), [first]);
  const { data } = useQuery({
    ...deliveryPlanQuery(firstRequest),
    enabled: isLarge && first !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!isLarge || !data || !request) return undefined;
  const { filter: _filter, media_ids: _ids, ...rest } = request;
  const ids = [...new Set(data.deliveries.map((delivery) => delivery.media_id))].slice(0, SAMPLE);
  return ids.length === 0 ? undefined : JSON.stringify({ ...rest, media_ids: ids });
}

/**
 * What a request would come to, as the service says; asked when it has stayed the same for a moment. Of many assets the first
 * ones are shown (`isSample`) until all have been looked at.
 */
export function useDeliveryPlan(request: DeliveryRequest | undefined, count: number) {
  const isLarge = count > LARGE;
  const whole = usePlan(request && JSON.stringify(request), isLarge ? LARGE_REST_MS : REST_MS);
  const sample = usePlan(useSampleOf(request, isLarge), REST_MS);
  const isSample = whole.isStale && !sample.isStale && (sample.plan !== undefined || sample.error !== null);
  return { ...(isSample ? sample : whole), isSample };
}

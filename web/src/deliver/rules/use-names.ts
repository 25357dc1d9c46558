import { useQueries, useQuery } from '@tanstack/react-query';
import { destinationsQuery } from '../../api/destinations.ts';
import { useHasScope } from '../../api/me.ts';
import { tagQuery } from '../../api/tags.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import type { Names } from './rule-words.ts';

/** What the IDs of steps are called. Until a name is known, or where it is gone, the ID stands for it. */
export function useNames(tagIds: readonly number[]): Names {
  const mayAdmin = useHasScope('admin');
  const destinations = useQuery(destinationsQuery).data;
  const webhooks = useQuery({ ...webhooksQuery, enabled: mayAdmin }).data;
  const unique = [...new Set(tagIds)];
  const tags = useQueries({ queries: unique.map((id) => ({ ...tagQuery(id), retry: false })) });
  const labels = new Map(unique.map((id, index) => [id, tags[index]?.data?.label]));
  return {
    destination: (id) => destinations?.find((one) => one.id === id)?.name ?? `destination ${id}`,
    tag: (id) => labels.get(id) ?? `tag ${id}`,
    webhook: (id) => webhooks?.find((one) => one.id === id)?.name ?? `webhook ${id}`,
  };
}

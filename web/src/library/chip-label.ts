import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { collectionQuery } from '../api/collections.ts';
import { tagQuery } from '../api/tags.ts';
import type { Chip } from './query.ts';

const keyOf = ({ type, id }: Pick<Chip, 'type' | 'id'>) => ['chip', type === 'collection' ? type : 'tag', id] as const;

/** What a chip is called. Of a link that somebody sent only the ID is known. */
export function chipLabelQuery(client: QueryClient, chip: Pick<Chip, 'type' | 'id'>) {
  return queryOptions({
    queryKey: keyOf(chip),
    queryFn: async (): Promise<string> =>
      chip.type === 'collection'
        ? (await client.fetchQuery(collectionQuery(chip.id))).name
        : (await client.fetchQuery(tagQuery(chip.id))).label,
    staleTime: 5 * 60_000,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** Notes a label that is known already, so that it need not be asked for. */
export function rememberChipLabel(client: QueryClient, chip: Pick<Chip, 'type' | 'id'>, label: string): void {
  if (client.getQueryData(keyOf(chip)) === undefined) client.setQueryData(keyOf(chip), label);
}

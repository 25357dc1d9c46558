import { foldText } from '../../base/index.ts';
import type { ApiClient } from './api-client.ts';

type Collection = { readonly id: number; readonly name: string };
type CollectionPage = { readonly collections: readonly Collection[]; readonly next_cursor: string | null };

export type Collections = {
  /** Undefined: there is none, and `create` is false. */
  idOf(name: string, options: { readonly create: boolean }): Promise<number | undefined>;
};

const PAGE = 200;

async function loadAll(client: ApiClient, signal: AbortSignal): Promise<Collection[]> {
  const all: Collection[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor === null ? {} : { cursor }) });
    const { body }: { body: CollectionPage } = await client.call<CollectionPage>({
      method: 'GET',
      path: `/v1/collection?${query.toString()}`,
      signal,
    });
    all.push(...body.collections);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return all;
}

/** Collections by name: spelled the same, else equal when folded. They are listed once, when the first is asked for. */
export function createCollections(client: ApiClient, signal: AbortSignal): Collections {
  let listed: Promise<Collection[]> | undefined;
  const created = new Map<string, Promise<number>>();
  const create = async (name: string) => {
    const { body } = await client.call<{ readonly collection: Collection }>({
      method: 'POST',
      path: '/v1/collection',
      json: { name },
      signal,
    });
    return body.collection.id;
  };
  return {
    async idOf(name, options) {
      listed ??= loadAll(client, signal);
      const all = await listed;
      const found =
        all.find((one) => one.name === name) ??
        all.find((one) => foldText(one.name) === foldText(name) && foldText(name) !== '');
      if (found) return found.id;
      if (!options.create) return undefined;
      const id = created.get(name) ?? create(name);
      created.set(name, id);
      return id;
    },
  };
}

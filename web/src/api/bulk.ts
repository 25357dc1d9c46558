import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';
import { toProblem } from './problem.ts';

/** Assets by ID, or all that a filter finds. */
export type BulkTarget = { readonly ids: readonly number[] } | { readonly filter: Schemas['Filter'] };
export type BulkTags = { readonly add?: readonly number[]; readonly remove?: readonly number[] };
/** What became of the assets: those that really changed, and how many were refused. */
export type BulkOutcome = { readonly changed: readonly number[]; readonly failed: number };

const POLL_MS = 500;
const RESULTS = 1000;

async function readChanged(operationId: number): Promise<readonly number[]> {
  const changed: number[] = [];
  let cursor: string | undefined;
  do {
    const query = { status: 'updated', limit: RESULTS, ...(cursor !== undefined && { cursor }) } as const;
    const params = { path: { id: operationId }, query };
    const page = dataOf(await api.GET('/v1/operation/{id}/result', { params }));
    changed.push(...page.results.flatMap(({ id }) => (id === undefined ? [] : [id])));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return changed;
}

/** Puts tag options on many assets, or takes them off, and waits until that is done; large ones are jobs of the service. */
async function changeTags(
  target: BulkTarget,
  tags: BulkTags,
  onProgress: (share: number) => void,
): Promise<BulkOutcome> {
  const given = 'ids' in target ? { ids: [...target.ids] } : { filter: target.filter };
  const { add, remove } = tags;
  const change = { ...(add && { add: [...add] }), ...(remove && { remove: [...remove] }) };
  const answer = dataOf(await api.POST('/v1/media/bulk', { body: { ...given, tags: change } }));
  if ('results' in answer) {
    const changed = answer.results.flatMap(({ id, status }) => (status === 'updated' && id !== undefined ? [id] : []));
    return { changed, failed: answer.failed };
  }
  let { operation } = answer;
  while (operation.state === 'queued' || operation.state === 'running') {
    onProgress(operation.total === 0 ? 0 : operation.done / operation.total);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    operation = dataOf(await api.GET('/v1/operation/{id}', { params: { path: { id: operation.id } } })).operation;
  }
  if (operation.failure !== null) throw toProblem(new Error(operation.failure));
  return { changed: await readChanged(operation.id), failed: operation.failed };
}

/** Tags many assets. Searches and assets that are shown follow. */
export function useBulkTags(onProgress: (share: number) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ target, tags }: { readonly target: BulkTarget; readonly tags: BulkTags }) =>
      changeTags(target, tags, onProgress),
    onSettled: () => client.invalidateQueries({ queryKey: ['media'] }),
  });
}

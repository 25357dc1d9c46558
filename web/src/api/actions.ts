import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from './client.ts';
import { ApiProblem } from './problem.ts';

export type Action = Schemas['Action'];

/** What an edit of an action may change here; null takes a value away. */
export type ActionPatch = {
  readonly label?: string | null;
  readonly start_ms?: number;
  readonly end_ms?: number;
  readonly event_ms?: number;
  readonly outcome?: string | null;
  readonly status?: Action['status'];
  readonly players?: readonly { readonly id: number; readonly role?: string | null }[];
};

export type NewAction = {
  readonly type: string | number;
  readonly label?: string | null;
  readonly start_ms?: number;
  readonly end_ms?: number;
  readonly event_ms?: number;
  readonly outcome?: string | null;
  readonly players?: readonly { readonly id: number; readonly role: string | null }[];
};

/** A match has some 2,000 events in the fullest feeds. */
const MAX_ACTIONS = 20_000;
const PAGE = 200;

const keyOf = (mediaId: number) => ['media', mediaId, 'actions'] as const;

/** All actions of a video, as they lie in it, in order of start. */
export const actionsQuery = (mediaId: number) =>
  queryOptions({
    queryKey: keyOf(mediaId),
    queryFn: async ({ signal }) => {
      const actions: Action[] = [];
      let cursor: string | undefined;
      do {
        const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
        const page = dataOf(
          await api.GET('/v1/media/{id}/action', { params: { path: { id: mediaId }, query }, signal }),
        );
        actions.push(...page.actions);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined && actions.length < MAX_ACTIONS);
      return actions;
    },
  });

export const useActions = (mediaId: number) => useQuery(actionsQuery(mediaId));

const byStart = (a: Action, b: Action) => a.start_ms - b.start_ms || a.id - b.id;

/** Writes to the actions of one video; what is on the screen follows at once, and goes back when the service refuses. */
export function useActionWrites(mediaId: number) {
  const client = useQueryClient();
  const queryKey = keyOf(mediaId);
  const replace = (change: (actions: readonly Action[]) => readonly Action[]) =>
    client.setQueryData(actionsQuery(mediaId).queryKey, (old) => (old ? [...change(old)].sort(byStart) : old));
  const refetch = () => client.invalidateQueries({ queryKey });

  const create = useMutation({
    mutationFn: async (action: NewAction) => {
      const { players, ...rest } = action;
      const body = { ...rest, ...(players && { players: [...players] }) };
      const answer = dataOf(await api.POST('/v1/media/{id}/action', { params: { path: { id: mediaId } }, body }));
      const [refused] = answer.errors;
      const [made] = answer.actions;
      if (!made) {
        throw new ApiProblem({
          status: 400,
          code: refused?.code ?? 'validation_failed',
          title: 'The action was not recorded',
          detail: refused?.detail ?? 'The service did not take it.',
        });
      }
      return made;
    },
    onSuccess: (made) => {
      replace((actions) => [...actions.filter(({ id }) => id !== made.id), made]);
      // Where the list could not be read before, it is now.
      if (client.getQueryState(queryKey)?.status !== 'success') void refetch();
    },
  });

  const patch = useMutation({
    mutationFn: async ({ action, change }: { readonly action: Action; readonly change: ActionPatch }) => {
      const { players, ...rest } = change;
      const body = { ...rest, ...(players && { players: [...players] }) };
      const params = { path: { id: action.id }, header: { 'If-Match': `"v${action.version}"` } };
      return dataOf(await api.PATCH('/v1/action/{id}', { params, body })).action;
    },
    onMutate: ({ action, change }) => {
      const { players: _players, ...shown } = change;
      replace((actions) => actions.map((one) => (one.id === action.id ? { ...one, ...shown } : one)));
    },
    onSuccess: (changed) =>
      replace((actions) =>
        changed.status === 'retracted'
          ? actions.filter(({ id }) => id !== changed.id)
          : actions.map((one) => (one.id === changed.id ? changed : one)),
      ),
    onError: refetch,
  });

  const remove = useMutation({
    mutationFn: async (action: Action) => {
      await api.DELETE('/v1/action/{id}', { params: { path: { id: action.id } } });
      return action;
    },
    onMutate: (action) => {
      replace((actions) => actions.filter(({ id }) => id !== action.id));
    },
    onError: refetch,
  });

  return { create, patch, remove, refetch };
}

/** What has to be sent to record an action that was removed once more. */
export function copyOf(action: Action): NewAction {
  const { type, label, start_ms, end_ms, event_ms, outcome, players } = action;
  return {
    type,
    label,
    outcome,
    ...(start_ms === end_ms ? { event_ms } : { start_ms, end_ms, event_ms }),
    players: players.map(({ id, role }) => ({ id, role })),
  };
}

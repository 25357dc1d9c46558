import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { api, type BodyOf, dataOf, type Schemas } from './client.ts';

export type Rule = Schemas['Rule'];
export type RuleEvent = Rule['on'][number];
export type RuleRun = Schemas['RuleRun'];
export type RunState = RuleRun['state'];
export type RunStep = RuleRun['steps'][number];
export type RuleBody = BodyOf<'/v1/rule', 'post'>;
export type RulePatch = BodyOf<'/v1/rule/{id}', 'patch'>;
export type DryRun = Awaited<ReturnType<typeof tryRule>>['runs'][number];
/** What a rule would be. */
export type TriedRule = Pick<RuleBody, 'on' | 'filter' | 'then'>;

/** Rules run by themselves, and their counts change with it. */
const POLL_MS = 5000;
const PAGE = 200;
const RUNS = 20;

/** All of the organization, in the order in which they run. */
export const rulesQuery = queryOptions({
  queryKey: ['rule', 'list'],
  // An organization has 100 at most.
  queryFn: async ({ signal }) =>
    dataOf(await api.GET('/v1/rule', { params: { query: { limit: PAGE } }, signal })).rules,
});

export const useRules = () => useQuery({ ...rulesQuery, refetchInterval: POLL_MS });

/** Writes to rules; the list follows. */
export function useRuleWrites() {
  const client = useQueryClient();
  const onSettled = () => client.invalidateQueries({ queryKey: rulesQuery.queryKey });
  const create = useMutation({
    mutationFn: async (body: RuleBody) => dataOf(await api.POST('/v1/rule', { body })).rule,
    onSettled,
  });
  const change = useMutation({
    mutationFn: async (asked: { readonly id: number; readonly body: RulePatch; readonly version?: number }) => {
      const { id, body, version } = asked;
      const header = version === undefined ? {} : { header: { 'If-Match': `"v${version}"` } };
      return dataOf(await api.PATCH('/v1/rule/{id}', { params: { path: { id }, ...header }, body })).rule;
    },
    onSettled,
  });
  const remove = useMutation({
    mutationFn: async (id: number) => {
      await api.DELETE('/v1/rule/{id}', { params: { path: { id } } });
    },
    onSettled,
  });
  return { create, change, remove };
}

/** What a rule did, newest first. */
export function ruleRunsQuery(id: number, state: RunState | undefined) {
  return infiniteQueryOptions({
    queryKey: ['rule', id, 'runs', state],
    // It goes on running.
    staleTime: 0,
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: RUNS, ...(state && { state }), ...(pageParam !== '' && { cursor: pageParam }) };
      return dataOf(await api.GET('/v1/rule/{id}/run', { params: { path: { id }, query }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
}

async function tryRule(
  asked: { readonly rule: TriedRule; readonly days: number },
  { cursor, signal }: { readonly cursor: string; readonly signal: AbortSignal },
) {
  const from = { days: asked.days, limit: RUNS, ...(cursor !== '' && { cursor }) };
  return dataOf(await api.POST('/v1/rule/dry_run', { body: { ...asked.rule, ...from }, signal }));
}

/** What a rule would have done about the events of the last days, saved or not; nothing is asked before there is one. */
export function dryRunQuery(asked: { readonly rule: TriedRule; readonly days: number } | undefined) {
  return infiniteQueryOptions({
    queryKey: ['rule', 'dry-run', asked],
    queryFn: ({ signal, pageParam }) => {
      if (!asked) throw new RangeError('expected a rule to try');
      return tryRule(asked, { cursor: pageParam, signal });
    },
    enabled: asked !== undefined,
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
    // Each look is at the library as it is then.
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

import { type Static, Type } from 'typebox';
import { OPERATION_KINDS, OPERATION_STATES, USAGES } from '../../library/index.ts';
import { Id, Nullable, Time } from './common.ts';
import { Details } from './media.ts';

const strict = { additionalProperties: false } as const;

/** Assets that one request may name. */
const MAX_IDS = 10_000;

const filterRef = Type.Unsafe<Record<string, unknown>>({ $ref: 'Filter#' });
const Ids = (maxItems: number) => Type.Array(Id, { maxItems });

const Change = (what: string, maxItems: number) =>
  Type.Object(
    { add: Type.Optional(Ids(maxItems)), remove: Type.Optional(Ids(maxItems)) },
    { ...strict, minProperties: 1, description: what },
  );

const BulkSet = Type.Object(
  {
    usage: Type.Optional(Type.Union(USAGES.map((usage) => Type.Literal(usage)))),
    usage_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    rating: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 5 }))),
    captured_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    status: Type.Optional(Type.Union([Type.Literal('ready'), Type.Literal('archived')])),
    details: Type.Optional(Details),
    collections: Type.Optional(Ids(100)),
  },
  { ...strict, minProperties: 1, description: 'Values that each asset gets; details is a JSON Merge Patch' },
);

const Yes = (description: string) => Type.Optional(Type.Unsafe<true>({ type: 'boolean', const: true, description }));

export const BulkBody = Type.Object(
  {
    ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MAX_IDS, description: 'Either these assets' })),
    filter: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        ...filterRef,
        description: 'or those that this filter of POST /v1/media/search finds now',
      }),
    ),
    set: Type.Optional(BulkSet),
    tags: Type.Optional(Change('Tag options to put on each asset and to take off', 500)),
    collections: Type.Optional(Change('Collections that each asset joins and leaves', 100)),
    delete: Yes('Moves each asset to the bin; with nothing else'),
    restore: Yes('Takes each asset out of the bin; with nothing else'),
    dry_run: Type.Optional(Type.Boolean({ description: 'Answers what would be done, and does nothing' })),
  },
  {
    ...strict,
    examples: [{ filter: { match: 12, rating: { exists: false } }, set: { rating: 3 }, tags: { add: [40] } }],
  },
);
export type BulkBody = Static<typeof BulkBody>;

const Failure = Type.Object({ code: Type.String({ description: 'One of docs/errors.md' }), detail: Type.String() });
const counts = {
  total: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Integer(),
  dry_run: Type.Boolean(),
};

const RESULT_STATUSES = ['created', 'updated', 'unchanged', 'failed', 'waiting'] as const;

const BulkResultOut = Type.Object({
  id: Type.Optional(Type.Integer({ description: 'The asset; of an import once there is one' })),
  url: Type.Optional(Type.String({ description: 'Of an import; without its query once it is done' })),
  status: Type.String({ enum: [...RESULT_STATUSES] }),
  error: Type.Optional(Failure),
});
export type BulkResultOut = Static<typeof BulkResultOut>;

export const BulkAnswer = Type.Object({ ...counts, results: Type.Array(BulkResultOut) });

export const OperationOut = Type.Object(
  {
    id: Id,
    kind: Type.String({ enum: [...OPERATION_KINDS] }),
    state: Type.String({ enum: [...OPERATION_STATES] }),
    ...counts,
    created: Type.Integer({ description: 'New assets of an import' }),
    done: Type.Integer({ description: 'created + updated + unchanged + failed' }),
    failure: Nullable(Type.String({ description: 'Why the operation as a whole has failed' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object({ id: BulkResultOut.properties.id, url: BulkResultOut.properties.url, ...Failure.properties }),
        {
          description: 'The first 1,000 assets that failed; not in lists',
        },
      ),
    ),
    created_by: Type.String({ description: 'Name of the API key' }),
    created_at: Time,
    started_at: Nullable(Time),
    finished_at: Nullable(Time),
    version: Type.Integer(),
  },
  { $id: 'Operation' },
);
export type OperationOut = Static<typeof OperationOut>;
const operationRef = Type.Unsafe<OperationOut>({ $ref: 'Operation#' });

export const OperationAnswer = Type.Object({ operation: operationRef });
export const OperationList = Type.Object({
  operations: Type.Array(operationRef),
  next_cursor: Nullable(Type.String()),
});
const page = {
  limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
};
export const OperationListQuery = Type.Object(page, strict);
export const OperationResults = Type.Object({
  results: Type.Array(BulkResultOut),
  next_cursor: Nullable(Type.String()),
});
export const OperationResultsQuery = Type.Object(
  {
    ...page,
    limit: Type.Integer({ minimum: 0, maximum: 1000, default: 200 }),
    status: Type.Optional(
      Type.Unsafe<(typeof RESULT_STATUSES)[number]>({
        type: 'string',
        enum: [...RESULT_STATUSES],
      }),
    ),
  },
  strict,
);

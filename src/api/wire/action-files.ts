import { type Static, Type } from 'typebox';
import { EVENT_FORMATS } from '../../formats/index.ts';
import { ACTION_STATUSES } from '../../library/index.ts';
import { EXPORT_FORMATS } from '../../ingest/index.ts';
import { Id, Nullable } from './common.ts';

const strict = { additionalProperties: false } as const;
const literals = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], expected: `one of ${values.join(', ')}` });

export const ActionImportQuery = Type.Object(
  {
    format: Type.Optional(literals(EVENT_FORMATS)),
    mode: Type.Optional(
      Type.Unsafe<'strict' | 'lenient'>({
        ...literals(['strict', 'lenient']),
        default: 'strict',
        description:
          'strict: any fault or unknown name refuses the whole file. lenient: takes what can be taken; unknown types, ' +
          'players and clubs become tag options of the category imported.',
      }),
    ),
    preview: Type.Optional(
      Type.Unsafe<'true' | 'false'>({
        ...literals(['true', 'false']),
        default: 'false',
        description: 'true: says what an import would do, and changes nothing',
      }),
    ),
    source: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_.:-]{0,99}$',
        expected: 'a name such as feed:opta',
        description: "Instead of the format's own, such as feed:opta",
      }),
    ),
  },
  strict,
);
export type ActionImportQuery = Static<typeof ActionImportQuery>;

const Place = { index: Type.Integer(), line: Nullable(Type.Integer()) };

export const ActionImportAnswer = Type.Object({
  format: literals(EVENT_FORMATS),
  preview: Type.Boolean(),
  counts: Type.Object({
    events: Type.Integer(),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    stale: Type.Integer({ description: 'A newer version of the event is in the library' }),
    retracted: Type.Integer({ description: 'Withdrawn by the file' }),
    ignored: Type.Integer({ description: 'Withdrawn by the file, and never known' }),
    failed: Type.Integer(),
  }),
  unknown: Type.Array(
    Type.Object({
      kind: literals(['type', 'player', 'club', 'match']),
      name: Type.String(),
      reason: literals(['unknown', 'ambiguous', 'deactivated']),
      count: Type.Integer({ description: 'Events that name it' }),
      candidates: Type.Array(Id, { description: 'Tag options it may mean' }),
      created_id: Nullable(Id),
    }),
  ),
  problems: Type.Array(Type.Object({ ...Place, field: Type.String(), message: Type.String() }), {
    description: 'What could not be read, the first 1,000',
  }),
  errors: Type.Array(
    Type.Object({ ...Place, ref: Type.String(), code: Type.String(), pointer: Type.String(), detail: Type.String() }),
    { description: 'Events that were not taken, the first 1,000' },
  ),
  actions: Type.Array(Type.Object({ ...Place, ref: Type.String(), result: Type.String(), id: Nullable(Id) }), {
    description: 'What became of the first 1,000 events, in the order of the file',
  }),
});

export const ActionExportQuery = Type.Object(
  {
    // The table's keys are the formats.
    format: literals(Object.keys(EXPORT_FORMATS) as (keyof typeof EXPORT_FORMATS)[]),
    status: Type.Optional(literals(ACTION_STATUSES)),
  },
  strict,
);

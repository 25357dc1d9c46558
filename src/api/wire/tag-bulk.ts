import { type Static, Type } from 'typebox';
import { Id } from './common.ts';
import { playerExample, TagPatch } from './tags.ts';

const strict = { additionalProperties: false } as const;

export const TagBulk = Type.Object(
  { tag_options: Type.Array(TagPatch, { minItems: 1, maxItems: 1000 }) },
  {
    ...strict,
    description: 'Each item needs external_ids: it changes the option that has them, or becomes a new one.',
    examples: [{ tag_options: [playerExample] }],
  },
);
export type TagBulk = Static<typeof TagBulk>;

export const TagBulkQuery = Type.Object(
  {
    deactivate_missing: Type.Optional(
      Type.String({
        maxLength: 500,
        pattern: '^[a-z]+:[A-Za-z0-9][A-Za-z0-9_.-]{0,63}(,[a-z]+:[A-Za-z0-9][A-Za-z0-9_.-]{0,63})*$',
        expected: 'type:source such as player:opta, several with commas between',
        description:
          'With application/x-ndjson: active options of this type with an external id of this source that are not in the ' +
          'stream are deactivated at its end, unless an item failed',
      }),
    ),
    preview: Type.Optional(
      Type.Unsafe<'true' | 'false'>({
        type: 'string',
        enum: ['true', 'false'],
        default: 'false',
        description: 'With application/x-ndjson, true: says what each line would do, and changes nothing',
      }),
    ),
  },
  strict,
);

const ItemError = Type.Object({
  code: Type.String(),
  detail: Type.String(),
  errors: Type.Array(Type.Object({ pointer: Type.String(), code: Type.String(), detail: Type.String() })),
});
const BulkResult = Type.Object({
  index: Type.Integer(),
  status: Type.String({ enum: ['created', 'updated', 'unchanged', 'failed'] }),
  id: Type.Optional(Id),
  error: Type.Optional(ItemError),
});

export const TagBulkAnswer = Type.Object({ results: Type.Array(BulkResult) });

/** One line of the streamed answer, for the OpenAPI document: a result, or the last line, which has `done`. */
export const TagBulkLine = Type.Union([
  Type.Object({
    ...BulkResult.properties,
    line: Type.Optional(Type.Integer({ description: 'Of an item that failed: its line, counted from 1' })),
  }),
  Type.Object({
    done: Type.Boolean({ description: 'False when the stream ended early; error says why' }),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    failed: Type.Integer(),
    deactivated: Type.Integer(),
    not_deactivated: Type.Optional(Type.String({ description: 'Why deactivate_missing was left out' })),
    version: Type.Integer({ description: 'Send it as X-Library-Version to see everything that was written' }),
  }),
  Type.Object({ done: Type.Boolean(), error: ItemError }),
]);

import { type Static, Type } from 'typebox';
import { SCOPES } from '../../auth/index.ts';
import { Id, Nullable, Time } from './common.ts';

const ScopeSchema = Type.Union(SCOPES.map((scope) => Type.Literal(scope)));
const ScopesOut = Type.Array(Type.String({ enum: [...SCOPES] }));

export const KeyCreate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    scopes: Type.Array(ScopeSchema, { minItems: 1, uniqueItems: true }),
    expires_at: Type.Optional(Nullable(Type.String({ format: 'date-time' }))),
    cidrs: Type.Optional(
      Type.Array(Type.String({ format: 'cidr' }), {
        maxItems: 100,
        description: 'Networks the key may be used from; none = any',
      }),
    ),
    requests_per_second: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    burst: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'website', scopes: ['media.read'], expires_at: '2027-07-01T00:00:00Z' }],
  },
);

const key = {
  id: Id,
  prefix: Type.String({ description: 'The visible part of the key' }),
  name: Type.String(),
  scopes: ScopesOut,
  cidrs: Type.Array(Type.String()),
  requests_per_second: Type.Integer(),
  burst: Type.Integer(),
  expires_at: Nullable(Time),
  revoked_at: Nullable(Time),
  last_used_at: Nullable(Time),
  created_at: Time,
};
export const KeyOut = Type.Object(key, { $id: 'ApiKey' });
const keyRef = Type.Unsafe<Static<typeof KeyOut>>({ $ref: 'ApiKey#' });
export const KeyAnswer = Type.Object({ api_key: keyRef });
export const KeyCreated = Type.Object({
  api_key: keyRef,
  key: Nullable(Type.String({ description: 'The key itself: shown here once and never again' })),
});
export const KeyList = Type.Object({
  api_keys: Type.Array(keyRef),
  total: Type.Integer(),
  next_cursor: Nullable(Type.String()),
});
export const KeyListQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, maximum: 200, default: 50 }),
    cursor: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  { additionalProperties: false },
);

export const MeAnswer = Type.Object({
  organization: Type.Object({ id: Id, slug: Type.String(), name: Type.String(), library_version: Type.Integer() }),
  api_key: keyRef,
  scopes: ScopesOut,
  limits: Type.Object({ requests_per_second: Type.Integer(), burst: Type.Integer() }),
});

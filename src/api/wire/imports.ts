import { Type } from 'typebox';
import { UploadMetadata } from './media.ts';

const strict = { additionalProperties: false } as const;

/** URLs that one request may name. */
const MAX_ITEMS = 100;

const ImportItemIn = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 4000,
      description:
        'https, without user name and password. Other addresses only as far as the setting OUTBOUND_ALLOW has them',
    }),
    ...UploadMetadata.properties,
  },
  strict,
);

export const ImportBody = Type.Object(
  { items: Type.Array(ImportItemIn, { minItems: 1, maxItems: MAX_ITEMS }) },
  {
    ...strict,
    examples: [{ items: [{ url: 'https://photos.example/2026/goal.jpg', tag_options: [12], external_id: 'goal-1' }] }],
  },
);

import { Type } from 'typebox';
import { TAG_TYPES } from '../../library/index.ts';
import { Nullable } from './common.ts';
import { TagTypeSchema } from './tags.ts';

const Count = Type.Integer({ minimum: 0 });
const Category = Type.String({ minLength: 1, maxLength: 300, pattern: '\\S' });

export const TagCategoryList = Type.Object({
  categories: Type.Array(
    Type.Object({
      type: Type.String({ enum: [...TAG_TYPES] }),
      category: Nullable(Type.String()),
      active: Count,
      deactivated: Count,
    }),
  ),
});

export const TagCategoryRename = Type.Object(
  { type: TagTypeSchema, from: Category, to: Category },
  { additionalProperties: false, examples: [{ type: 'tag', from: 'moods', to: 'mood' }] },
);

export const TagCategoryRenamed = Type.Object({ changed: Count });

export const TagUsageAnswer = Type.Object({
  usage: Type.Object({
    media: Type.Integer({ minimum: 0, description: 'Assets outside the bin that carry it' }),
    actions: Type.Integer({ minimum: 0, description: 'Actions that name it, deleted ones too' }),
    tag_options: Type.Integer({
      minimum: 0,
      description: 'Other tag options whose relations name it, such as the players of a club',
    }),
    matches: Type.Integer({ minimum: 0, description: 'Matches of it: as home, away, stadium, competition or season' }),
    merged: Type.Integer({ minimum: 0, description: 'Tag options that were merged into it' }),
  }),
});

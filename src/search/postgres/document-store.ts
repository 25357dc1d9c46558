import { type RawBuilder, sql } from 'kysely';

/** What a search finds, as SQL: where its rows come from, and the columns that a text looks at. */
export type Documents = {
  readonly from: RawBuilder<unknown>;
  /** The same rows, where nothing but their words and tag options is asked. */
  readonly wordsFrom: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
  readonly organizationId: RawBuilder<unknown>;
  /** A tsvector. */
  readonly words: RawBuilder<unknown>;
  /** Tag options that it carries. */
  readonly tagIds: RawBuilder<unknown>;
};

export const ASSETS: Documents = {
  from: sql`asset a`,
  wordsFrom: sql`asset a`,
  id: sql.ref('a.id'),
  organizationId: sql.ref('a.organization_id'),
  words: sql.ref('a.search_text'),
  tagIds: sql.ref('a.tag_ids'),
};

/** Actions `c` in videos `a`, each place `m` by itself. */
export const ACTIONS: Documents = {
  from: sql`action_media m JOIN action c ON c.id = m.action_id JOIN asset a ON a.id = m.asset_id`,
  wordsFrom: sql`action_media m JOIN action c ON c.id = m.action_id`,
  id: sql.ref('m.id'),
  organizationId: sql.ref('c.organization_id'),
  words: sql.ref('c.search_text'),
  tagIds: sql.ref('c.tag_ids'),
};

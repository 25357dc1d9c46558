export { createBitmapEngine } from './bitmap/bitmap-engine.ts';
export { type SearchEngine, SORT_FIELDS } from './engine.ts';
export { createFreshness, type Freshness } from './freshness.ts';
export { type FilterInput, FilterSchema, filterMembers } from './filter/filter-schema.ts';
export { createMediaSearch, type MediaSearch } from './media-search.ts';
export { createPostgresEngine } from './postgres/postgres-search-store.ts';
export { createTagLookup, type TagLookup } from './tag-lookup-follower.ts';

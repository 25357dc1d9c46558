export { createTagLookupIndex } from './tag-lookup-index.ts';
export type {
  TagLookupHit,
  TagLookupIndex,
  TagLookupRecord,
  TagLookupRequest,
  TagLookupResult,
  TagType,
} from './types.ts';

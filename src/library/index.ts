export { type ActionState, readActionHistory } from './action-history-store.ts';
export { releaseActions } from './action-release-store.ts';
export { patchAction } from './action-patch.ts';
export { timecodeFormatOf } from './action-places.ts';
export { findUnknownActionTypes } from './action-references.ts';
export type { ActionFields, ActionInput, ActionPatch } from './action-statement.ts';
export {
  type ActionTag,
  type ActionVideo,
  findActionPlaces,
  findActions,
  findActionsBySource,
  findActionTags,
  findActionVideos,
  listActionPlaces,
  type PlacedAction,
  sourceKey,
} from './action-store.ts';
export {
  type Action,
  ACTION_STATUSES,
  ACTION_TYPE_CATEGORY,
  type ActionClub,
  type ActionPlace,
  type ActionPlayer,
  type ActionStatus,
  type Side,
  SIDES,
  type Timeline,
} from './action-types.ts';
export { ACTION_TYPE_SOURCE, BUILT_IN_ACTION_TYPES, leadLagOf } from './action-vocabulary.ts';
export { type ActionOutcome, deleteAction, writeActions } from './actions.ts';
export {
  findAssetsWithDetails,
  type IdRange,
  type IndexSnapshot,
  readIndexRows,
  withIndexSnapshot,
} from './asset-index-store.ts';
export {
  type AssetPatch,
  findAsset,
  findAssets,
  type ProcessedFacts,
} from './asset-store.ts';
export {
  type Asset,
  ASSET_STATUSES,
  type AssetFace,
  type AssetFile,
  type AssetTag,
  isPublic,
  type MediaType,
  type Orientation,
  ORIENTATIONS,
  type Quality,
  type Usage,
  USAGES,
} from './asset-types.ts';
export {
  acceptUpload,
  checkUploadFields,
  editAsset,
  type EmbeddedNames,
  finishProcessing,
  getAssetForWrite,
  giveUpProcessing,
  retryProcessing,
  type UploadedFile,
  type UploadOutcome,
} from './assets.ts';
export { moveToBin, restoreFromBin } from './bin.ts';
export { type BulkEdit, type BulkResult } from './bulk-edit.ts';
export { tryOut } from './bulk-edit-store.ts';
export { applyBulkEdit, type BulkHooks, checkBulkEdit } from './bulk-edits.ts';
export {
  type BulkItem,
  type BulkOperation,
  deleteOldOperations,
  endOperation,
  findBulkOperation,
  insertBulkOperation,
  listBulkItems,
  listBulkOperations,
  OPERATION_KINDS,
  OPERATION_STATES,
} from './bulk-operation-store.ts';
export { giveUpBulkOperation, runBulkOperation } from './bulk-operations.ts';
export { deleteOldChanges, readOldestChange } from './change-retention-store.ts';
export {
  type Change,
  CHANGE_TYPES,
  type ChangeRow,
  type ChangeType,
  findEvents,
  findVersionBefore,
  inSnapshot,
  type LibraryEvent,
  type LibraryWrite,
  onLibraryWritten,
  readChanges,
  readEvents,
  readVersion,
  readVersions,
  writeLibrary,
} from './changes-store.ts';
export {
  type ClipOutcome,
  deleteClip,
  endClip,
  findClip,
  findClips,
  findExpiredClips,
  insertClip,
  listClips,
  noteClipProgress,
  startClip,
} from './clip-store.ts';
export {
  type Clip,
  CLIP_ASPECTS,
  CLIP_STATES,
  type ClipAspect,
  type ClipFacts,
  type ClipRequest,
  type ClipSegment,
} from './clip-types.ts';
export {
  type Collection,
  deleteCollection,
  findCollection,
  findMissingCollections,
  insertCollection,
  listCollections,
  renameCollection,
} from './collection-store.ts';
export { type DetailField, DETAIL_TYPES, readDetailDate } from './detail-field.ts';
export { findDetailField, listDetailFields } from './detail-field-store.ts';
export { createDetailField, editDetailField, removeDetailField } from './detail-fields.ts';
export {
  type ComparedFace,
  type FaceSuggestion,
  findComparedFaces,
  findKnownFaces,
  findUndescribed,
  type KnownFace,
} from './face-descriptor-store.ts';
export { suggestsFaces } from './face-settings-store.ts';
export { describeFaces, editFaceSettings, suggestFaces } from './face-suggestions.ts';
export { type FoundFace, linkFace } from './faces.ts';
export { findImagePreset, type ImagePreset, listImagePresets } from './image-preset-store.ts';
export {
  createImageKey,
  createImagePreset,
  editImagePreset,
  editImageMode,
  endImageKey,
  type ImageRules,
  putWatermark,
  readImageRules,
  removeImagePreset,
  removeWatermark,
} from './image-settings.ts';
export {
  findImageSettings,
  IMAGE_MODES,
  type ImageKey,
  type ImageMode,
  type ImageSettings,
  listImageKeys,
} from './image-settings-store.ts';
export { type IndexDetail, type IndexField, indexFieldsOf, MAX_INDEXED_TEXT } from './index-details.ts';
export { findRunningWork } from './progress-store.ts';
export type { IndexAction, IndexAsset, IndexRow, WordPlaces } from './index-row.ts';
export type { AssetAction } from './index-row-reader.ts';
export { findBehind, findPosition, movePosition, startFollowing } from './follow-position-store.ts';
export { mergeDetails } from './merge-details.ts';
export { type Extent, readExtent, readFingerprint } from './library-state-store.ts';
export { type EventDocument, eventDocument, eventTypesOf, isAdminEvent } from './events.ts';
export { findCollectionNames, findTagLabels, type TagLabel } from './label-store.ts';
export {
  createOrganizations,
  findOrganization,
  insertOrganization,
  listOrganizations,
  type Organization,
  type Organizations,
} from './organization-store.ts';
export { readRosters, type RosterEntry } from './roster-store.ts';
export { fillSearchText, type SearchedTexts, writeSearchText } from './search-text-store.ts';
export { findPurgeable, isStorageKeyUsed, purgeAsset } from './purge-store.ts';
export {
  findNotifiedMatches,
  listNotifyingSearches,
  noteNotifiedMatches,
  startNotifying,
  stopNotifying,
} from './saved-search-match-store.ts';
export {
  deleteSavedSearch,
  findSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  type SavedSearch,
  updateSavedSearch,
} from './saved-search-store.ts';
export {
  type SyncedSet,
  type SyncItem,
  type SyncResult,
  type SyncSource,
  type SyncSummary,
  syncTags,
} from './tag-sync.ts';
export {
  externalKey,
  findPlayersOfClubs,
  findTag,
  findTagIdsByExternalId,
  findTagsByFoldedName,
  findTags,
  findTagSummaries,
  listTags,
  type LookupRow,
  readLookupRows,
  type TagSummary,
} from './tag-store.ts';
export { readTagCategories, readTagUsage, renameTagCategory } from './tag-usage-store.ts';
export type { AddedTag, MachineSource, TagSource } from './tagging-store.ts';
export { listSuggestions, type OpenSuggestion, type Suggestion } from './suggestion-store.ts';
export { changeAssetTags, type SkippedTag, type TagChanges } from './suggestions.ts';
export type { MatchInput, TagInput } from './tag-input.ts';
export {
  MATCH_STATUSES,
  type MatchFacts,
  type MatchStatus,
  TAG_TYPES,
  type TagOption,
  type TagReference,
  type TagRelation,
  type TagStatus,
  type TagType,
} from './tag-types.ts';
export {
  type BulkTagResult,
  createTag,
  editTag,
  mergeTag,
  removeTag,
  upsertTags,
} from './tags.ts';
export {
  findWatermark,
  listWatermarks,
  type Watermark,
  WATERMARK_POSITIONS,
  type WatermarkPlacement,
  type WatermarkPosition,
} from './watermark-store.ts';
export { addUsage, type DayUsage, readDayUsage, readLibraryTotals } from './usage-store.ts';

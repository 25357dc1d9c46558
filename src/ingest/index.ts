export { createFaceSuggester, enqueueFaceSuggestions, type FaceSuggester } from './face-suggester.ts';
export { createFaceDetector, type FaceDetector } from './faces/face-detector.ts';
export { createIntake, enqueueProcessing, type Intake, type ReceivedFile, type UploadFields } from './intake.ts';
export {
  createMetadataEmbedder,
  type EmbeddedFile,
  type EmbedRequest,
  type MetadataEmbedder,
} from './metadata/metadata-embedder.ts';
export { createMetadataReader, type MetadataReader } from './metadata/metadata-reader.ts';
export { createPhotoProcessor, type PhotoProcessor } from './photo/photo-processor.ts';
export { createProcessing, type Processing, type VideoTools } from './processing.ts';
export { EXPORT_FORMATS, type ExportFormat, exportEvents } from './events/event-export.ts';
export { type EventImportReport, importEvents } from './events/event-import.ts';
export { cleanName, nameOfUrl } from './file-name.ts';
export { type ImportItem, listImportItems, type NewImportItem } from './imports/import-store.ts';
export { createMediaImports, type MediaImports } from './imports/media-imports.ts';
export { type Checksum, CHECKSUM_ALGORITHMS } from './uploads/part-receiver.ts';
export {
  createResumableUploads,
  type ResumableUploads,
  type UploadPart,
} from './uploads/resumable-uploads.ts';
export type { UploadProgress } from './uploads/upload-finisher.ts';
export type { Upload } from './uploads/upload-store.ts';

export { createFaceSuggester, enqueueFaceSuggestions, type FaceSuggester } from './face-suggester.ts';
export { createFaceDetector, type FaceDetector } from './faces/face-detector.ts';
export { createIntake, enqueueProcessing, type Intake, type ReceivedFile } from './intake.ts';
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

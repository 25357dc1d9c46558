export { createImageAccess } from './image-access.ts';
export { createImagePurge } from './image-purge.ts';
export { createMediaUrls } from './media-urls.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { deleteExpiredAnswers } from './plugins/idempotency-store.ts';
export { createSearchDocuments } from './search-documents.ts';
export { type Api, createServer } from './server.ts';
export { createWatermarkFinder } from './watermarks.ts';

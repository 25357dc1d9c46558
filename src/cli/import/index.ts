export { ApiError, type ApiClient, createApiClient, UnreachableError } from './api-client.ts';
export { createCollections } from './collections.ts';
export { importFolder } from './import-folder.ts';
export { type ImportOptions, type ImportProgress, ImportSetupError, type ImportSummary } from './import-types.ts';
export { createProgressReporter, type ProgressReporter } from './progress.ts';
export type { SidecarRow, TagReference } from './sidecar.ts';
export { exitCodeOf, formatSummary } from './summary.ts';

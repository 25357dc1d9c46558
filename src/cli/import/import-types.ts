import type { ApiClient } from './api-client.ts';
import type { FileFailure } from './media-walk.ts';
import type { SidecarIssue, SidecarRow } from './sidecar.ts';

/** Where a run is; counts are those of its phase. */
export type ImportProgress = {
  readonly phase: 'looking' | 'resolving' | 'uploading' | 'processing';
  readonly filesDone: number;
  readonly filesTotal: number;
  /** Of the files that are done, and of what has gone out of those under way. */
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly failures: number;
};

/** One import: what, whither, and how. */
export type ImportOptions = {
  readonly client: ApiClient;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Default: `touchline.csv` or `photos.csv` in the folder or its parent, where there is one. */
  readonly sidecar?:
    | { readonly kind: 'file'; readonly path: string }
    | { readonly kind: 'rows'; readonly rows: readonly SidecarRow[] };
  /** IDs, names or `source:id` of tag options that every file gets. */
  readonly tags?: readonly string[];
  /** Name of a collection that every file joins; created where it is missing. */
  readonly collection?: string;
  /** Uploads at a time; default 4. */
  readonly concurrency?: number;
  /** Default true. */
  readonly recursive?: boolean;
  /** Stop before the first upload when something of the table cannot be applied. */
  readonly strict?: boolean;
  /** Look and resolve, change nothing. */
  readonly dryRun?: boolean;
  /** Wait until everything that was uploaded is ready or has failed. */
  readonly wait?: boolean;
  /** Remembers what is done, so that the next run goes on; nothing is remembered without it. */
  readonly journal?: { readonly dataDir: string; readonly restart: boolean };
  readonly onProgress?: (progress: ImportProgress) => void;
};

/** What an import came to. */
export type ImportSummary = {
  readonly organization: string;
  readonly files: number;
  readonly bytes: number;
  readonly uploaded: number;
  readonly uploadedBytes: number;
  /** The library had the same bytes already; tags and fields were added to the asset it has. */
  readonly duplicates: number;
  /** Uploaded by an earlier run and unchanged. */
  readonly importedBefore: number;
  /** Of these, the ones whose tags or fields in the table are new since. */
  readonly updated: number;
  /** Not tried, because the run ended before. */
  readonly untried: number;
  readonly failures: readonly FileFailure[];
  readonly skipped: readonly string[];
  /** What of the table was not applied. */
  readonly issues: readonly SidecarIssue[];
  /** Rows of the table whose file is not in the folder. */
  readonly unmatched: readonly SidecarRow[];
  readonly notes: readonly string[];
  /** Assets by path, as far as they are in the library. */
  readonly mediaIds: ReadonlyMap<string, number>;
  /** With `wait`. */
  readonly processed: { readonly ready: number; readonly failures: readonly FileFailure[] } | undefined;
  readonly seconds: number;
  readonly ended: 'complete' | 'dry_run' | 'strict' | 'aborted' | 'unreachable' | 'refused';
};

/** The import cannot begin: what was asked for is not there. */
export class ImportSetupError extends Error {}

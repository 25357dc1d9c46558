import { messageOf } from '../../base/index.ts';
import { type ApiClient, ApiError, UnreachableError } from './api-client.ts';
import type { ImportPlan } from './import-plan.ts';
import { hashMetadata, type Journal, type JournalEntry } from './journal.ts';
import { FileError, uploadMedia } from './media-upload.ts';
import { updateMedia } from './media-update.ts';
import { type FileFailure, fileReason, type MediaFile } from './media-walk.ts';

/** One file to send; `before` when an earlier run sent the same file with other tags or fields. */
export type UploadTask = { readonly file: MediaFile; readonly before: JournalEntry | undefined };

export type UploadRun = {
  readonly uploaded: number;
  readonly uploadedBytes: number;
  readonly duplicates: number;
  readonly updated: number;
  readonly failures: readonly FileFailure[];
  readonly mediaIds: ReadonlyMap<string, number>;
  readonly ended: 'complete' | 'aborted' | 'unreachable' | 'refused';
};

export type UploadProgress = { readonly onBytes: (bytes: number) => void; readonly onFile: (failed: boolean) => void };

/** So many files in a row that met no working service: the rest would not either. */
const UNREACHABLE_IN_A_ROW = 4;

/** A fault of the service as a whole, after all tries. */
const isOutage = (error: unknown) =>
  error instanceof UnreachableError || (error instanceof ApiError && (error.status === 429 || error.status === 503));
/** The key was revoked, has expired or lost its scope. */
const isRefusal = (error: unknown) => error instanceof ApiError && (error.status === 401 || error.status === 403);

function reasonOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof UnreachableError || error instanceof FileError)
    return error.message;
  return error instanceof Error && 'code' in error ? fileReason(error) : messageOf(error);
}

/** Uploads the files in their order, `concurrency` at a time. A failed file leaves the others alone. */
export async function runUploads(options: {
  readonly client: ApiClient;
  readonly tasks: readonly UploadTask[];
  readonly plan: ImportPlan;
  readonly journal: Journal | undefined;
  readonly concurrency: number;
  readonly progress: UploadProgress;
  readonly signal: AbortSignal;
}): Promise<UploadRun> {
  const { client, tasks, plan, journal, progress } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const failures: FileFailure[] = [];
  const mediaIds = new Map<string, number>();
  const counts = { uploaded: 0, uploadedBytes: 0, duplicates: 0, updated: 0 };
  let ended: UploadRun['ended'] = 'complete';
  let outages = 0;

  const send = async ({ file, before }: UploadTask) => {
    const metadata = plan.metadataOf(file);
    const entry = {
      path: file.path,
      bytes: file.bytes,
      mtime_ms: file.mtimeMs,
      metadata_sha256: hashMetadata(metadata),
    };
    if (before) {
      const version = await updateMedia({ client, mediaId: before.media_id, metadata, signal });
      if (version !== undefined) {
        counts.updated += 1;
        mediaIds.set(file.path, before.media_id);
        progress.onBytes(file.bytes);
        await journal?.append({ ...before, ...entry, library_version: Math.max(version, before.library_version) });
        return;
      }
    }
    let sent = 0;
    const onBytes = (bytes: number) => {
      sent += bytes;
      progress.onBytes(bytes);
    };
    try {
      const { mediaId, sha256, duplicate, libraryVersion } = await uploadMedia({
        client,
        file,
        metadata,
        onBytes,
        signal,
      });
      counts[duplicate ? 'duplicates' : 'uploaded'] += 1;
      counts.uploadedBytes += file.bytes;
      mediaIds.set(file.path, mediaId);
      await journal?.append({ ...entry, media_id: mediaId, sha256, library_version: libraryVersion });
    } finally {
      // What a refusal left unsent is done with as well.
      progress.onBytes(file.bytes - sent);
    }
  };

  const queue = tasks.values();
  const work = async () => {
    for (const task of queue) {
      if (signal.aborted) return;
      try {
        await send(task);
        outages = 0;
        progress.onFile(false);
      } catch (error) {
        if (signal.aborted) return;
        failures.push({ path: task.file.path, reason: reasonOf(error) });
        progress.onFile(true);
        outages = isOutage(error) ? outages + 1 : 0;
        if (isRefusal(error)) ended = 'refused';
        else if (outages >= UNREACHABLE_IN_A_ROW) ended = 'unreachable';
        if (ended !== 'complete') stop.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.concurrency, tasks.length) }, work));
  if (options.signal.aborted) ended = 'aborted';
  return { ...counts, failures, mediaIds, ended };
}

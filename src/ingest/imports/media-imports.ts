import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingMessage } from 'node:http';
import type { LibraryScope } from '../../auth/index.ts';
import { AppError, invalidField, messageOf, redactKeys, SECOND_MS } from '../../base/index.ts';
import type { Database } from '../../db/index.ts';
import type { Jobs } from '../../jobs/index.ts';
import { checkUploadFields, writeLibrary } from '../../library/index.ts';
import { type Download, type Downloads, OutboundError, urlRefusal } from '../../outbound/index.ts';
import { nameOfDisposition } from '../file-name.ts';
import type { Intake, UploadFields } from '../intake.ts';
import type { ResumableUploads } from '../uploads/resumable-uploads.ts';
import {
  beginImport,
  findImportItem,
  finishImportItem,
  forgetImportQueries,
  type ImportItem,
  type ImportResult,
  insertImport,
  type NewImportItem,
  noteImportSource,
} from './import-store.ts';

/** Files that the service fetches from URLs: an operation with a job for each. */
export type MediaImports = {
  /**
   * Checks every item, and queues them all or none. Answers the ID of the operation and the version of the library.
   * @throws AppError `validation_failed` for a URL that may not be fetched; what checkUploadFields throws, with `/items/<n>` before
   */
  queue(
    scope: LibraryScope,
    request: { readonly items: readonly NewImportItem[]; readonly createdBy: string },
  ): Promise<number>;
  /** Fetches one item. @throws what may pass when it is tried again; with `lastAttempt` it is noted instead */
  run(
    target: { readonly organizationId: number; readonly operationId: number; readonly n: number },
    run: { readonly scope: LibraryScope; readonly signal: AbortSignal; readonly lastAttempt: boolean },
  ): Promise<void>;
  /** Notes that an item was given up. */
  giveUp(target: { readonly operationId: number; readonly n: number }, scope: LibraryScope): Promise<void>;
  /** Takes the queries off the URLs of cancelled imports. */
  sweep(): Promise<void>;
};

/** How often a running item looks whether its operation was cancelled. */
const LOOK_EVERY_MS = 2 * SECOND_MS;

/** Faults of an address that a second try cannot change. */
const FINAL_FAULTS: ReadonlySet<string> = new Set(['address_refused', 'url_invalid', 'too_many_redirects']);
/** Answers that may be another one later (RFC 9110, RFC 6585, RFC 8470). */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 421, 423, 425, 429]);

/** A fault that is noted and not tried again. */
const final = (detail: string, cause?: unknown) => new AppError('fetch_failed', detail, { cause });

const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && !isPassing(error);
const isPassing = ({ code }: AppError) =>
  code === 'upload_incomplete' ||
  code === 'upload_locked' ||
  code === 'upload_limit_exceeded' ||
  code === 'upload_offset_mismatch';

const header = ({ headers }: Pick<Download, 'headers'>, name: string): string | undefined => [headers[name]].flat()[0];

/** What If-Range takes: a strong ETag, or else the time of the last change. */
function validatorOf(download: Download): string | null {
  const etag = header(download, 'etag');
  if (etag?.startsWith('"')) return etag;
  return header(download, 'last-modified') ?? null;
}

function lengthOf(download: Download): number | undefined {
  const given = header(download, 'content-length');
  return given !== undefined && /^\d{1,15}$/.test(given) && Number(given) > 0 ? Number(given) : undefined;
}

export function createMediaImports(options: {
  readonly db: Database;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly intake: Intake;
  readonly uploads: ResumableUploads;
  readonly downloads: Downloads;
}): MediaImports {
  const { db, jobs, intake, uploads, downloads } = options;

  const get = async (item: ImportItem, from: number, signal: AbortSignal): Promise<Download> => {
    const range = from > 0 && {
      Range: `bytes=${from}-`,
      ...(item.validator !== null && { 'If-Range': item.validator }),
    };
    const download = await downloads.get(item.url, { headers: { ...range }, signal });
    const { status, body } = download;
    if (status === 200 || (status === 206 && from > 0)) return download;
    body.destroy();
    if (status === 416 && from > 0) return get(item, 0, signal);
    const detail = `expected the file, received the status ${status}`;
    if (status >= 500 || PASSING_STATUSES.has(status)) throw new AppError('unavailable', detail);
    throw final(detail);
  };

  const fieldsOf = (item: ImportItem, download: Download): UploadFields => {
    const name = item.named ? undefined : nameOfDisposition(header(download, 'content-disposition'));
    return name === undefined ? item.fields : { ...item.fields, name };
  };

  /** Sends the body into an upload, whose bytes outlive this process. */
  const append = async (
    scope: LibraryScope,
    uploadId: number,
    part: { readonly offset: number; readonly body: IncomingMessage },
  ) => {
    const { upload } = await uploads.append(scope, uploadId, {
      offset: part.offset,
      stream: part.body,
      interrupt: () => void part.body.destroy(),
    });
    if (upload.mediaId === null)
      throw new AppError('upload_incomplete', 'the connection was lost before the last byte');
    return { status: upload.duplicate === true ? 'updated' : 'created', mediaId: upload.mediaId } as const;
  };

  /** Goes on where an earlier try has come to. Undefined: it has to begin anew. */
  const goOn = async (
    scope: LibraryScope,
    item: ImportItem,
    signal: AbortSignal,
  ): Promise<ImportResult | undefined> => {
    if (item.uploadId === null) return undefined;
    const { upload } = await uploads.resume(scope, item.uploadId).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return { upload: undefined };
      throw error;
    });
    if (upload?.mediaId) return { status: upload.duplicate ? 'updated' : 'created', mediaId: upload.mediaId };
    if (!upload || upload.received === 0 || item.validator === null) return undefined;
    const download = await get(item, upload.received, signal);
    const start = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header(download, 'content-range') ?? '');
    if (download.status === 206 && Number(start?.[1]) === upload.received) {
      return append(scope, upload.id, { offset: upload.received, body: download.body }).catch((error: unknown) => {
        download.body.destroy();
        // What another node has fetched is on its disk.
        if (error instanceof AppError && error.code === 'unavailable') return undefined;
        throw error;
      });
    }
    // It has changed, or the server gives no parts.
    download.body.destroy();
    return undefined;
  };

  const fetchItem = async (scope: LibraryScope, item: ImportItem, signal: AbortSignal): Promise<ImportResult> => {
    const key = { operationId: item.operationId, n: item.n };
    const gone = await goOn(scope, item, signal);
    if (gone) return gone;
    if (item.uploadId !== null) await uploads.remove(scope, item.uploadId);
    const download = await get(item, 0, signal);
    const fields = fieldsOf(item, download);
    try {
      const bytes = lengthOf(download);
      if (bytes !== undefined) {
        const { upload } = await uploads.create(scope, { bytes, metadata: null, fields, createdBy: item.createdBy });
        await noteImportSource(db, key, { uploadId: upload.id, validator: validatorOf(download) });
        return await append(scope, upload.id, { offset: 0, body: download.body });
      }
      // Nobody says how long it is: it comes in one go, or again from the start.
      const file = await intake.receive(download.body, signal);
      try {
        const { id, duplicate } = await intake.accept(scope, file, fields, {
          onAccepted: (write, outcome) =>
            finishImportItem(write.tx, key, { status: outcome.duplicate ? 'updated' : 'created', mediaId: outcome.id }),
        });
        return { status: duplicate ? 'updated' : 'created', mediaId: id };
      } finally {
        await intake.discard(file);
      }
    } finally {
      download.body.destroy();
    }
  };

  /** Ends `controller` when the operation is cancelled. */
  const watch = async (scope: LibraryScope, item: ImportItem, controller: AbortController): Promise<void> => {
    for (;;) {
      await delay(LOOK_EVERY_MS, undefined, { signal: controller.signal, ref: false });
      const now = await findImportItem(db, scope, item);
      if (!now?.isWanted) controller.abort(new Error('the operation was cancelled'));
    }
  };

  const forget = async (scope: LibraryScope, target: { readonly operationId: number; readonly n: number }) => {
    const item = await findImportItem(db, scope, target);
    if (item?.uploadId) await uploads.remove(scope, item.uploadId);
  };

  const fail = async (
    scope: LibraryScope,
    target: { readonly operationId: number; readonly n: number },
    error: { readonly code: string; readonly detail: string },
  ) => {
    await forget(scope, target);
    await finishImportItem(db, target, { status: 'failed', error });
  };

  return {
    async queue(scope, { items, createdBy }) {
      for (const [n, { url, fields }] of items.entries()) {
        const pointer = `/items/${n}`;
        if (redactKeys(url) !== url)
          throw invalidField(`${pointer}/url`, 'expected a URL without an API key of this service');
        try {
          downloads.check(url);
        } catch (error) {
          throw urlRefusal(error, `${pointer}/url`);
        }
        await checkUploadFields(db, scope, fields).catch((error: unknown) => {
          throw below(error, pointer);
        });
      }
      const { result } = await writeLibrary(db, scope, async (write) => {
        const operationId = await insertImport(write, { items, createdBy });
        for (const n of items.keys()) {
          const target = { organizationId: scope.organizationId, operationId, n: n + 1 };
          await jobs.enqueue(write.tx, 'media.import', target);
        }
        return operationId;
      });
      return result;
    },

    async run(target, { scope, signal, lastAttempt }) {
      const item = await findImportItem(db, scope, target);
      if (!item || item.status !== null) return;
      if (!item.isWanted) return forget(scope, target);
      await beginImport(db, item.operationId);
      const controller = new AbortController();
      const watching = watch(scope, item, controller).catch(() => undefined);
      try {
        const both = AbortSignal.any([signal, controller.signal]);
        await finishImportItem(db, target, await fetchItem(scope, item, both));
      } catch (error) {
        if (controller.signal.aborted && !signal.aborted) return forget(scope, target);
        if (isFinal(error)) return fail(scope, target, { code: error.code, detail: error.message });
        const isAddress = error instanceof OutboundError;
        const detail = isAddress || error instanceof AppError ? error.message : 'an internal error; the log has it';
        if (lastAttempt || (isAddress && FINAL_FAULTS.has(error.code))) {
          return fail(scope, target, { code: 'fetch_failed', detail });
        }
        throw new AppError('unavailable', `not fetched yet: ${messageOf(error)}`, { cause: error });
      } finally {
        controller.abort();
        await watching;
      }
    },

    giveUp: ({ operationId, n }, scope) =>
      fail(scope, { operationId, n }, { code: 'fetch_failed', detail: 'It was interrupted every time it was tried.' }),

    sweep: () => forgetImportQueries(db),
  };
}

/** The error of an item, with the item before its pointers. */
function below(error: unknown, pointer: string): unknown {
  if (!(error instanceof AppError)) return error;
  return new AppError(error.code, `${pointer}: ${error.message}`, {
    cause: error,
    details: error.details,
    errors: error.errors.map((one) => ({ ...one, pointer: pointer + one.pointer })),
  });
}

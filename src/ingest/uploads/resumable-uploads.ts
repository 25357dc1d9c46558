import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { LibraryScope } from '../../auth/index.ts';
import {
  AppError,
  ERROR_CODES,
  type ErrorCode,
  HOUR_MS,
  type Logger,
  messageOf,
  MIB,
  SECOND_MS,
} from '../../base/index.ts';
import type { Database } from '../../db/index.ts';
import { checkUploadFields } from '../../library/index.ts';
import { diskFull, type Intake, isDiskFull } from '../intake.ts';
import { type Checksum, receivePart } from './part-receiver.ts';
import { type Claim, createUploadClaims, uploadLocked } from './upload-claims.ts';
import { copyOfHash, newRunningHash, openUploadFile, type RunningHash, type UploadFile } from './upload-file.ts';
import { createUploadFinisher, notFound, type UploadProgress } from './upload-finisher.ts';
import {
  breakLock,
  breakLocksOf,
  deleteExpiredUploads,
  deleteUpload,
  findOpenNonces,
  findUpload,
  insertUpload,
  listUnfinishedUploads,
  lockUpload,
  type NewUpload,
  noteReceived,
  releaseLock,
  type Upload,
} from './upload-store.ts';

/** One request's bytes. */
export type UploadPart = {
  /** Where they go; it must be where the upload stands. */
  readonly offset: number;
  readonly stream: Readable;
  readonly checksum?: Checksum | undefined;
  /** Ends the stream: another request wants to go on, or the service stops. */
  readonly interrupt: () => void;
};

/** Files that arrive in parts and across crashes: what was acknowledged is never lost, and no file becomes two assets. */
export type ResumableUploads = {
  /**
   * Begins an upload, with its first part or without; when that part fails, there is no upload.
   * @throws AppError `unknown_tag_option`, `tag_option_deactivated`, `unknown_collection`, `validation_failed`, `payload_too_large`,
   *   `upload_limit_exceeded`, `storage_full`, and what append throws
   */
  create(
    scope: LibraryScope,
    upload: Omit<NewUpload, 'nonce'>,
    part?: Omit<UploadPart, 'offset'>,
  ): Promise<UploadProgress>;
  /** As it is noted; nothing is interrupted. Undefined: none, or expired. */
  find(scope: LibraryScope, id: number): Promise<Upload | undefined>;
  /**
   * Where to go on: ends a request that still writes, and finishes what is whole.
   * @throws AppError `not_found`, `upload_locked`, and why it has failed
   */
  resume(scope: LibraryScope, id: number): Promise<UploadProgress>;
  /**
   * Takes in a part; the last one makes the asset.
   * @throws AppError `not_found`, `upload_locked`, `upload_offset_mismatch`, `checksum_mismatch`, `storage_full`,
   *   `upload_incomplete`, and why it has failed
   */
  append(scope: LibraryScope, id: number, part: UploadPart): Promise<UploadProgress>;
  /** Forgets an upload and its bytes; the asset that it has become stays. False when there is none. */
  remove(scope: LibraryScope, id: number): Promise<boolean>;
  /** Ends locks of a forerunner of this process; called once, before requests come. */
  takeOver(): Promise<void>;
  /** Finishes what is whole, forgets what has expired, removes files that belong to nothing. */
  sweep(signal: AbortSignal): Promise<void>;
  /** Interrupts what runs, and waits until what it has received is noted. */
  close(): Promise<void>;
};

/** A whole season of single frames at once; beyond it is a client that never finishes what it begins. */
const MAX_OPEN_UPLOADS = 10_000;
/** Hashes of uploads under way that are kept between requests; another one is made by reading the file again. */
const MAX_KEPT_HASHES = 1000;
/** A smaller file is begun without asking the disk for room: it is refused by its bytes soon enough. */
const LARGE_BYTES = 16 * MIB;
/** How long a HEAD waits for a file that is being taken in; a proxy gives up at 60 s or so. */
const WAIT_MS = 25 * SECOND_MS;

function failureOf({ failure }: Pick<Upload, 'failure'>): AppError {
  const code = failure?.code ?? '';
  // Only failUpload writes the code, and it is given that of an AppError.
  return new AppError(Object.hasOwn(ERROR_CODES, code) ? (code as ErrorCode) : 'conflict', failure?.reason ?? '');
}

function faultOf(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isDiskFull(error)) return diskFull(error);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ERR_STREAM_DESTROYED') {
    return new AppError('upload_incomplete', 'The request ended before its last byte: ask with HEAD where to go on.', {
      cause: error,
    });
  }
  return error;
}

/** @param options.node tells this process from others that share the database, also after a restart */
export function createResumableUploads(options: {
  readonly db: Database;
  readonly intake: Intake;
  readonly folder: string;
  readonly node: string;
  readonly maxBytes: number;
  readonly maxOpenBytes: number;
  readonly logger: Logger;
}): ResumableUploads {
  const { db, intake, folder, node, logger } = options;
  const claims = createUploadClaims({ db, node });
  const hashes = new Map<number, RunningHash>();
  const pathOf = (upload: Pick<Upload, 'nonce'>) => join(folder, upload.nonce);

  const { finish, fail } = createUploadFinisher({ db, intake, pathOf, onEnded: (id) => keepHash(id, undefined) });

  const keepHash = (id: number, hash: RunningHash | undefined) => {
    hashes.delete(id);
    if (!hash) return;
    hashes.set(id, hash);
    const [oldest] = hashes.keys();
    if (hashes.size > MAX_KEPT_HASHES && oldest !== undefined) hashes.delete(oldest);
  };
  const hashAt = ({ id, received }: Upload): RunningHash | undefined => {
    if (received === 0) return newRunningHash();
    const kept = hashes.get(id);
    return kept?.at === received ? kept : undefined;
  };

  let folderMade: Promise<unknown> | undefined;
  const makeFolder = async () => {
    folderMade ??= mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      folderMade = undefined;
      throw error;
    });
    await folderMade;
  };

  /** Notes what a part has brought before it broke off, so that the next request goes on there. */
  const noteBrokenOff = async (
    upload: Upload,
    claim: Claim,
    { file, hash }: { readonly file: UploadFile; readonly hash: RunningHash | undefined },
  ) => {
    try {
      await file.sync();
      await noteReceived(
        db,
        { id: upload.id, lockToken: claim.lockToken },
        { received: file.written, progress: file.written > upload.received, keepLock: true },
      );
      keepHash(upload.id, hash);
    } catch (error) {
      // What was noted before still holds.
      logger.warn({ event: 'upload.note_failed', uploadId: upload.id, err: error }, 'an upload broke off');
    }
  };

  const receive = async (upload: Upload, claim: Claim, part: UploadPart): Promise<UploadProgress> => {
    const held = { id: upload.id, lockToken: claim.lockToken };
    const before = hashAt(upload);
    const hash = part.checksum ? before && copyOfHash(before) : before;
    await makeFolder();
    const file = await openUploadFile(pathOf(upload), { offset: upload.received, hash });
    let noted = upload;
    let head: Buffer | undefined;
    const note = async (received: number, keepLock: boolean) => {
      const found = await noteReceived(db, held, { received, progress: true, keepLock });
      if (!found) throw uploadLocked();
      noted = found;
    };
    try {
      await receivePart({
        upload,
        file,
        stream: part.stream,
        checksum: part.checksum,
        note: (received) => note(received, true),
      });
      if (file.end < upload.bytes) {
        await file.sync();
        await note(file.written, false);
        keepHash(upload.id, hash);
        return { upload: noted };
      }
      // Storage syncs what it takes in. What was acknowledged before must not be lost on the way there.
      await (noted.received === 0 ? file.flush() : file.sync());
      head = await file.readHead();
    } catch (error) {
      if (error instanceof AppError && error.code === 'unsupported_media_type') await fail(noted, error);
      // A part with a checksum counts whole or not at all.
      else if (!part.checksum) await noteBrokenOff(noted, claim, { file, hash });
      throw error;
    } finally {
      await file.close();
    }
    return finish(noted, claim, { hash, head, inOneGo: noted.received === 0 });
  };

  /** What to answer to a writer of an upload that is not open, or locked. */
  const settled = async (scope: LibraryScope, id: number, offset: number | undefined): Promise<UploadProgress> => {
    const upload = await findUpload(db, scope, id);
    if (!upload) throw notFound(id);
    if (upload.state === 'failed') throw failureOf(upload);
    if (upload.state === 'open') throw uploadLocked();
    checkOffset(upload, offset);
    return { upload };
  };

  const checkOffset = ({ received }: Upload, offset: number | undefined) => {
    if (offset === undefined || offset === received) return;
    throw new AppError('upload_offset_mismatch', `expected Upload-Offset ${received}, received ${offset}`, {
      details: { offset: received },
    });
  };

  /** Works at an upload alone: receives the part, if there is one, and finishes what is whole. */
  const work = (scope: LibraryScope, id: number, part: UploadPart | undefined): Promise<UploadProgress> =>
    claims.run({ scope, id }, { interrupt: part?.interrupt ?? (() => undefined) }, async (claim) => {
      const upload = await lockUpload(db, scope, { id, lockToken: claim.lockToken });
      return upload ? workAt(upload, claim, part) : settled(scope, id, part?.offset);
    });

  const workAt = async (upload: Upload, claim: Claim, part: UploadPart | undefined): Promise<UploadProgress> => {
    const { id } = upload;
    claim.keep(id);
    try {
      checkOffset(upload, part?.offset);
      if (part && upload.received < upload.bytes) return await receive(upload, claim, part);
      return await finish(upload, claim, { hash: hashAt(upload), head: undefined, inOneGo: false });
    } catch (error) {
      // Success has given it up with its last note.
      await releaseLock(db, { id, lockToken: claim.lockToken }).catch((cause: unknown) =>
        logger.warn({ event: 'upload.release_failed', uploadId: id, err: cause }, 'a lock runs out by itself'),
      );
      throw faultOf(error);
    }
  };

  const checkRoom = async (bytes: number) => {
    if (bytes > options.maxBytes) {
      throw new AppError(
        'payload_too_large',
        `expected a file of at most ${options.maxBytes} bytes, received ${bytes}`,
      );
    }
    if (bytes < LARGE_BYTES) return;
    await makeFolder();
    const { bavail, bsize } = await statfs(folder);
    if (bytes > bavail * bsize) throw diskFull();
  };

  const forget = async (scope: LibraryScope, id: number): Promise<boolean> => {
    const upload = await deleteUpload(db, scope, id);
    if (!upload) return false;
    keepHash(id, undefined);
    await rm(pathOf(upload), { force: true });
    if (upload.storageKey !== null) await intake.removeUnused(scope, [upload.storageKey]);
    return true;
  };

  const insert = async (scope: LibraryScope, upload: NewUpload, lockToken: string | null): Promise<Upload> => {
    const limits = { uploads: MAX_OPEN_UPLOADS, bytes: options.maxOpenBytes };
    const inserted = await insertUpload(db, scope, { upload, lockToken, limits });
    if (inserted) return inserted;
    const detail = `expected at most ${limits.uploads} unfinished uploads, of ${limits.bytes} bytes together`;
    throw new AppError('upload_limit_exceeded', detail, { retryAfterSeconds: 60 });
  };

  const removeOrphans = async () => {
    const names = await readdir(folder).catch(() => []);
    const open = await findOpenNonces(db, names);
    for (const name of names.filter((one) => !open.has(one))) {
      const info = await stat(join(folder, name)).catch(() => undefined);
      if (info && Date.now() - info.mtimeMs > HOUR_MS) await rm(join(folder, name), { force: true });
    }
  };

  return {
    async create(scope, given, part) {
      await checkRoom(given.bytes);
      await checkUploadFields(db, scope, given.fields);
      const upload = { ...given, nonce: randomUUID() };
      if (!part) return { upload: await insert(scope, upload, null) };
      let id: number | undefined;
      try {
        // Nobody knows its ID before it has one: the claim goes by the nonce.
        return await claims.run({ scope, id: upload.nonce }, part, async (claim) => {
          const inserted = await insert(scope, upload, claim.lockToken);
          id = inserted.id;
          return workAt(inserted, claim, { ...part, offset: 0 });
        });
      } catch (error) {
        if (id !== undefined) await forget(scope, id);
        throw error;
      }
    },

    find: (scope, id) => findUpload(db, scope, id),

    async resume(scope, id) {
      if (!(await claims.interrupt({ scope, id }, WAIT_MS))) throw uploadLocked();
      const upload = await findUpload(db, scope, id);
      if (!upload) throw notFound(id);
      if (upload.state === 'failed') throw failureOf(upload);
      if (upload.state === 'completed') return { upload };
      if (upload.received === upload.bytes) return work(scope, id, undefined);
      if (upload.locked) await breakLock(db, scope, id);
      return { upload };
    },

    append: (scope, id, part) => work(scope, id, part),

    async remove(scope, id) {
      if (!(await claims.interrupt({ scope, id }, WAIT_MS))) throw uploadLocked();
      return forget(scope, id);
    },

    takeOver: () => breakLocksOf(db, `${node}/`),

    async sweep(signal) {
      for (const { scope, id } of await listUnfinishedUploads(db)) {
        signal.throwIfAborted();
        await work(scope, id, undefined).catch((error: unknown) =>
          logger.warn({ event: 'upload.finish_failed', uploadId: id, reason: messageOf(error) }, 'upload not finished'),
        );
      }
      for (const upload of await deleteExpiredUploads(db)) {
        keepHash(upload.id, undefined);
        await rm(pathOf(upload), { force: true });
        if (upload.storageKey !== null) await intake.removeUnused(upload.scope, [upload.storageKey]);
      }
      await removeOrphans();
    },

    close: () => claims.interruptAll(),
  };
}

import { rm } from 'node:fs/promises';
import { AppError } from '../../base/index.ts';
import type { Database } from '../../db/index.ts';
import { detectFileType } from '../file-type.ts';
import { type Intake, originalKey, unsupportedFile } from '../intake.ts';
import { type Claim, uploadLocked } from './upload-claims.ts';
import { hashFile, readHeadOf, type RunningHash } from './upload-file.ts';
import { completeUpload, failUpload, noteContent, type Upload, type UploadContent } from './upload-store.ts';

/** An upload, and the version of the library where this very request has made it an asset. */
export type UploadProgress = { readonly upload: Upload; readonly libraryVersion?: number };

/** A file whose last byte is here. */
export type Whole = {
  readonly hash: RunningHash | undefined;
  /** Its first 64 KiB, if they are at hand. */
  readonly head: Buffer | undefined;
  /** In one request, of which nothing was noted: none of it is acknowledged. */
  readonly inOneGo: boolean;
};

export const notFound = (id: number) => new AppError('not_found', `There is no upload ${id}.`);

/** What becomes of an upload in the end: an asset, or a failure. */
export type UploadFinisher = {
  /** Makes the asset of a whole file. @throws AppError why there is none; the upload has failed for good where its status is below 500 */
  finish(upload: Upload, claim: Claim, whole: Whole): Promise<UploadProgress>;
  /** Notes that there will be no asset, and removes the bytes. */
  fail(upload: Upload, error: AppError): Promise<void>;
};

/** @param options.onEnded called when nothing more comes to an upload */
export function createUploadFinisher(options: {
  readonly db: Database;
  readonly intake: Intake;
  readonly pathOf: (upload: Upload) => string;
  readonly onEnded: (id: number) => void;
}): UploadFinisher {
  const { db, intake, pathOf, onEnded } = options;

  const fail = async (upload: Upload, error: AppError) => {
    await failUpload(db, upload.id, { code: error.code, reason: error.message });
    onEnded(upload.id);
    await rm(pathOf(upload), { force: true });
    if (upload.storageKey !== null) await intake.removeUnused(upload.scope, [upload.storageKey]);
  };

  const readContent = async (upload: Upload, { hash, head }: Pick<Whole, 'hash' | 'head'>): Promise<UploadContent> => {
    const path = pathOf(upload);
    const detected = detectFileType(head ?? (await readHeadOf(path)));
    if (!detected) throw unsupportedFile();
    return { detected, sha256: hash?.at === upload.bytes ? hash.hash.digest('hex') : await hashFile(path) };
  };

  /**
   * Makes the asset of a whole file. What it is gets noted before it moves into storage, so that a crash in between leaves enough
   * to go on; a file that came in one go needs no note, since none of it was acknowledged.
   */
  const finish = async (given: Upload, claim: Claim, whole: Whole): Promise<UploadProgress> => {
    claim.shield();
    let upload = given;
    try {
      const content = upload.content ?? (await readContent(upload, whole));
      const storageKey = originalKey(upload.scope.organizationId, content.sha256);
      if (!whole.inOneGo) {
        const noted = await noteContent(db, { id: upload.id, lockToken: claim.lockToken }, { content, storageKey });
        if (!noted) throw uploadLocked();
        upload = { ...upload, content, storageKey };
      }
      const received = { path: pathOf(upload), bytes: upload.bytes, ...content };
      let completed: Upload | undefined;
      const { version } = await intake.accept(upload.scope, received, upload.fields, {
        onAccepted: async (write, outcome) => {
          completed = await completeUpload(write, upload.id, outcome);
          // Somebody else was quicker: this transaction is undone.
          if (!completed) throw uploadLocked();
        },
      });
      onEnded(upload.id);
      if (!completed) throw notFound(upload.id);
      return { upload: completed, libraryVersion: version };
    } catch (error) {
      if (error instanceof AppError && error.status < 500 && error.code !== 'upload_locked') await fail(upload, error);
      throw error;
    }
  };

  return { finish, fail };
}

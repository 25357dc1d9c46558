import type { Readable } from 'node:stream';

export type PutFileOptions = {
  /** Media type, kept by S3 and answered by it. Local storage keeps bytes only. */
  readonly contentType: string;
  /** The file is no longer needed: renamed into place on the same file system, otherwise removed after it was stored. */
  readonly move?: boolean;
  /** SHA-256 of the file, 64 lower-case hex digits; other bytes are refused and nothing is stored. */
  readonly sha256?: string;
  readonly signal?: AbortSignal;
};

/** Bytes from `start` (inclusive) up to `end` (exclusive); what lies past the object's end is left out. */
export type ByteRange = { readonly start: number; readonly end: number };

export type LocalCopy = { readonly path: string; release(): Promise<void> };

export type StoredObject = { readonly key: string; readonly bytes: number };

/** Where the bytes of assets live. Keys are relative: segments of [A-Za-z0-9._-] that do not begin with a dot. */
export type ObjectStorage = {
  /**
   * Stores the bytes of a local file under a key, complete or not at all; an object of that key is replaced at once.
   * Repeating it is fine, also with `move` and `sha256` after the file has already gone into this object.
   * @throws AppError `file_damaged` when the bytes are not those of `sha256`, `unavailable` when storage cannot take them
   */
  putFile(key: string, path: string, options: PutFileOptions): Promise<void>;
  /** @throws AppError `unavailable` */
  stat(key: string, signal?: AbortSignal): Promise<{ readonly bytes: number } | undefined>;
  /** @throws AppError `not_found`, `unavailable` */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable>;
  /**
   * A local path with the object's bytes, to be read only: the object itself in local storage, a temporary copy for S3
   * that `release` removes.
   * @throws AppError `not_found`, `unavailable`
   */
  openLocal(key: string, signal?: AbortSignal): Promise<LocalCopy>;
  /** Missing keys are fine. @throws AppError `unavailable` */
  remove(keys: readonly string[]): Promise<void>;
  /** All objects whose key begins with `prefix`, in the byte order of their keys. @throws AppError `unavailable` */
  list(prefix: string): AsyncIterable<StoredObject>;
  /** Writes a probe. @throws AppError `unavailable` */
  check(signal?: AbortSignal): Promise<void>;
  /** Ends connections; calls under way fail. */
  close(): Promise<void>;
};

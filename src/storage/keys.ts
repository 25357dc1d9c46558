import { AppError } from '../base/index.ts';

/** S3 allows 1,024 bytes; this leaves room for a key prefix. */
const KEY_LENGTH_MAX = 800;
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const PREFIX = /^([A-Za-z0-9_-][A-Za-z0-9._-]*(\/|$))*$/;

/** Whether a text may be an object's key: no way out of the folder, no hidden names (those are the storage's own). */
export function isStorageKey(key: string): boolean {
  return key.length <= KEY_LENGTH_MAX && KEY.test(key);
}

/** Keys are made by this program, never by a caller: a bad one is a fault of ours, and nothing may be touched. */
export function assertKey(key: string): void {
  if (isStorageKey(key)) return;
  throw new AppError('internal', `expected a relative key of [A-Za-z0-9._-] segments, received ${JSON.stringify(key)}`);
}

/** The beginning of keys: whole segments, and the last one may be unfinished. */
export function assertPrefix(prefix: string): void {
  if (prefix.length <= KEY_LENGTH_MAX && PREFIX.test(prefix)) return;
  throw new AppError('internal', `expected the beginning of a storage key, received ${JSON.stringify(prefix)}`);
}

/** @throws AppError `internal` for a range that no object can have */
export function assertRange(range: { readonly start: number; readonly end: number }): void {
  const { start, end } = range;
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start) return;
  throw new AppError('internal', `expected 0 <= start <= end for a byte range, received ${start}..${end}`);
}

export type {
  ByteRange,
  LocalCopy,
  ObjectStorage,
  PutFileOptions,
  StoredObject,
} from './object-storage.ts';
export { openStorage } from './open-storage.ts';
export { parseStorageUrl, type StorageConfig } from './storage-url.ts';

import type { UploadFields } from './intake.ts';

/** UploadFields as JSON: times are texts. */
export type StoredFields = Omit<UploadFields, 'capturedAt' | 'usageAt'> & {
  readonly capturedAt?: string | null;
  readonly usageAt?: string | null;
};

const time = (text: string | null | undefined) => (text === undefined || text === null ? text : new Date(text));

/** What JSON.stringify has made of UploadFields, as it was. */
export const readStoredFields = (fields: StoredFields): UploadFields => ({
  ...fields,
  capturedAt: time(fields.capturedAt),
  usageAt: time(fields.usageAt),
});

export { withAdvisoryLock } from './advisory-lock.ts';
export {
  type ConnectionSettings,
  checkDatabase,
  type Database,
  inTransaction,
  isConnectionError,
  isUniqueViolation,
  openDatabase,
  type Queryable,
  type Tx,
} from './database.ts';
export { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded.ts';
export { migrateToLatest } from './migrate.ts';
export { PREPARED } from './prepared-statements.ts';
export { inSavepoint } from './savepoint.ts';
export type { Schema } from './schema.ts';
export { resealSecrets } from './sealed-secrets-store.ts';

import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { SealedSecrets } from '../base/index.ts';
import { PREPARED, type Queryable, type Tx } from '../db/index.ts';
import type { Destination, DestinationFields } from './destination-types.ts';

// What `$castTo<Destination>()` says of its members is checked by the table or by the schema of the API.
const COLUMNS = [
  'id',
  'name',
  'kind',
  'config',
  'secrets',
  'secret_key_id as secretKeyId',
  'path_template as pathTemplate',
  'collision',
  'qualities',
  'sidecar',
  'embed_metadata as embedMetadata',
  'concurrency',
  'status',
  'failure_code as failureCode',
  'failure_reason as failureReason',
  'last_verified_at as lastVerifiedAt',
  'bandwidth_limit as bandwidthLimit',
  'delivery_window as window',
  'paused',
  'rendition',
  'target_revision as targetRevision',
  'circuit',
  'circuit_faults as circuitFaults',
  'circuit_openings as circuitOpenings',
  'circuit_retry_at as circuitRetryAt',
  'consecutive_failures as consecutiveFailures',
  'last_error_at as lastErrorAt',
  'last_error_code as lastErrorCode',
  'last_error_reason as lastErrorReason',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

const columnsOf = (fields: DestinationFields) => ({
  name: fields.name,
  config: JSON.stringify(fields.config),
  path_template: fields.pathTemplate,
  collision: fields.collision,
  qualities: [...fields.qualities],
  sidecar: fields.sidecar,
  embed_metadata: fields.embedMetadata,
  concurrency: fields.concurrency,
  bandwidth_limit: fields.bandwidthLimit,
  delivery_window: fields.window && JSON.stringify(fields.window),
  paused: fields.paused,
  rendition: fields.rendition && JSON.stringify(fields.rendition),
});
const secretColumns = (sealed: SealedSecrets | null) => ({
  secrets: sealed?.sealed ?? null,
  secret_key_id: sealed?.keyId ?? null,
});

export async function findDestination(
  db: Queryable,
  scope: LibraryScope,
  id: number,
): Promise<Destination | undefined> {
  return db
    .selectFrom('destination')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .modifyEnd(PREPARED)
    .$castTo<Destination>()
    .executeTakeFirst();
}

/** Missing ones are left out. */
export async function findDestinations(
  db: Queryable,
  scope: LibraryScope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Destination>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom('destination')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', 'in', [...ids])
    .$castTo<Destination>()
    .execute();
  return new Map(found.map((one) => [one.id, one]));
}

/** Oldest first, after `afterId`. */
export async function listDestinations(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly afterId: number; readonly limit: number },
): Promise<readonly Destination[]> {
  return db
    .selectFrom('destination')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '>', page.afterId)
    .orderBy('id')
    .limit(page.limit)
    .$castTo<Destination>()
    .execute();
}

export async function insertDestination(
  tx: Tx,
  scope: LibraryScope,
  values: DestinationFields & { readonly kind: string; readonly sealed: SealedSecrets | null },
): Promise<Destination> {
  return tx
    .insertInto('destination')
    .values({
      organization_id: scope.organizationId,
      kind: values.kind,
      ...columnsOf(values),
      ...secretColumns(values.sealed),
    })
    .returning(COLUMNS)
    .$castTo<Destination>()
    .executeTakeFirstOrThrow();
}

/** What was known of another target. */
const OTHER_TARGET = {
  status: 'unverified',
  failure_code: null,
  failure_reason: null,
  target_revision: sql<number>`target_revision + 1`,
  circuit: 'closed',
  circuit_faults: 0,
  circuit_openings: 0,
  circuit_retry_at: null,
  consecutive_failures: 0,
} as const;

/** `sealed` left out keeps the secrets. What was verified is not so any more when it is another target. */
export async function updateDestination(
  tx: Tx,
  scope: LibraryScope,
  change: {
    readonly id: number;
    readonly fields: DestinationFields;
    readonly sealed?: SealedSecrets | null;
    readonly isOtherTarget: boolean;
  },
): Promise<Destination> {
  return tx
    .updateTable('destination')
    .set({
      ...columnsOf(change.fields),
      ...(change.sealed !== undefined && secretColumns(change.sealed)),
      ...(change.isOtherTarget && OTHER_TARGET),
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', change.id)
    .returning(COLUMNS)
    .$castTo<Destination>()
    .executeTakeFirstOrThrow();
}

export async function deleteDestination(tx: Tx, scope: LibraryScope, id: number): Promise<void> {
  await tx.deleteFrom('destination').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

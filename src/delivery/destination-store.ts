import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import type { Destination, DestinationFields } from './destination-types.ts';
import type { SealedSecrets } from './secret-box.ts';

// What `$castTo<Destination>()` says of collision, qualities, sidecar and status is checked by the table or by the schema of the API.
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
    .$castTo<Destination>()
    .executeTakeFirst();
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
      ...(change.isOtherTarget && { status: 'unverified', failure_code: null, failure_reason: null }),
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', change.id)
    .returning(COLUMNS)
    .$castTo<Destination>()
    .executeTakeFirstOrThrow();
}

/** Notes how the target is, when the destination still is the one that was looked at. */
export async function noteDestinationHealth(
  tx: Tx,
  scope: LibraryScope,
  health: {
    readonly id: number;
    readonly version: number;
    readonly failure: { readonly code: string; readonly reason: string } | null;
    readonly verifiedAt: Date | null;
  },
): Promise<Destination | undefined> {
  return tx
    .updateTable('destination')
    .set({
      status: health.failure === null ? 'ok' : 'failed',
      failure_code: health.failure?.code ?? null,
      failure_reason: health.failure?.reason ?? null,
      ...(health.verifiedAt && { last_verified_at: health.verifiedAt }),
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', health.id)
    .where('version', '=', health.version)
    .returning(COLUMNS)
    .$castTo<Destination>()
    .executeTakeFirst();
}

export async function deleteDestination(tx: Tx, scope: LibraryScope, id: number): Promise<void> {
  await tx.deleteFrom('destination').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

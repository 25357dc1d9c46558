import { sql } from 'kysely';
import { type LibraryScope, newUrlNonce } from '../auth/index.ts';
import type { Queryable, Tx } from '../db/index.ts';
import type { Clip, ClipFacts, ClipRequest } from './clip-types.ts';

// What `$castTo<Clip>()` says of kind, state, request and facts is checked by the table, or was written from these types here.
const COLUMNS = [
  'id',
  'kind',
  'state',
  'progress',
  'name',
  'request',
  'video_key as videoKey',
  'poster_key as posterKey',
  'facts',
  'failure_code as failureCode',
  'failure_reason as failureReason',
  'asset_id as assetId',
  'url_nonce as urlNonce',
  'created_by as createdBy',
  'version',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'expires_at as expiresAt',
] as const;

export async function findClip(db: Queryable, scope: LibraryScope, id: number): Promise<Clip | undefined> {
  return db
    .selectFrom('clip')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .$castTo<Clip>()
    .executeTakeFirst();
}

/** In the order of the IDs; missing ones are left out. */
export async function findClips(db: Queryable, scope: LibraryScope, ids: readonly number[]): Promise<readonly Clip[]> {
  if (ids.length === 0) return [];
  const found = await db
    .selectFrom('clip')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .where('id', 'in', [...ids])
    .$castTo<Clip>()
    .execute();
  const byId = new Map(found.map((clip) => [clip.id, clip]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Newest first, before `beforeId`. */
export async function listClips(
  db: Queryable,
  scope: LibraryScope,
  page: { readonly beforeId: number | undefined; readonly limit: number },
): Promise<readonly Clip[]> {
  return db
    .selectFrom('clip')
    .select(COLUMNS)
    .where('organization_id', '=', scope.organizationId)
    .$if(page.beforeId !== undefined, (query) => query.where('id', '<', page.beforeId ?? 0))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .$castTo<Clip>()
    .execute();
}

export async function insertClip(
  tx: Tx,
  scope: LibraryScope,
  clip: Pick<Clip, 'kind' | 'name' | 'createdBy'> & { readonly request: ClipRequest },
): Promise<Clip> {
  return tx
    .insertInto('clip')
    .values({
      organization_id: scope.organizationId,
      kind: clip.kind,
      name: clip.name,
      created_by: clip.createdBy,
      request: JSON.stringify(clip.request),
      url_nonce: newUrlNonce(),
    })
    .returning(COLUMNS)
    .$castTo<Clip>()
    .executeTakeFirstOrThrow();
}

/** Marks a clip that waits, or whose making was interrupted, as being made; undefined when nothing is left to do. */
export async function startClip(db: Queryable, scope: LibraryScope, id: number): Promise<Clip | undefined> {
  return db
    .updateTable('clip')
    .set({ state: 'running', progress: 0, version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning(COLUMNS)
    .$castTo<Clip>()
    .executeTakeFirst();
}

/** Notes how far a clip is (0..1). False when it is not being made any more: cancelled or removed. */
export async function noteClipProgress(
  db: Queryable,
  scope: LibraryScope,
  clip: { readonly id: number; readonly progress: number },
): Promise<boolean> {
  const found = await db
    .updateTable('clip')
    .set({ progress: clip.progress, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', clip.id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return found !== undefined;
}

export type ClipOutcome =
  | {
      readonly state: 'ready';
      readonly facts: ClipFacts;
      readonly videoKey: string | null;
      readonly posterKey: string | null;
      readonly assetId: number | null;
    }
  | { readonly state: 'failed'; readonly failureCode: string; readonly failureReason: string }
  | { readonly state: 'cancelled' };

/** Ends a clip that waits or is being made; undefined when it has ended already. */
export async function endClip(
  tx: Tx,
  scope: LibraryScope,
  clip: { readonly id: number; readonly outcome: ClipOutcome; readonly expiresAt: Date },
): Promise<Clip | undefined> {
  const { outcome } = clip;
  return tx
    .updateTable('clip')
    .set({
      state: outcome.state,
      version: sql`version + 1`,
      updated_at: sql<Date>`now()`,
      expires_at: clip.expiresAt,
      ...(outcome.state === 'ready' && {
        progress: 1,
        facts: JSON.stringify(outcome.facts),
        video_key: outcome.videoKey,
        poster_key: outcome.posterKey,
        asset_id: outcome.assetId,
      }),
      ...(outcome.state === 'failed' && {
        failure_code: outcome.failureCode,
        failure_reason: outcome.failureReason,
      }),
    })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', clip.id)
    .where('state', 'in', ['queued', 'running'])
    .returning(COLUMNS)
    .$castTo<Clip>()
    .executeTakeFirst();
}

export async function deleteClip(tx: Tx, scope: LibraryScope, id: number): Promise<void> {
  await tx.deleteFrom('clip').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

/** Clips of every organization whose time is over, oldest first. */
export async function findExpiredClips(
  db: Queryable,
  request: { readonly now: Date; readonly limit: number },
): Promise<readonly { readonly id: number; readonly organizationId: number }[]> {
  return db
    .selectFrom('clip')
    .select(['id', 'organization_id as organizationId'])
    .where('expires_at', '<', request.now)
    .orderBy('expires_at')
    .limit(request.limit)
    .execute();
}

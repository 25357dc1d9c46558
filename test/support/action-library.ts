import { sql } from 'kysely';
import { scopeOf } from '../../src/auth/index.ts';
import { searchVector } from '../../src/library/search-text.ts';
import { insertSearchWords } from '../../src/library/search-text-store.ts';
import { writeLibrary } from '../../src/library/index.ts';
import type { TestLibrary } from './search-library.ts';

/** Where an action lies in an asset. */
export type PlaceRow = { readonly mediaId: number; readonly startMs: number; readonly endMs: number };

export type ActionRow = {
  /** Its own video. Without places it is deleted: it lies nowhere. */
  readonly mediaId: number;
  readonly places: readonly PlaceRow[];
  readonly typeId: number;
  readonly label?: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly players?: readonly { readonly id: number; readonly role: string | null }[];
  /** Tag options beside type and players. */
  readonly tags?: readonly number[];
  readonly status?: 'draft' | 'confirmed' | 'disputed' | 'retracted';
  readonly outcome?: string | null;
  readonly source?: string;
  readonly period?: number | null;
  readonly clockMs?: number | null;
  readonly minute?: number | null;
  readonly stoppage?: number | null;
  readonly confidence?: number | null;
  readonly wallclockAt?: string | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
};

/** An action with the IDs of its places, in their order. */
export type InsertedAction = { readonly id: number; readonly placeIds: readonly number[] };

/** All tag options of an action, as the service derives them. */
export function tagsOfAction(row: ActionRow): readonly number[] {
  const tags = [row.typeId, ...(row.players ?? []).map(({ id }) => id), ...(row.tags ?? [])];
  return [...new Set(tags)].toSorted((a, b) => a - b);
}

/** Puts actions straight into the database, for tests that need many. */
export async function insertActions(
  service: TestLibrary,
  rows: readonly ActionRow[],
): Promise<readonly InsertedAction[]> {
  const { db } = service.app.installation;
  const { result } = await writeLibrary(db, scopeOf(service.organizationId), async ({ tx, scope, record }) => {
    const inserted: InsertedAction[] = [];
    for (const row of rows) {
      const { vector, words } = searchVector(row.label ?? '', row.details ?? {});
      await insertSearchWords({ tx, scope }, words);
      const { id } = await tx
        .insertInto('action')
        .values({
          organization_id: scope.organizationId,
          asset_id: row.mediaId,
          type_id: row.typeId,
          label: row.label ?? null,
          details: JSON.stringify(row.details ?? {}),
          search_text: vector,
          players: JSON.stringify((row.players ?? []).map((player) => ({ ...player, shirt: null }))),
          tag_ids: [...tagsOfAction(row)],
          status: row.status ?? 'confirmed',
          outcome: row.outcome ?? null,
          source: row.source ?? 'manual',
          period: row.period ?? null,
          clock_ms: row.clockMs ?? null,
          minute: row.minute ?? null,
          stoppage: row.stoppage ?? null,
          confidence: row.confidence ?? null,
          wallclock_at: row.wallclockAt ? new Date(row.wallclockAt) : null,
          deleted_at: row.places.length === 0 ? new Date() : null,
          ...(row.createdAt && { created_at: new Date(row.createdAt) }),
          ...(row.updatedAt && { updated_at: new Date(row.updatedAt) }),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const places = row.places.map((place) => ({
        action_id: id,
        asset_id: place.mediaId,
        start_ms: place.startMs,
        end_ms: place.endMs,
        event_ms: place.startMs,
      }));
      const placed =
        places.length === 0 ? [] : await tx.insertInto('action_media').values(places).returning('id').execute();
      inserted.push({ id, placeIds: placed.map((place) => place.id) });
      record({ type: 'action.created', objectId: id, data: { media_ids: row.places.map(({ mediaId }) => mediaId) } });
    }
    return inserted;
  });
  return result;
}

/** Says which camera assets are of. */
export async function setAngles(service: TestLibrary, angles: ReadonlyMap<number, string>): Promise<void> {
  const { db } = service.app.installation;
  for (const [id, angle] of angles) {
    await sql`UPDATE asset SET timeline = ${JSON.stringify({ angle })}::jsonb WHERE id = ${id}`.execute(db);
  }
}

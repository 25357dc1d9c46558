import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { Action, ActionStatus } from './action-types.ts';
import type { LibraryWrite } from './changes-store.ts';

export type ActionState = {
  readonly version: number;
  readonly change: 'created' | 'updated' | 'retracted' | 'deleted';
  /** Name of the API key. */
  readonly actor: string | null;
  /** The action as it was. */
  readonly action: Action;
  readonly createdAt: Date;
};

/** `action_history.state`, as `recordHistory` writes it. */
type StoredState = {
  readonly [Member in 'id' | 'media_id' | 'type' | 'version']: number;
} & {
  readonly [Member in
    | 'period'
    | 'clock_ms'
    | 'minute'
    | 'stoppage'
    | 'match'
    | 'x'
    | 'y'
    | 'end_x'
    | 'end_y'
    | 'source_version'
    | 'confidence'
    | 'parent_id']: number | null;
} & {
  readonly [Member in 'label' | 'wallclock_at' | 'outcome' | 'source_ref' | 'created_by' | 'updated_by']: string | null;
} & {
  readonly source: string;
  readonly status: ActionStatus;
  readonly clubs: Action['clubs'];
  readonly players: Action['players'];
  readonly tag_options: readonly number[];
  readonly details: Action['details'];
  readonly created_at: string;
  readonly updated_at: string;
  readonly places: readonly ({
    readonly [Member in 'id' | 'media_id' | 'start_ms' | 'end_ms' | 'event_ms']: number;
  } & { readonly derived: boolean })[];
};

function fromState(state: StoredState): Action {
  const {
    id,
    label,
    period,
    minute,
    stoppage,
    clubs,
    players,
    outcome,
    x,
    y,
    details,
    source,
    confidence,
    status,
    version,
  } = state;
  return {
    id,
    label,
    period,
    minute,
    stoppage,
    clubs,
    players,
    outcome,
    x,
    y,
    details,
    source,
    confidence,
    status,
    version,
    mediaId: state.media_id,
    typeId: state.type,
    wallclockAt: state.wallclock_at === null ? null : new Date(state.wallclock_at),
    clockMs: state.clock_ms,
    matchId: state.match,
    extraTagIds: state.tag_options,
    endX: state.end_x,
    endY: state.end_y,
    sourceRef: state.source_ref,
    sourceVersion: state.source_version,
    parentId: state.parent_id,
    createdBy: state.created_by,
    updatedBy: state.updated_by,
    createdAt: new Date(state.created_at),
    updatedAt: new Date(state.updated_at),
    places: state.places.map((place) => ({
      id: place.id,
      mediaId: place.media_id,
      startMs: place.start_ms,
      endMs: place.end_ms,
      eventMs: place.event_ms,
      derived: place.derived,
    })),
  };
}

/** Every state of an action, oldest first; of a deleted one too. */
export async function readActionHistory(
  db: Queryable,
  scope: LibraryScope,
  id: number,
): Promise<readonly ActionState[]> {
  const found = await sql<
    Omit<ActionState, 'action'> & { readonly state: StoredState }
  >`SELECT version, change, actor, state, created_at AS "createdAt"
    FROM action_history WHERE organization_id = ${scope.organizationId} AND action_id = ${id}
    ORDER BY version`.execute(db);
  return found.rows.map(({ state, ...row }) => ({ ...row, action: fromState(state) }));
}

/** Keeps the present state of these actions: what the API answers, but for names, timecodes and URLs. */
export async function recordHistory(
  write: LibraryWrite,
  changes: readonly { readonly id: number; readonly change: ActionState['change'] }[],
  actor: string | null,
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    INSERT INTO action_history (organization_id, action_id, version, change, actor, state)
    SELECT a.organization_id, a.id, a.version, g.change, ${actor}::text, jsonb_build_object(
      'id', a.id, 'media_id', a.asset_id, 'type', a.type_id, 'label', a.label, 'wallclock_at', a.wallclock_at,
      'period', a.period, 'clock_ms', a.clock_ms, 'minute', a.minute, 'stoppage', a.stoppage, 'match', a.match_id,
      'clubs', a.clubs, 'players', a.players, 'tag_options', a.extra_tag_ids, 'outcome', a.outcome, 'x', a.x, 'y', a.y,
      'end_x', a.end_x, 'end_y', a.end_y, 'details', a.details, 'source', a.source, 'source_ref', a.source_ref,
      'source_version', a.source_version, 'confidence', a.confidence, 'status', a.status, 'parent_id', a.parent_id,
      'version', a.version, 'created_by', a.created_by, 'updated_by', a.updated_by, 'created_at', a.created_at,
      'updated_at', a.updated_at,
      'places', COALESCE((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'media_id', p.asset_id, 'start_ms',
          p.start_ms, 'end_ms', p.end_ms, 'event_ms', p.event_ms, 'derived', p.derived) ORDER BY p.asset_id <> a.asset_id, p.asset_id)
        FROM action_media p WHERE p.action_id = a.id), '[]'))
    FROM unnest(${changes.map((one) => one.id)}::bigint[], ${changes.map((one) => one.change)}::text[]) AS g (id, change)
    JOIN action a ON a.id = g.id WHERE a.organization_id = ${write.scope.organizationId}`.execute(write.tx);
}

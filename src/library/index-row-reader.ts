import {
  type Bytes,
  type CopyReader,
  createCopyReader,
  type Fields,
  idsAt,
  int8At,
  millisecondsAt,
  NO_WORDS,
  wordsAt,
} from './binary-copy.ts';
import { type IndexField, readIndexDetails } from './index-details.ts';
import type { IndexAction, IndexAsset } from './index-row.ts';
import type { RecurringStrings } from './recurring-strings.ts';

/** The columns of assets in their order on the wire, each with what selects it; `details` comes last, where there are fields. */
export const INDEX_ROW_COLUMNS = {
  id: 'id',
  media_type: 'media_type',
  status: "CASE WHEN deleted_at IS NULL THEN status ELSE 'deleted' END",
  orientation: 'orientation',
  usage: 'usage',
  captured_at: 'captured_at',
  created_at: 'created_at',
  updated_at: 'updated_at',
  width: 'width',
  height: 'height',
  duration_ms: 'duration_ms',
  people_count: 'people_count',
  rating: 'rating',
  name: 'name',
  tag_ids: 'tag_ids',
  collection_ids: 'collection_ids',
  text: 'search_text',
} as const satisfies Readonly<Record<keyof Omit<IndexAsset, 'details'>, string>>;
const DETAILS_COLUMN = Object.keys(INDEX_ROW_COLUMNS).length;

/** jsonb is sent as a version, 1, and the text. */
function jsonAt(buffer: Buffer, start: number, end: number): unknown {
  return JSON.parse(buffer.toString('utf8', start + 1, end));
}

type Row = { readonly bytes: Bytes; readonly fields: Fields; readonly strings: RecurringStrings };

function assetOf({ bytes, fields, strings }: Row, details: readonly IndexField[]): IndexAsset {
  const { buffer, view } = bytes;
  const start = (field: number): number => fields.starts[field] ?? -1;
  const end = (field: number): number => start(field) + (fields.sizes[field] ?? 0);
  const text = (field: number): string => strings.read(buffer, start(field), end(field));
  const detailsAt = details.length === 0 ? -1 : start(DETAILS_COLUMN);
  const int4 = (field: number): number | null => (start(field) < 0 ? null : view.getInt32(start(field)));
  return {
    id: int8At(view, start(0)),
    media_type: text(1),
    status: text(2),
    orientation: start(3) < 0 ? null : text(3),
    usage: text(4),
    captured_at: start(5) < 0 ? null : millisecondsAt(view, start(5)),
    created_at: millisecondsAt(view, start(6)),
    updated_at: millisecondsAt(view, start(7)),
    width: int4(8),
    height: int4(9),
    duration_ms: start(10) < 0 ? null : int8At(view, start(10)),
    people_count: int4(11) ?? 0,
    rating: int4(12),
    name: buffer.toString('utf8', start(13), end(13)),
    tag_ids: idsAt(view, start(14)),
    collection_ids: idsAt(view, start(15)),
    text: start(16) < 0 ? NO_WORDS : wordsAt(bytes, start(16), strings),
    details: readIndexDetails(details, detailsAt < 0 ? undefined : jsonAt(buffer, detailsAt, end(DETAILS_COLUMN))),
  };
}

/**
 * Reads assets out of the chunks of one binary COPY of `INDEX_ROW_COLUMNS`.
 * @param details fields whose values come behind them as one list; without any there is no such column
 */
export function createIndexRowReader(details: readonly IndexField[] = []): CopyReader<IndexAsset> {
  const columns = DETAILS_COLUMN + (details.length === 0 ? 0 : 1);
  return createCopyReader(columns, (bytes, fields, strings) => assetOf({ bytes, fields, strings }, details));
}

/** An action with the asset it lies in. */
export type AssetAction = { readonly assetId: number; readonly action: IndexAction };

/** Columns of the action `c` in its place `m` of the asset `a`, in their order on the wire. */
export const INDEX_ACTION_COLUMNS = {
  asset_id: 'm.asset_id',
  id: 'm.id',
  home: 'm.asset_id = c.asset_id',
  type_id: 'c.type_id',
  status: 'c.status',
  outcome: 'c.outcome',
  source: 'c.source',
  angle: "a.timeline ->> 'angle'",
  start_ms: 'm.start_ms',
  period: 'c.period::int8',
  clock_ms: 'c.clock_ms',
  minute: 'c.minute::int8',
  stoppage: 'c.stoppage::int8',
  // The number that the shortest text of the stored one stands for: 0.9, not 0.89999998.
  confidence: 'c.confidence::text::float8',
  wallclock_at: 'c.wallclock_at',
  created_at: 'c.created_at',
  updated_at: 'c.updated_at',
  tag_ids: 'c.tag_ids',
  players: 'c.players',
  text: 'c.search_text',
} as const satisfies Readonly<Record<keyof Omit<IndexAction, 'roles'> | 'asset_id' | 'players', string>>;

const NO_ROLES: IndexAction['roles'] = [];

/** The roles of players as the table has them, each pair once; a player without a role has none. */
export function rolesOf(players: unknown): IndexAction['roles'] {
  if (!Array.isArray(players) || players.length === 0) return NO_ROLES;
  // Written by the library itself: a list of players with their IDs and roles.
  const listed = players as readonly { readonly id: number; readonly role?: string | null }[];
  const roles = listed.flatMap(({ id, role }) => (typeof role === 'string' ? [{ player: id, role }] : []));
  return roles.filter(
    ({ player, role }, at) => roles.findIndex((one) => one.player === player && one.role === role) === at,
  );
}

function actionOf(bytes: Bytes, fields: Fields, strings: RecurringStrings): AssetAction {
  const { buffer, view } = bytes;
  const start = (field: number): number => fields.starts[field] ?? -1;
  const end = (field: number): number => start(field) + (fields.sizes[field] ?? 0);
  const text = (field: number): string => strings.read(buffer, start(field), end(field));
  const textOrNull = (field: number): string | null => (start(field) < 0 ? null : text(field));
  const int8 = (field: number): number | null => (start(field) < 0 ? null : int8At(view, start(field)));
  const time = (field: number): number => millisecondsAt(view, start(field));
  // An empty list is the most common.
  const players = end(18) - start(18) <= 3 ? [] : jsonAt(buffer, start(18), end(18));
  const action: IndexAction = {
    id: int8At(view, start(1)),
    home: view.getUint8(start(2)) === 1,
    type_id: int8At(view, start(3)),
    status: text(4),
    outcome: textOrNull(5),
    source: text(6),
    angle: textOrNull(7),
    start_ms: int8At(view, start(8)),
    period: int8(9),
    clock_ms: int8(10),
    minute: int8(11),
    stoppage: int8(12),
    confidence: start(13) < 0 ? null : view.getFloat64(start(13)),
    wallclock_at: start(14) < 0 ? null : time(14),
    created_at: time(15),
    updated_at: time(16),
    tag_ids: idsAt(view, start(17)),
    roles: rolesOf(players),
    text: start(19) < 0 ? NO_WORDS : wordsAt(bytes, start(19), strings),
  };
  return { assetId: int8At(view, start(0)), action };
}

/** Reads actions out of the chunks of one binary COPY of `INDEX_ACTION_COLUMNS`. */
export function createIndexActionReader(): CopyReader<AssetAction> {
  return createCopyReader(Object.keys(INDEX_ACTION_COLUMNS).length, actionOf);
}

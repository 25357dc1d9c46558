/** Puts generated actions straight into the tables of a generated library. */
import type pg from 'pg';
import { searchVector } from '../../src/library/search-text.ts';
import { type GeneratedAction, generateActions } from './action-generator.ts';
import { copyRows, copyText } from './copy.ts';
import { generateAssets } from './generator.ts';

const COLUMNS =
  'id, organization_id, asset_id, type_id, label, wallclock_at, period, clock_ms, minute, stoppage, match_id, players, tag_ids, ' +
  'outcome, search_text, source, confidence, status, created_at, updated_at';

const time = (ms: number): string => new Date(ms).toISOString();

function actionLine(action: GeneratedAction, organizationId: number, words: Set<string>): string {
  const own = searchVector(action.label ?? '', {});
  for (const word of own.words) words.add(word);
  return [
    action.id,
    organizationId,
    action.assetId,
    action.typeId,
    action.label,
    time(action.wallclockAt),
    action.period,
    action.clockMs,
    action.minute,
    action.stoppage,
    action.matchId,
    JSON.stringify(action.players.map((player) => ({ ...player, shirt: null }))),
    `{${action.tagIds.join(',')}}`,
    action.outcome,
    own.vector,
    action.source,
    action.confidence,
    action.status,
    time(action.createdAt),
    time(action.createdAt),
  ]
    .map(copyText)
    .join('\t');
}

function* actionLines(assets: number, organizationId: number, words: Set<string>): Generator<string> {
  for (const action of generateActions(generateAssets(assets))) yield actionLine(action, organizationId, words);
}

/** Inserts the actions of `assets` generated assets; answers how many there are. */
export async function insertActions(
  client: pg.Client,
  options: { readonly assets: number; readonly organizationId: number },
): Promise<number> {
  const { assets, organizationId } = options;
  const words = new Set<string>();
  await client.query('BEGIN; TRUNCATE action CASCADE');
  const count = await copyRows(
    client,
    `COPY action (${COLUMNS}) FROM STDIN`,
    actionLines(assets, organizationId, words),
  );
  // The videos begin a minute before the match, and go on through the 15 minutes of the interval.
  await client.query(
    `INSERT INTO action_media (action_id, asset_id, start_ms, end_ms, event_ms)
     SELECT id, asset_id, place.ms, place.ms + 8000, place.ms + 3000
     FROM action, LATERAL (SELECT clock_ms + CASE period WHEN 1 THEN 60000 ELSE 960000 END) AS place (ms) ORDER BY id`,
  );
  await client.query('COMMIT');
  await client.query(
    'INSERT INTO search_word (organization_id, word) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
    [organizationId, [...words]],
  );
  await client.query(`SELECT setval(pg_get_serial_sequence('action', 'id'), $1)`, [Math.max(1, count)]);
  return count;
}

/** Puts a generated library straight into the tables of an empty PostgreSQL. */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { foldText } from '../../src/base/index.ts';
import { searchVector } from '../../src/library/search-text.ts';
import { generateActionTypes } from './action-generator.ts';
import { insertActions } from './action-library.ts';
import { copyRows, copyText } from './copy.ts';
import { type Asset, generateAssets, generateTags } from './generator.ts';

export const ORGANIZATION_ID = 1;

const ASSET_COLUMNS =
  'id, organization_id, media_type, status, name, sha256, bytes, mime_type, extension, width, height, orientation, duration_ms, ' +
  'captured_at, rating, people_count, details, search_text, tag_ids, url_nonce, created_at, updated_at, deleted_at';

const time = (ms: number): string => new Date(ms).toISOString();

type Tally = { readonly counts: Uint32Array; readonly words: Set<string> };

function assetLine(asset: Asset, { counts, words }: Tally): string {
  for (const id of asset.tagIds) counts[id] = (counts[id] ?? 0) + 1;
  const details = { caption: asset.caption };
  const own = searchVector(asset.name, details);
  for (const word of own.words) words.add(word);
  const created = time(asset.createdAt);
  return [
    asset.id,
    ORGANIZATION_ID,
    asset.isVideo ? 'video' : 'photo',
    asset.status,
    asset.name,
    createHash('sha256').update(String(asset.id)).digest('hex'),
    8_000_000,
    asset.isVideo ? 'video/mp4' : 'image/jpeg',
    asset.name.slice(-3),
    6000,
    4000,
    'landscape',
    asset.isVideo ? 30_000 : null,
    asset.capturedAt === null ? null : time(asset.capturedAt),
    asset.rating,
    asset.peopleCount,
    JSON.stringify(details),
    own.vector,
    `{${asset.tagIds.join(',')}}`,
    'abcdefgh',
    created,
    created,
    asset.inBin ? created : null,
  ]
    .map(copyText)
    .join('\t');
}

function* assetLines(count: number, tally: Tally): Generator<string> {
  for (const asset of generateAssets(count)) yield assetLine(asset, tally);
}

/** The tags of assets as rows, and the files of each: what answers over HTTP are made of, not what searches read. */
function* tagLines(count: number): Generator<string> {
  for (const asset of generateAssets(count)) for (const id of asset.tagIds) yield `${asset.id}\t${id}\tmanual`;
}

function* fileLines(count: number): Generator<string> {
  for (const { id, isVideo } of generateAssets(count)) {
    yield `${id}\tphotographer\tgenerated/${id}\t6000\t4000\t8000000\t${isVideo ? 'video/mp4' : 'image/jpeg'}`;
    yield `${id}\tcompressed\tgenerated/${id}-c\t2048\t1365\t600000\timage/jpeg`;
    yield `${id}\tthumbnail\tgenerated/${id}-t\t400\t267\t30000\timage/jpeg`;
  }
}

async function insertTags(client: pg.Client, actions: boolean): Promise<number> {
  const array = (texts: readonly string[]) =>
    `{${texts.map((text) => `"${text.replace(/["\\]/g, (one) => `\\${one}`)}"`).join(',')}}`;
  const tags = [...generateTags(), ...(actions ? generateActionTypes() : [])];
  const lines = tags.map(({ id, type, label, fullName, aliases }) => {
    const names = [label, ...(fullName === null ? [] : [fullName]), ...aliases];
    const values = [id, ORGANIZATION_ID, type, label, fullName, array(aliases), array(names.map(foldText))];
    return values.map(copyText).join('\t');
  });
  return copyRows(
    client,
    'COPY tag_option (id, organization_id, type, label, full_name, aliases, folded_names) FROM STDIN',
    lines,
  );
}

type Index = { readonly name: string; readonly definition: string };

async function dropIndexes(client: pg.Client, table: string): Promise<readonly Index[]> {
  const found = await client.query<Index>(
    `SELECT i.relname AS name, pg_get_indexdef(x.indexrelid) AS definition
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
     WHERE x.indrelid = $1::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = x.indexrelid)`,
    [table],
  );
  for (const { name } of found.rows) await client.query(`DROP INDEX ${name}`);
  return found.rows;
}

/** Which tag option occurs how often, by ID. */
export type TagCounts = Uint32Array;

/**
 * Inserts `count` assets with secondary indexes built afterwards, and has PostgreSQL collect its statistics.
 * `complete`: also the rows of each asset's tags and files, which only answers over HTTP read. `actions`: also what happens in
 * the videos.
 */
export async function insertLibrary(
  client: pg.Client,
  options: {
    readonly count: number;
    readonly complete: boolean;
    readonly actions: boolean;
    readonly print: (line: string) => void;
  },
): Promise<TagCounts> {
  const { count, complete, actions, print } = options;
  let lastMs = performance.now();
  const done = (what: string) => {
    print(`  ${what}: ${((performance.now() - lastMs) / 1000).toFixed(1)} s`);
    lastMs = performance.now();
  };
  // Foreign keys are not checked row by row: the generator keeps them.
  await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '1GB'`);
  const tally: Tally = { counts: new Uint32Array((await insertTags(client, actions)) + 1), words: new Set() };
  const indexes = await dropIndexes(client, 'asset');
  const ofActions = actions
    ? [...(await dropIndexes(client, 'action')), ...(await dropIndexes(client, 'action_media'))]
    : [];
  // Truncated in the same transaction, the table's rows need no log (wal_level = minimal).
  await client.query('BEGIN; TRUNCATE asset CASCADE');
  const stored = await copyRows(client, `COPY asset (${ASSET_COLUMNS}) FROM STDIN`, assetLines(count, tally));
  if (stored !== count) throw new Error(`expected ${count} stored assets, received ${stored}`);
  await client.query('COMMIT');
  done(`${count} assets`);
  await copyRows(
    client,
    'COPY search_word (organization_id, word) FROM STDIN',
    [...tally.words].map((word) => `${ORGANIZATION_ID}\t${word}`),
  );
  if (actions) {
    const inserted = await insertActions(client, { assets: count, organizationId: ORGANIZATION_ID });
    done(`${inserted} actions`);
  }
  for (const { name, definition } of [...indexes, ...ofActions]) {
    await client.query(definition);
    done(name);
  }
  if (complete) {
    await client.query('BEGIN; TRUNCATE asset_tag, asset_file');
    await copyRows(client, 'COPY asset_tag (asset_id, tag_option_id, source) FROM STDIN', tagLines(count));
    await copyRows(
      client,
      'COPY asset_file (asset_id, quality, storage_key, width, height, bytes, mime_type) FROM STDIN',
      fileLines(count),
    );
    await client.query('COMMIT');
    done('rows of tags and files');
  }
  await client.query(
    'UPDATE tag_option o SET media_count = c.n FROM unnest($1::int[]) WITH ORDINALITY AS c (n, id) WHERE o.id = c.id - 1',
    [[...tally.counts]],
  );
  // As after a first import: a library that was never written has no version, and no snapshot is made of it.
  await client.query(
    `WITH written AS (UPDATE organization SET version = version + 1 RETURNING id, version)
     INSERT INTO change (organization_id, version, type, object_id) SELECT id, version, 'media.created', 1 FROM written`,
  );
  // The identity columns go on after what was inserted.
  await client.query(`SELECT setval(pg_get_serial_sequence('asset', 'id'), $1)`, [count]);
  await client.query(`SELECT setval(pg_get_serial_sequence('tag_option', 'id'), $1)`, [tally.counts.length]);
  await client.query('VACUUM ANALYZE asset, action, action_media');
  await client.query(complete ? 'VACUUM ANALYZE asset_tag, asset_file, tag_option' : 'VACUUM ANALYZE tag_option');
  done('vacuum and statistics');
  return tally.counts;
}

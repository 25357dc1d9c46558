import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/base/index.ts';
import { type Database, migrateToLatest, openDatabase } from '../../src/db/index.ts';
import { fillSearchText } from '../../src/library/index.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { plainPhoto, uploadMedia } from '../support/library.ts';

async function textOf(db: Database, id: number): Promise<string | null | undefined> {
  const found = await sql<{
    text: string | null;
  }>`SELECT search_text::text AS text FROM asset WHERE id = ${id}`.execute(db);
  return found.rows[0]?.text;
}

async function wordsOf(db: Database, organizationId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('search_word')
    .select('word')
    .where('organization_id', '=', organizationId)
    .orderBy('word')
    .execute();
  return rows.map((row) => row.word);
}

/** A photo that says of itself who is in it and what happened. */
async function photoWithCaption(seed: number, caption: string): Promise<Buffer> {
  const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt><rdf:li xml:lang="x-default">${caption}</rdf:li>
      </rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
  return sharp(await plainPhoto(seed))
    .withXmp(xmp)
    .jpeg()
    .toBuffer();
}

describe('words of assets', () => {
  let service: TestApp;
  let db: Database;
  beforeAll(async () => {
    service = await startApp();
    db = service.app.installation.db;
  });
  afterAll(() => service.close());

  test('processing adds the words that a file carries to those of its name', async () => {
    const media = await uploadMedia(service, await photoWithCaption(1, 'Čelebrations in Łódź'), {
      name: 'frame 1.jpg',
    });
    expect(media['details'].caption).toBe('Čelebrations in Łódź');
    expect(await textOf(db, media['id'])).toBe("'1':2A 'celebrations':5B 'frame':1A 'in':6B 'jpg':3A 'lodz':7B");
    expect(await wordsOf(db, service.organizationId)).toEqual(['1', 'celebrations', 'frame', 'in', 'jpg', 'lodz']);
  });

  test('a new name and new details replace the words, in the same write', async () => {
    const media = await uploadMedia(service, await plainPhoto(2), {
      name: 'before.jpg',
      metadata: { details: { headline: 'Old headline', venue: { gate: 'north' } } },
    });
    const path = `/v1/media/${media['id']}`;
    expect(await textOf(db, media['id'])).toBe("'before':1A 'headline':5A 'jpg':2A 'north':7C 'old':4A");
    expect((await service.call('PATCH', path, { body: { name: 'after.jpg' } })).status).toBe(200);
    expect(await textOf(db, media['id'])).toBe("'after':1A 'headline':5A 'jpg':2A 'north':7C 'old':4A");
    expect((await service.call('PATCH', path, { body: { details: { headline: null, caption: 'New' } } })).status).toBe(
      200,
    );
    expect(await textOf(db, media['id'])).toBe("'after':1A 'jpg':2A 'new':4B 'north':6C");
    expect((await service.call('PATCH', path, { body: { rating: 4 } })).status).toBe(200);
    expect(await textOf(db, media['id'])).toBe("'after':1A 'jpg':2A 'new':4B 'north':6C");
    // Words that are gone stay candidates; whether an asset has one is asked of the assets.
    expect(await wordsOf(db, service.organizationId)).toEqual(expect.arrayContaining(['after', 'before', 'headline']));
  });

  test('a replaced file takes the words of its metadata along', async () => {
    const first = await photoWithCaption(3, 'Corner');
    const media = await uploadMedia(service, first, { name: 'a.jpg', metadata: { external_id: 'replaced' } });
    expect(await textOf(db, media['id'])).toBe("'a':1A 'corner':4B 'jpg':2A");
    const again = await uploadMedia(service, await plainPhoto(4), {
      name: 'b.jpg',
      metadata: { external_id: 'replaced' },
    });
    expect(again['id']).toBe(media['id']);
    expect(await textOf(db, media['id'])).toBe("'b':1A 'jpg':2A");
  });

  test('the same file again adds the words of the given details', async () => {
    const bytes = await plainPhoto(5);
    const media = await uploadMedia(service, bytes, { name: 'c.jpg', metadata: { details: { caption: 'one' } } });
    await uploadMedia(service, bytes, { name: 'other.jpg', metadata: { details: { credit: 'two' } } });
    expect(await textOf(db, media['id'])).toBe("'c':1A 'jpg':2A 'one':4B 'two':6C");
  });

  test('words of one organization are not remembered for another', async () => {
    const other = await service.createOrganization('other');
    const key = await service.createKey({ organizationId: other });
    await uploadMedia(service, await plainPhoto(6), { name: 'theirs.jpg', key });
    expect(await wordsOf(db, other)).toEqual(['jpg', 'theirs']);
    expect(await wordsOf(db, service.organizationId)).not.toContain('theirs');
  });
});

const FIRST_MIGRATION = join(import.meta.dirname, '..', '..', 'src', 'db', 'migrations', '0001_foundation.sql');

/** A database as the first released schema left it. */
async function openFirstSchema(db: Database): Promise<void> {
  await sql.raw('DROP SCHEMA public CASCADE; CREATE SCHEMA public').execute(db);
  await sql.raw(await readFile(FIRST_MIGRATION, 'utf8')).execute(db);
  await sql
    .raw(`CREATE TABLE touchline_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL);
    CREATE TABLE touchline_migration_lock (id varchar(255) PRIMARY KEY, is_locked integer NOT NULL DEFAULT 0);
    INSERT INTO touchline_migration_lock VALUES ('migration_lock', 0);
    INSERT INTO touchline_migration VALUES ('0001_foundation', '2026-01-01T00:00:00.000Z')`)
    .execute(db);
}

test('a library of before words were kept gets them once, from every process that starts', async () => {
  const database = await createTestDatabase();
  const logger = createLogger({ level: 'error' });
  const connection = { connectionString: database.url };
  const { db } = openDatabase({ connection, applicationName: 'touchline-test', maxConnections: 3, logger });
  try {
    await openFirstSchema(db);
    await sql
      .raw(`INSERT INTO organization (slug, name, signing_key) VALUES ('a', 'A', ''), ('b', 'B', ''), ('empty', 'E', '');
      INSERT INTO asset (organization_id, media_type, status, name, sha256, bytes, mime_type, extension, details, url_nonce, deleted_at)
      SELECT 1 + n % 2, 'photo', 'ready', 'Frame ' || n || '.jpg', n::text, 1, 'image/jpeg', 'jpg',
        jsonb_build_object('caption', 'Šeško number ' || n), 'x', CASE WHEN n % 10 = 0 THEN now() END
      FROM generate_series(1, 3000) n`)
      .execute(db);
    expect(await migrateToLatest(db)).toContain('0002_search_text');
    expect(await textOf(db, 3000)).toBeNull();
    const filled = await Promise.all([fillSearchText(db, { logger }), fillSearchText(db, { logger })]);
    expect((filled[0] ?? 0) + (filled[1] ?? 0)).toBe(3000);
    expect(await textOf(db, 1)).toBe("'1':2A,7B 'frame':1A 'jpg':3A 'number':6B 'sesko':5B");
    expect(await textOf(db, 3000)).toBe("'3000':2A,7B 'frame':1A 'jpg':3A 'number':6B 'sesko':5B");
    const words = await wordsOf(db, 2);
    expect(words).toHaveLength(1504);
    expect(words).toContain('sesko');
    expect(await fillSearchText(db, { logger })).toBe(0);
    const versions = await sql<{ version: number }>`SELECT DISTINCT version FROM organization`.execute(db);
    expect(versions.rows).toEqual([{ version: 0 }]);
  } finally {
    await db.destroy();
    await database.drop();
  }
});

test('filling ends when its signal says so, and goes on where it was at the next start', async () => {
  const database = await createTestDatabase();
  const logger = createLogger({ level: 'error' });
  const connection = { connectionString: database.url };
  const { db } = openDatabase({ connection, applicationName: 'touchline-test', maxConnections: 2, logger });
  try {
    await sql
      .raw(`INSERT INTO organization (slug, name, signing_key) VALUES ('a', 'A', '');
      INSERT INTO asset (organization_id, media_type, status, name, sha256, bytes, mime_type, extension, url_nonce)
      VALUES (1, 'photo', 'ready', 'late.jpg', 'x', 1, 'image/jpeg', 'jpg', 'x')`)
      .execute(db);
    const stopped = new Error('stopped');
    await expect(fillSearchText(db, { logger, signal: AbortSignal.abort(stopped) })).rejects.toBe(stopped);
    expect(await textOf(db, 1)).toBeNull();
    expect(await fillSearchText(db, { logger })).toBe(1);
    expect(await textOf(db, 1)).toBe("'jpg':2A 'late':1A");
  } finally {
    await db.destroy();
    await database.drop();
  }
});

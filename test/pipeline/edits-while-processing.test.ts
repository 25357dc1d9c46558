import { afterAll, beforeAll, expect, test } from 'vitest';
import { scopeOf } from '../../src/auth/index.ts';
import { createLogger } from '../../src/base/index.ts';
import { type Database, openDatabase } from '../../src/db/index.ts';
import {
  acceptUpload,
  editAsset,
  findAsset,
  finishProcessing,
  getAssetForWrite,
  insertOrganization,
  type LibraryWrite,
  writeLibrary,
} from '../../src/library/index.ts';
import { createTestDatabase } from '../support/database.ts';

const closers: (() => Promise<void>)[] = [];
let db: Database;
beforeAll(async () => {
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  const logger = createLogger({ level: 'silent' });
  const connection = { connectionString: database.url };
  db = openDatabase({ connection, applicationName: 'edits', maxConnections: 2, logger }).db;
  closers.push(() => db.destroy());
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const FOUND = {
  mimeType: 'image/jpeg',
  extension: 'jpg',
  width: 600,
  height: 400,
  orientation: 'landscape',
  durationMs: null,
  frameRate: null,
  video: null,
  hasAlpha: false,
  capturedAt: null,
  capturedOffsetMinutes: null,
  rating: null,
  details: {},
  warnings: [],
  faces: [],
  files: [],
  keywords: [],
  persons: [],
  events: [],
} as const;

test('a focal point and a usage that are set while a photo is processed do not stop it from becoming ready', async () => {
  const scope = scopeOf((await insertOrganization(db, { slug: 'club', name: 'Club' })).id);
  const write = async <T>(work: (open: LibraryWrite) => Promise<T>) => (await writeLibrary(db, scope, work)).result;
  const file = {
    mediaType: 'photo',
    sha256: 'a'.repeat(64),
    bytes: 10,
    mimeType: 'image/jpeg',
    extension: 'jpg',
    storageKey: 'originals/a',
  } as const;
  const { id, process } = await write((open) => acceptUpload(open, file, { name: 'a.jpg', tags: [] }));
  await write(async (open) => {
    const asset = await getAssetForWrite(open, id, { inBin: false });
    await editAsset(open, asset, { focal: { x: 0.2, y: 0.3 }, usage: 'limited' });
  });
  const target = { id, revision: process?.revision ?? -1 };
  expect(await write((open) => finishProcessing(open, target, FOUND))).toBe(true);
  const ready = await findAsset(db, scope, id);
  expect(ready).toMatchObject({ status: 'ready', usage: 'limited', revision: target.revision });
  await write(async (open) => {
    const asset = await getAssetForWrite(open, id, { inBin: false });
    await editAsset(open, asset, { focal: null });
  });
  expect(await findAsset(db, scope, id)).toMatchObject({ revision: target.revision + 1 });
});

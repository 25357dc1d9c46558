import { createHash } from 'node:crypto';
import { scopeOf } from '../../src/auth/index.ts';
import type { Database } from '../../src/db/index.ts';
import { writeLibrary, writeSearchText } from '../../src/library/index.ts';

export type AssetRow = {
  readonly name?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly mediaType?: 'photo' | 'video';
  readonly status?: 'processing' | 'ready' | 'failed' | 'archived' | 'deleted';
  readonly tags?: readonly number[];
  readonly collections?: readonly number[];
  readonly capturedAt?: string | null;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly orientation?: 'landscape' | 'portrait' | 'square' | null;
  readonly durationMs?: number | null;
  readonly peopleCount?: number;
  readonly rating?: number | null;
  readonly usage?: 'approved' | 'limited' | 'raw' | 'embargoed' | 'expired';
};

/** A library by its database and organization; every TestApp is one. */
export type TestLibrary = {
  readonly app: { readonly installation: { readonly db: Database } };
  readonly organizationId: number;
};

let inserted = 0;

/** Puts assets without files straight into the database, for tests that need many; answers their IDs in order. */
export async function insertAssets(service: TestLibrary, rows: readonly AssetRow[]): Promise<number[]> {
  const { db } = service.app.installation;
  const values = rows.map((row) => ({
    organization_id: service.organizationId,
    media_type: row.mediaType ?? 'photo',
    status: row.status === 'deleted' ? 'ready' : (row.status ?? 'ready'),
    deleted_at: row.status === 'deleted' ? new Date() : null,
    name: row.name ?? 'photo.jpg',
    details: JSON.stringify(row.details ?? {}),
    sha256: createHash('sha256').update(`inserted ${inserted++}`).digest('hex'),
    bytes: 1000,
    mime_type: 'image/jpeg',
    extension: 'jpg',
    url_nonce: 'abcdefgh',
    tag_ids: [...(row.tags ?? [])].toSorted((a, b) => a - b),
    collection_ids: [...(row.collections ?? [])].toSorted((a, b) => a - b),
    captured_at: row.capturedAt ? new Date(row.capturedAt) : null,
    ...(row.createdAt && { created_at: new Date(row.createdAt) }),
    ...(row.updatedAt && { updated_at: new Date(row.updatedAt) }),
    width: row.width ?? null,
    height: row.height ?? null,
    orientation: row.orientation ?? null,
    duration_ms: row.durationMs ?? null,
    people_count: row.peopleCount ?? 0,
    rating: row.rating ?? null,
    usage: row.usage ?? 'approved',
  }));
  const { result } = await writeLibrary(db, scopeOf(service.organizationId), async ({ tx, scope, record }) => {
    const found = await tx.insertInto('asset').values(values).returning(['id', 'name', 'details']).execute();
    await writeSearchText({ tx, scope }, found);
    const ids = found.map((row) => row.id);
    const tagged = rows.flatMap((row, at) =>
      (row.tags ?? []).map((tag) => ({ asset_id: ids[at] ?? 0, tag_option_id: tag, source: 'manual' })),
    );
    if (tagged.length > 0) await tx.insertInto('asset_tag').values(tagged).execute();
    for (const id of ids) record({ type: 'media.created', objectId: id });
    return ids;
  });
  return result;
}

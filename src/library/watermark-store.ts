import { sql } from 'kysely';
import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';

export const WATERMARK_POSITIONS = ['center', 'n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'] as const;
export type WatermarkPosition = (typeof WATERMARK_POSITIONS)[number];

/** How a watermark lies on an image. */
export type WatermarkPlacement = {
  readonly position: WatermarkPosition;
  /** 0..1 */
  readonly opacity: number;
  /** Its width as a share (0..1) of the image's. */
  readonly scale: number;
  /** Room to the edges as a share (0..0.5) of the image's shorter side. */
  readonly margin: number;
};

/** Its picture, in object storage. */
type WatermarkPicture = {
  readonly storageKey: string;
  readonly sha256: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
};

/** A picture that is laid over images, under a name. */
export type Watermark = WatermarkPlacement &
  WatermarkPicture & {
    readonly id: number;
    readonly name: string;
    readonly version: number;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  };

export type NewWatermark = WatermarkPlacement & WatermarkPicture & { readonly name: string };

const columnsOf = ({ storageKey, mimeType, ...rest }: NewWatermark) => ({
  ...rest,
  storage_key: storageKey,
  mime_type: mimeType,
});

/** `real` keeps 7 digits: what was 0.3 is 0.3 again. */
const share = (value: number) => Number(value.toFixed(4));

/** By name; there are at most 50. */
export async function listWatermarks(db: Queryable, scope: LibraryScope): Promise<readonly Watermark[]> {
  const rows = await db
    .selectFrom('watermark')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .orderBy('name')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    storageKey: row.storage_key,
    sha256: row.sha256,
    mimeType: row.mime_type,
    bytes: row.bytes,
    width: row.width,
    height: row.height,
    // Written through NewWatermark only.
    position: row.position as WatermarkPosition,
    opacity: share(row.opacity),
    scale: share(row.scale),
    margin: share(row.margin),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}

export async function findWatermark(db: Queryable, scope: LibraryScope, id: number): Promise<Watermark | undefined> {
  return (await listWatermarks(db, scope)).find((watermark) => watermark.id === id);
}

export async function insertWatermark(db: Queryable, scope: LibraryScope, values: NewWatermark): Promise<number> {
  const row = await db
    .insertInto('watermark')
    .values({ organization_id: scope.organizationId, ...columnsOf(values) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Gives a watermark another picture or place. */
export async function updateWatermark(
  db: Queryable,
  scope: LibraryScope,
  { id, ...values }: NewWatermark & { readonly id: number },
): Promise<void> {
  await db
    .updateTable('watermark')
    .set({ ...columnsOf(values), version: sql`version + 1`, updated_at: sql<Date>`now()` })
    .where('organization_id', '=', scope.organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deleteWatermark(db: Queryable, scope: LibraryScope, id: number): Promise<void> {
  await db.deleteFrom('watermark').where('organization_id', '=', scope.organizationId).where('id', '=', id).execute();
}

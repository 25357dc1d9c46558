import { randomBytes } from 'node:crypto';
import type { Queryable } from '../db/index.ts';

export type Organization = {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly signingKey: Buffer;
};

type Row = { id: number; slug: string; name: string; signing_key: Buffer };
const toOrganization = (row: Row): Organization => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  signingKey: row.signing_key,
});
const COLUMNS = ['id', 'slug', 'name', 'signing_key'] as const;

export async function insertOrganization(
  db: Queryable,
  values: { readonly slug: string; readonly name: string },
): Promise<Organization> {
  const row = await db
    .insertInto('organization')
    .values({ ...values, signing_key: randomBytes(32) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return toOrganization(row);
}

export async function findOrganization(db: Queryable, id: number): Promise<Organization | undefined> {
  const row = await db.selectFrom('organization').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  return row && toOrganization(row);
}

export async function listOrganizations(db: Queryable): Promise<readonly Organization[]> {
  return (await db.selectFrom('organization').select(COLUMNS).orderBy('id').execute()).map(toOrganization);
}

export type Organizations = {
  /** Undefined when there is no such organization. Remembered: name and signing key of an organization do not change. */
  find(id: number): Promise<Organization | undefined>;
};

export function createOrganizations(db: Queryable): Organizations {
  const known = new Map<number, Organization>();
  return {
    async find(id) {
      const present = known.get(id);
      if (present) return present;
      const found = await findOrganization(db, id);
      if (found) known.set(id, found);
      return found;
    },
  };
}

import { sql } from 'kysely';
import { type Logger, messageOf, type SecretBox } from '../base/index.ts';
import type { Database } from './database.ts';

/** Every column that holds sealed secrets, with the one that says which key sealed them. */
const PLACES = [
  { table: 'destination', secrets: 'secrets', keyId: 'secret_key_id' },
  { table: 'webhook', secrets: 'secret', keyId: 'secret_key_id' },
  { table: 'webhook', secrets: 'previous_secret', keyId: 'previous_secret_key_id' },
] as const;

type Row = { readonly id: number; readonly organizationId: number; readonly sealed: Buffer; readonly keyId: string };

/**
 * Seals with the first key what an older one has sealed, so that the older one can be dropped from the setting. What cannot be opened
 * stays as it is, and is told in the log. Several nodes may do this at once.
 */
export async function resealSecrets(
  db: Database,
  { secretBox, logger }: { readonly secretBox: SecretBox; readonly logger: Logger },
): Promise<{ readonly resealed: number; readonly left: number }> {
  let [resealed, left] = [0, 0];
  for (const place of PLACES) {
    const [table, secrets, keyId] = [sql.table(place.table), sql.ref(place.secrets), sql.ref(place.keyId)];
    const found =
      await sql<Row>`SELECT id, organization_id AS "organizationId", ${secrets} AS sealed, ${keyId} AS "keyId"
      FROM ${table} WHERE ${secrets} IS NOT NULL AND ${keyId} <> ${secretBox.keyId}`.execute(db);
    for (const row of found.rows) {
      try {
        const next = secretBox.seal(row.organizationId, secretBox.open(row.organizationId, row));
        // Only while they are what was read: somebody may have given others meanwhile.
        await sql`UPDATE ${table} SET ${secrets} = ${next.sealed}, ${keyId} = ${next.keyId}
          WHERE id = ${row.id} AND ${secrets} = ${row.sealed}`.execute(db);
        resealed += 1;
      } catch (error) {
        left += 1;
        const { id } = row;
        const event = { event: 'secrets.sealed_otherwise', table: place.table, id, reason: messageOf(error) };
        logger.warn(event, 'secrets cannot be opened');
      }
    }
  }
  if (resealed > 0) logger.info({ event: 'secrets.resealed', count: resealed }, 'secrets sealed with the first key');
  return { resealed, left };
}

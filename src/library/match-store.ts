import { sql } from 'kysely';

/**
 * The stadium of a match `m`: its own, or where its home club played on the day of the kick-off (UTC); of several, the one
 * that the club moved to last.
 */
export const stadiumOfMatch = sql`COALESCE(m.stadium_id, (
  SELECT r.to_id FROM tag_relation r
  WHERE r.from_id = m.home_id AND r.kind = 'club_stadium' AND m.kick_off IS NOT NULL
    AND (r.valid_from IS NULL OR r.valid_from <= (m.kick_off AT TIME ZONE 'UTC')::date)
    AND (r.valid_to IS NULL OR r.valid_to >= (m.kick_off AT TIME ZONE 'UTC')::date)
  ORDER BY r.valid_from DESC NULLS LAST, r.id DESC LIMIT 1))`;

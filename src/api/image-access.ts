/**
 * What every image request asks of the database, in memory: the rules of its organization, and a small record of each asset.
 *
 * Both follow the change feed. Writes of this process are applied before their caller goes on, so that what was revoked here is
 * gone at once; those of other nodes are found by `freshness`, within about a second. A request asks the database for nothing
 * but records that are not here.
 *
 * While the database does not answer, what is in memory goes on being used, for a day at most, and the database is tried
 * once a second beside the requests.
 */
import { scopeOf } from '../auth/index.ts';
import { AppError, createSingleFlight, DAY_MS, type Logger, messageOf, SECOND_MS } from '../base/index.ts';
import { type Database, isConnectionError } from '../db/index.ts';
import {
  type Change,
  findAsset,
  type ImageMode,
  type ImageRules,
  onLibraryWritten,
  type Organization,
  type Organizations,
  readChanges,
  readImageRules,
} from '../library/index.ts';
import { type Freshness, withinTime } from '../search/index.ts';
import { type ImageRecord, toImageRecord } from './image-record.ts';

/** An organization, and what its image mode says about the URLs that are made for it. */
export type Publisher = Organization & { readonly imageMode: ImageMode };

/** Organizations with what decides their URLs. */
export type Publishers = {
  /** Undefined when there is no such organization. @throws AppError `unavailable` */
  find(organizationId: number): Promise<Publisher | undefined>;
};

export type ImageAccess = Publishers & {
  /** @throws AppError `unavailable` */
  rules(organizationId: number): Promise<ImageRules>;
  /**
   * Undefined for an asset that is not there or in the bin. `isCurrent` is false while the database does not answer: the
   * record may have been revoked on another node since.
   * @throws AppError `unavailable` for a record that is not in memory then
   */
  record(
    organizationId: number,
    mediaId: number,
  ): Promise<{ readonly record: ImageRecord | undefined; readonly isCurrent: boolean }>;
  close(): void;
};

/** At about 1 KiB each: 20 MB. */
const MAX_RECORDS = 20_000;
/** More changes than this at once, and all is read anew. */
const CHANGES_AT_ONCE = 2000;
/** A database that is only slow gets its time; one that says nothing is found out before clients give up. */
const READ_LIMIT_MS = 4 * SECOND_MS;
const RETRY_MS = SECOND_MS;
const TRUST_MS = DAY_MS;

/** What is known of one organization. */
type Entry = {
  readonly id: number;
  version: number;
  epoch: number;
  /** Changes with everything that is dropped: what was read before may be of the past. */
  generation: number;
  rules: ImageRules | undefined;
  /** When it was last known to be as the database says. */
  currentAtMs: number;
  awaySinceMs: number | undefined;
  triedAtMs: number;
};

const away = (cause?: unknown) =>
  new AppError('unavailable', 'The database does not answer, and this is not in memory; try again in a moment.', {
    cause,
    retryAfterSeconds: 2,
  });

const isAway = (error: unknown) =>
  isConnectionError(error) || (error instanceof AppError && error.code === 'unavailable');

const changesRules = (type: Change['type']) => type.startsWith('image_') || type.startsWith('watermark.');
/** Faces lose or change the player that they are linked to. */
const changesFaces = (type: Change['type']) => type === 'tag_option.merged' || type === 'tag_option.deleted';

export function createImageAccess(options: {
  readonly db: Database;
  readonly freshness: Freshness;
  readonly organizations: Organizations;
  readonly logger: Logger;
  /** Told of every change that may concern cached pictures. Must not throw. */
  readonly onChanges?: (organizationId: number, changes: readonly Change[]) => void;
  /** Monotonic; default `performance.now`. */
  readonly nowMs?: () => number;
}): ImageAccess {
  const { db, freshness, organizations, logger, onChanges, nowMs = () => performance.now() } = options;
  const entries = new Map<number, Entry>();
  /** The least recently used first; null for what is not there. */
  const records = new Map<string, ImageRecord | null>();
  const catchUps = createSingleFlight<void>();
  const ruleReads = createSingleFlight<ImageRules>();
  const recordReads = createSingleFlight<ImageRecord | null>();

  const dropRecords = (organizationId: number): void => {
    for (const key of records.keys()) if (key.startsWith(`${organizationId}/`)) records.delete(key);
  };
  const dropAll = (entry: Entry): void => {
    entry.rules = undefined;
    entry.generation += 1;
    dropRecords(entry.id);
  };

  const applyChanges = (entry: Entry, changes: readonly Change[]): void => {
    for (const { type, objectId } of changes) {
      if (type.startsWith('media.')) records.delete(`${entry.id}/${objectId}`);
      else if (changesRules(type)) entry.rules = undefined;
      else if (changesFaces(type)) dropRecords(entry.id);
      else continue;
      entry.generation += 1;
    }
  };

  const stopListening = onLibraryWritten(db, (organizationId, version, changes) => {
    const entry = entries.get(organizationId);
    if (entry) {
      applyChanges(entry, changes);
      if (entry.version === version - changes.length) entry.version = version;
    }
    onChanges?.(organizationId, changes);
  });

  /** Applies what other nodes wrote. */
  const catchUp = async (entry: Entry, target: number): Promise<void> => {
    const after = entry.version;
    const changes = await readChanges(db, scopeOf(entry.id), { after, limit: CHANGES_AT_ONCE });
    const [first] = changes;
    // Changes are kept for 30 days; an organization that nobody asked for may be further behind.
    const hasGap = first !== undefined && first.version !== after + 1;
    if (changes.length === CHANGES_AT_ONCE || hasGap) {
      dropAll(entry);
      entry.version = Math.max(entry.version, target);
      return;
    }
    applyChanges(entry, changes);
    entry.version = Math.max(entry.version, target, changes.at(-1)?.version ?? 0);
    onChanges?.(entry.id, changes);
  };

  /** @param atLeast a version that the database never gave out asks it for its newest */
  const follow = async (entry: Entry, atLeast = 0): Promise<void> => {
    const scope = scopeOf(entry.id);
    const startedMs = nowMs();
    const target = await freshness.target(scope, { version: atLeast });
    const epoch = freshness.epoch(entry.id);
    if (epoch !== entry.epoch) {
      dropAll(entry);
      Object.assign(entry, { epoch, version: target });
    }
    // A flight that is joined may be on its way to an older version.
    while (target > entry.version) {
      const caughtUp = catchUps.run(String(entry.id), () => catchUp(entry, target));
      await withinTime(caughtUp, { limitMs: READ_LIMIT_MS });
    }
    entry.currentAtMs = startedMs;
  };

  const goAway = (entry: Entry, error: unknown): void => {
    if (entry.awaySinceMs !== undefined) return;
    entry.awaySinceMs = entry.triedAtMs = nowMs();
    logger.warn({ event: 'image_access.from_memory', organizationId: entry.id, reason: messageOf(error) });
  };

  const tryAgain = (entry: Entry): void => {
    if (nowMs() - entry.triedAtMs < RETRY_MS) return;
    entry.triedAtMs = nowMs();
    follow(entry, Number.MAX_SAFE_INTEGER)
      .then(() => {
        entry.awaySinceMs = undefined;
        return logger.info({ event: 'image_access.recovered', organizationId: entry.id });
      })
      .catch(() => {
        // Still away; said once.
        entry.triedAtMs = nowMs();
      });
  };

  const opened = async (organizationId: number): Promise<Entry> => {
    const present = entries.get(organizationId);
    if (present) return present;
    const version = await freshness.target(scopeOf(organizationId));
    const made = entries.get(organizationId) ?? {
      id: organizationId,
      version,
      epoch: freshness.epoch(organizationId),
      generation: 0,
      rules: undefined,
      currentAtMs: nowMs(),
      awaySinceMs: undefined,
      triedAtMs: 0,
    };
    entries.set(organizationId, made);
    return made;
  };

  /** The organization's entry, as new as it can be had. */
  const current = async (organizationId: number): Promise<Entry> => {
    const entry = await opened(organizationId);
    if (entry.awaySinceMs === undefined) {
      try {
        await follow(entry);
        return entry;
      } catch (error) {
        if (!isAway(error)) throw error;
        goAway(entry, error);
      }
    } else tryAgain(entry);
    if (nowMs() - entry.currentAtMs > TRUST_MS) throw away();
    return entry;
  };

  /** What is not in memory, read and kept unless it was changed meanwhile. */
  const read = async <T>(entry: Entry, work: () => Promise<T>, keep: (value: T) => void): Promise<T> => {
    if (entry.awaySinceMs !== undefined) throw away();
    const { generation } = entry;
    try {
      const value = await withinTime(work(), { limitMs: READ_LIMIT_MS });
      if (entry.generation === generation) keep(value);
      return value;
    } catch (error) {
      if (!isAway(error)) throw error;
      goAway(entry, error);
      throw away(error);
    }
  };

  const keepRecord = (key: string, record: ImageRecord | null): void => {
    records.delete(key);
    records.set(key, record);
    for (const oldest of records.keys()) {
      if (records.size <= MAX_RECORDS) break;
      records.delete(oldest);
    }
  };

  const rules: ImageAccess['rules'] = async (organizationId) => {
    const entry = await current(organizationId);
    if (entry.rules) return entry.rules;
    // Of this generation only: a read that began before a change is not joined after it.
    const flight = `${organizationId} ${entry.generation}`;
    return read(
      entry,
      () => ruleReads.run(flight, () => readImageRules(db, scopeOf(organizationId))),
      (found) => {
        entry.rules = found;
      },
    );
  };

  return {
    rules,
    async find(organizationId) {
      const organization = await organizations.find(organizationId);
      return organization && { ...organization, imageMode: (await rules(organizationId)).mode };
    },
    async record(organizationId, mediaId) {
      const entry = await current(organizationId);
      const isCurrent = entry.awaySinceMs === undefined;
      const key = `${organizationId}/${mediaId}`;
      const known = records.get(key);
      if (known !== undefined) {
        keepRecord(key, known);
        return { record: known ?? undefined, isCurrent };
      }
      const load = async (): Promise<ImageRecord | null> => {
        const asset = await findAsset(db, scopeOf(organizationId), mediaId);
        return asset && asset.status !== 'deleted' ? toImageRecord(asset, organizationId) : null;
      };
      const flight = `${key} ${entry.generation}`;
      const found = await read(
        entry,
        () => recordReads.run(flight, load),
        (record) => keepRecord(key, record),
      );
      return { record: found ?? undefined, isCurrent };
    },
    close: stopListening,
  };
}

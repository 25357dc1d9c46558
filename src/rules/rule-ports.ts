import type { LibraryScope } from '../auth/index.ts';
import type { Queryable } from '../db/index.ts';
import type { LibraryWrite } from '../library/index.ts';
import type { RuleStep, StepDelivery } from './rule-types.ts';

/** What rules ask of the parts beside them; `rule-tools.ts` satisfies it. */
export type RuleTools = {
  readonly judge: RuleJudge;
  readonly deliveries: RuleDeliveries;
  readonly webhooks: RuleWebhooks;
  readonly clips: RuleClips;
};

type Filter = Readonly<Record<string, unknown>>;
export type JudgeOptions = {
  /** Sees the library at this version or a later one. */
  readonly version?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly pointer: string;
};

/** Says of assets and actions which a filter finds. */
export type RuleJudge = {
  /** @throws AppError as a search of the filter does */
  assets(
    scope: LibraryScope,
    asked: { readonly filter: Filter; readonly mediaIds: readonly number[] },
    options: JudgeOptions,
  ): Promise<ReadonlySet<number>>;
  /** The filter's own `action` is asked of each action alone. @throws AppError as a search of the filter does */
  actions(
    scope: LibraryScope,
    asked: { readonly filter: Filter; readonly actionIds: readonly number[] },
    options: JudgeOptions,
  ): Promise<ReadonlySet<number>>;
};

type Deliver = Extract<RuleStep, { do: 'deliver' }>;

export type RuleDeliveries = {
  /** @throws AppError that names the member below `pointer` */
  check(db: Queryable, scope: LibraryScope, asked: { readonly step: Deliver; readonly pointer: string }): Promise<void>;
  /**
   * Queues the files of these assets in the write, by asset. What has been delivered before is answered as skipped with the
   * code `duplicate`. @throws AppError `not_found` for the destination, `capability_missing`
   */
  queue(
    write: LibraryWrite,
    asked: {
      readonly step: Deliver;
      readonly mediaIds: readonly number[];
      readonly clipIds?: readonly number[] | undefined;
      readonly ruleId: number;
      /** Names these runs of the step. */
      readonly run: string;
      readonly createdBy: string;
    },
  ): Promise<ReadonlyMap<number, readonly StepDelivery[]>>;
};

export type RuleWebhooks = {
  /** @throws AppError that names the member at `pointer` */
  check(
    db: Queryable,
    scope: LibraryScope,
    asked: { readonly webhookId: number; readonly pointer: string },
  ): Promise<void>;
};

type Clip = Extract<RuleStep, { do: 'clip' }>;
export type RuleClips = {
  /** Queues the clip of an action in the write; answers its ID. @throws AppError where the action cannot be cut */
  make(
    write: LibraryWrite,
    asked: { readonly step: Clip; readonly actionId: number; readonly createdBy: string },
  ): Promise<number>;
};

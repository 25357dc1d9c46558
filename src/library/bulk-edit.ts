import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../base/index.ts';
import type { Asset, Usage } from './asset-types.ts';
import { mergeDetails } from './merge-details.ts';

/** What is done to each asset of a bulk edit. Plain JSON: a queued operation keeps it. Times are RFC 3339. */
export type BulkEdit = {
  readonly set?: {
    readonly usage?: Usage | undefined;
    readonly usageAt?: string | null | undefined;
    readonly rating?: number | null | undefined;
    readonly capturedAt?: string | null | undefined;
    readonly status?: 'ready' | 'archived' | undefined;
    /** JSON Merge Patch. */
    readonly details?: Readonly<Record<string, unknown>> | undefined;
    readonly collections?: readonly number[] | undefined;
  };
  readonly tags?: { readonly add: readonly number[]; readonly remove: readonly number[] };
  readonly collections?: { readonly add: readonly number[]; readonly remove: readonly number[] };
  /** Into the bin, or out of it; nothing else beside. */
  readonly bin?: 'delete' | 'restore';
};

export type BulkFailure = { readonly code: ErrorCode; readonly detail: string };
export type BulkResult = {
  readonly id: number;
  readonly status: 'updated' | 'unchanged' | 'failed';
  readonly error?: BulkFailure;
};

/** The values that an asset gets; times as RFC 3339. */
export type BulkValues = {
  readonly usage: Usage;
  readonly usageAt: string | null;
  readonly rating: number | null;
  readonly capturedAt: string | null;
  readonly status: Asset['status'];
  readonly details: Readonly<Record<string, unknown>>;
  readonly collections: readonly number[];
};

/** What an edit comes to for one asset: new values where any differ, tags to put on and to take off. */
export type BulkPlan =
  | { readonly failure: BulkFailure }
  | {
      readonly failure?: undefined;
      readonly values: BulkValues | undefined;
      readonly detailsChange: boolean;
      readonly add: readonly number[];
      readonly remove: readonly number[];
    };

const timeText = (time: Date | null): string | null => time?.toISOString() ?? null;
const instant = (text: string | null): string | null => (text === null ? null : new Date(text).toISOString());

function valuesOf(asset: Asset): BulkValues {
  const { usage, rating, status, details } = asset;
  const times = { usageAt: timeText(asset.usageAt), capturedAt: timeText(asset.capturedAt) };
  return { usage, rating, status, details, ...times, collections: asset.collectionIds };
}

function collectionsAfter(present: readonly number[], edit: BulkEdit): readonly number[] {
  const { add = [], remove = [] } = edit.collections ?? {};
  const base = edit.set?.collections ?? present;
  const after = [...new Set([...base.filter((id) => !remove.includes(id)), ...add])];
  // The order of a membership means nothing.
  return new Set([...after, ...present]).size === present.length && after.length === present.length ? present : after;
}

function valuesAfter(before: BulkValues, edit: BulkEdit): BulkValues {
  const { set = {} } = edit;
  return {
    usage: set.usage ?? before.usage,
    usageAt: set.usageAt === undefined ? before.usageAt : instant(set.usageAt),
    rating: set.rating === undefined ? before.rating : set.rating,
    capturedAt: set.capturedAt === undefined ? before.capturedAt : instant(set.capturedAt),
    status: set.status ?? before.status,
    details: set.details === undefined ? before.details : mergeDetails(before.details, set.details),
    collections: collectionsAfter(before.collections, edit),
  };
}

/** Judges an edit for one asset, which is not in the bin. `edit` names tag options that exist and are not merged. */
export function planBulkEdit(asset: Asset, edit: BulkEdit): BulkPlan {
  const before = valuesOf(asset);
  const after = valuesAfter(before, edit);
  if (edit.set?.status !== undefined && before.status !== 'ready' && before.status !== 'archived') {
    const detail = `Asset ${asset.id} is ${before.status}: only a ready asset can be archived.`;
    return { failure: { code: 'state_conflict', detail } };
  }
  const asksForUsage = edit.set?.usage !== undefined || edit.set?.usageAt !== undefined;
  if (asksForUsage && (after.usage === 'embargoed' || after.usage === 'expired') && after.usageAt === null) {
    const until = after.usage === 'embargoed' ? 'embargoed until' : 'expired after';
    return {
      failure: {
        code: 'validation_failed',
        detail: `/set/usage_at: expected the time the asset is ${until}, received none`,
      },
    };
  }
  const sources = new Map(asset.tags.map((tag) => [tag.id, tag.source]));
  const remove = (edit.tags?.remove ?? []).filter((id) => sources.has(id) && sources.get(id) !== 'implied');
  return {
    values: isDeepStrictEqual(before, after) ? undefined : after,
    detailsChange: !isDeepStrictEqual(before.details, after.details),
    add: (edit.tags?.add ?? []).filter((id) => sources.get(id) !== 'manual'),
    remove,
  };
}

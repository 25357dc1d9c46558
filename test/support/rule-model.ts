/** What rules do, written from their contract alone: one asset, one event, one rule at a time. */
export type ModelStep =
  | { readonly do: 'add_tags' | 'remove_tags'; readonly tag: number }
  | { readonly do: 'set_usage'; readonly usage: 'raw' | 'approved' };
export type ModelFilter = {
  readonly rating?: number;
  readonly has?: number;
  readonly lacks?: number;
  readonly usage?: string;
};
export type ModelEvent = 'media.created' | 'media.updated' | 'media.tags_changed';
export type ModelRule = {
  readonly id: number;
  enabled: boolean;
  on: readonly ModelEvent[];
  filter: ModelFilter;
  steps: readonly ModelStep[];
};
export type ModelRun = {
  readonly rule: number;
  readonly media: number;
  readonly event: ModelEvent;
  readonly depth: number;
  readonly state: string;
  readonly steps: readonly string[];
};

type Asset = { readonly id: number; rating: number; usage: string; readonly tags: Set<number> };
type Event = { readonly type: ModelEvent; readonly depth: number; readonly by: number | undefined };

const MAX_DEPTH = 5;

export type RuleModel = {
  readonly rules: ModelRule[];
  readonly runs: ModelRun[];
  readonly assets: Map<number, Asset>;
  /** Something happened to an asset; everything that follows from it. */
  change(media: number, edit: (asset: Asset) => readonly ModelEvent[]): void;
};

function meets(asset: Asset, { rating, has, lacks, usage }: ModelFilter): boolean {
  if (rating !== undefined && asset.rating !== rating) return false;
  if (has !== undefined && !asset.tags.has(has)) return false;
  if (lacks !== undefined && asset.tags.has(lacks)) return false;
  return usage === undefined || asset.usage === usage;
}

/** The event that a step leads to, if it changes anything. */
function doStep(asset: Asset, step: ModelStep): ModelEvent | undefined {
  if (step.do === 'set_usage') {
    if (asset.usage === step.usage) return undefined;
    asset.usage = step.usage;
    return 'media.updated';
  }
  const adds = step.do === 'add_tags';
  if (asset.tags.has(step.tag) === adds) return undefined;
  if (adds) asset.tags.add(step.tag);
  else asset.tags.delete(step.tag);
  return 'media.tags_changed';
}

export function createRuleModel(): RuleModel {
  const rules: ModelRule[] = [];
  const runs: ModelRun[] = [];
  const assets = new Map<number, Asset>();

  const follow = (asset: Asset, given: readonly Event[]): void => {
    const queue = [...given];
    for (let event = queue.shift(); event; event = queue.shift()) {
      const { type, depth, by } = event;
      const matching = rules.filter(
        (rule) => rule.enabled && rule.id !== by && rule.on.includes(type) && meets(asset, rule.filter),
      );
      for (const rule of matching) {
        const base = { rule: rule.id, media: asset.id, event: type, depth };
        if (depth >= MAX_DEPTH) {
          runs.push({ ...base, state: 'failed', steps: [] });
          continue;
        }
        const steps = rule.steps.map((step) => {
          const caused = doStep(asset, step);
          if (caused) queue.push({ type: caused, depth: depth + 1, by: rule.id });
          return caused ? 'done' : 'unchanged';
        });
        runs.push({ ...base, state: 'succeeded', steps });
      }
    }
  };

  return {
    rules,
    runs,
    assets,
    change(media, edit) {
      const asset = assets.get(media) ?? { id: media, rating: 0, usage: 'approved', tags: new Set<number>() };
      assets.set(media, asset);
      follow(
        asset,
        edit(asset).map((type) => ({ type, depth: 0, by: undefined })),
      );
    },
  };
}

import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startApp, type TestApp } from '../support/app.ts';
import {
  createRuleModel,
  type ModelEvent,
  type ModelFilter,
  type ModelStep,
  type RuleModel,
} from '../support/rule-model.ts';
import { insertAssets } from '../support/search-library.ts';

const SLOW = { timeout: 30_000, interval: 15 } as const;
let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

/** A rule by numbers that stand for tag options; so that it can be drawn before they are there. */
type DrawnRule = {
  readonly on: readonly ModelEvent[];
  readonly filter: ModelFilter;
  readonly steps: readonly ModelStep[];
};
type Edit =
  | { readonly kind: 'upload'; readonly count: number }
  | { readonly kind: 'rate'; readonly assets: readonly number[]; readonly rating: number }
  | { readonly kind: 'tag'; readonly asset: number; readonly tag: number; readonly adds: boolean }
  | { readonly kind: 'rule'; readonly rule: DrawnRule }
  | { readonly kind: 'change'; readonly at: number; readonly rule: Partial<DrawnRule> }
  | { readonly kind: 'switch'; readonly at: number }
  | { readonly kind: 'remove'; readonly at: number };

const TAGS = 3;
const tag = fc.nat(TAGS - 1);
const drawnRule: fc.Arbitrary<DrawnRule> = fc.record({
  on: fc.subarray<ModelEvent>(['media.created', 'media.updated', 'media.tags_changed'], { minLength: 1 }),
  filter: fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: fc.record({ rating: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ has: tag }) },
    { weight: 2, arbitrary: fc.record({ lacks: tag }) },
    { weight: 1, arbitrary: fc.record({ lacks: tag, usage: fc.constantFrom('raw', 'approved') }) },
  ),
  steps: fc.array(
    fc.oneof(
      { weight: 2, arbitrary: tag.map((one): ModelStep => ({ do: 'add_tags', tag: one })) },
      { weight: 2, arbitrary: tag.map((one): ModelStep => ({ do: 'remove_tags', tag: one })) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom<'raw' | 'approved'>('raw', 'approved')
          .map((usage): ModelStep => ({ do: 'set_usage', usage })),
      },
    ),
    { minLength: 1, maxLength: 3 },
  ),
});
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('upload' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rate' as const),
      assets: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 }),
      rating: fc.nat(2),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('tag' as const), asset: fc.nat(9), tag, adds: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rule' as const), rule: drawnRule }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('change' as const), at: fc.nat(3), rule: drawnRule }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const), at: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: fc.nat(3) }) },
);

type World = {
  readonly organizationId: number;
  readonly key: string;
  readonly tags: readonly number[];
  readonly model: RuleModel;
  /** IDs of rules that are gone: their runs went with them. */
  readonly removed: Set<number>;
};
let worlds = 0;

async function ask(world: Pick<World, 'key'>, method: string, path: string, body?: object): Promise<Json> {
  const answer = await service.call(method, path, { key: world.key, ...(body && { body }) });
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

async function createWorld(): Promise<World> {
  worlds += 1;
  const organizationId = await service.createOrganization(`world-${worlds}`);
  const key = await service.createKey({ organizationId });
  const tags: number[] = [];
  for (let n = 0; n < TAGS; n += 1) {
    tags.push((await ask({ key }, 'POST', '/v1/tag', { type: 'tag', label: `tag ${n}` }))['tag_option'].id);
  }
  return { organizationId, key, tags, model: createRuleModel(), removed: new Set() };
}

function bodyOf({ tags }: World, rule: Partial<DrawnRule>): object {
  const { on, filter, steps } = rule;
  return {
    ...(on && { on }),
    ...(filter && {
      filter: {
        rating: filter.rating ?? null,
        usage: filter.usage ?? null,
        tag_options: filter.has === undefined ? null : [tags[filter.has]],
        none: filter.lacks === undefined ? null : [{ tag_options: [tags[filter.lacks]] }],
      },
    }),
    ...(steps && {
      then: steps.map((step) => ('tag' in step ? { do: step.do, tag_option_ids: [tags[step.tag]] } : step)),
    }),
  };
}

const withoutNulls = (filter: Json): Json =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));

async function apply(world: World, one: Edit): Promise<void> {
  const { model, organizationId } = world;
  const present = [...model.assets.keys()];
  const rule = 'at' in one ? model.rules[one.at] : undefined;
  switch (one.kind) {
    case 'upload': {
      const rows = Array.from({ length: one.count }, () => ({ rating: 0 }));
      const ids = await insertAssets({ app: service.app, organizationId }, rows);
      for (const id of ids) model.change(id, () => ['media.created']);
      return;
    }
    case 'rate': {
      const ids = one.assets.flatMap((at) => present[at] ?? []);
      if (ids.length === 0) return;
      await ask(world, 'POST', '/v1/media/bulk', { ids, set: { rating: one.rating } });
      for (const id of ids) {
        model.change(id, (asset) => {
          if (asset.rating === one.rating) return [];
          asset.rating = one.rating;
          return ['media.updated'];
        });
      }
      return;
    }
    case 'tag': {
      const id = present[one.asset];
      if (id === undefined) return;
      await ask(world, 'POST', `/v1/media/${id}/tag`, { [one.adds ? 'add' : 'remove']: [world.tags[one.tag]] });
      model.change(id, ({ tags }) => {
        if (tags.has(one.tag) === one.adds) return [];
        if (one.adds) tags.add(one.tag);
        else tags.delete(one.tag);
        return ['media.tags_changed'];
      });
      return;
    }
    case 'rule': {
      if (model.rules.length >= 4) return;
      const { filter, ...body } = bodyOf(world, one.rule) as Json;
      const sent = { ...body, name: `rule ${model.rules.length}`, filter: withoutNulls(filter) };
      const made = (await ask(world, 'POST', '/v1/rule', sent))['rule'];
      model.rules.push({ id: made.id, enabled: true, ...one.rule });
      return;
    }
    case 'change':
      if (!rule) return;
      await ask(world, 'PATCH', `/v1/rule/${rule.id}`, bodyOf(world, one.rule));
      Object.assign(rule, one.rule);
      return;
    case 'switch':
      if (!rule) return;
      await ask(world, 'PATCH', `/v1/rule/${rule.id}`, { enabled: !rule.enabled });
      rule.enabled = !rule.enabled;
      return;
    case 'remove':
      if (!rule) return;
      await service.call('DELETE', `/v1/rule/${rule.id}`, { key: world.key });
      world.removed.add(rule.id);
      model.rules.splice(one.at, 1);
  }
}

/** Everything that has happened was followed, and what came of it too. */
async function settle({ organizationId, model }: World): Promise<void> {
  if (!model.rules.some((rule) => rule.enabled)) return;
  const left = async () => {
    const found = await sql<{ n: number }>`SELECT count(*)::int AS n FROM change c
      JOIN rule_position p ON p.organization_id = c.organization_id
      WHERE c.organization_id = ${organizationId} AND c.version > p.version AND c.type LIKE 'media.%'`.execute(
      service.app.installation.db,
    );
    return found.rows[0]?.n;
  };
  await expect.poll(left, SLOW).toBe(0);
}

const sorted = (runs: readonly object[]): readonly string[] => runs.map((run) => JSON.stringify(run)).toSorted();

async function compare(world: World): Promise<void> {
  const { model, removed, tags } = world;
  const expected = model.runs.filter((run) => !removed.has(run.rule));
  const actual: object[] = [];
  for (const { id } of model.rules) {
    const { runs } = await ask(world, 'GET', `/v1/rule/${id}/run?limit=200`);
    for (const run of runs as Json[]) {
      const steps = run['steps'].map((step: Json) => step['status']);
      const { media_id: media, depth, state } = run;
      actual.push({ rule: id, media, event: run['event'].type, depth, state, steps });
    }
  }
  expect(sorted(actual)).toEqual(sorted(expected));
  for (const [id, asset] of model.assets) {
    const { media } = await ask(world, 'GET', `/v1/media/${id}`);
    const present = media.tag_options.map((one: Json) => tags.indexOf(one['id']));
    expect({ usage: media.usage, tags: present.toSorted((a: number, b: number) => a - b) }).toEqual({
      usage: asset.usage,
      tags: [...asset.tags].toSorted((a, b) => a - b),
    });
  }
}

test('rules run exactly on the changes that a simple model says, whatever is uploaded, edited and switched', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      drawnRule,
      drawnRule,
      fc.array(edit, { minLength: 10, maxLength: 22 }),
      async (one, two, edits) => {
        const world = await createWorld();
        for (const rule of [one, two]) await apply(world, { kind: 'rule', rule });
        await apply(world, { kind: 'upload', count: 3 });
        await settle(world);
        for (const given of edits) {
          await apply(world, given);
          await settle(world);
        }
        await compare(world);
        runs += world.model.runs.length;
      },
    ),
    { numRuns: 12 },
  );
  expect(runs).toBeGreaterThan(50);
}, 300_000);

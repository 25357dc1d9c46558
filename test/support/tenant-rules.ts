import { type Attempt, own, refused } from './tenant-attempts.ts';
import type { TestLibrary } from './tenants.ts';

/** What one organization asks of the rules of another. `filters` name objects of the owner. */
export function ruleRecipes({
  owner,
  stranger,
  filters,
}: {
  readonly owner: TestLibrary;
  readonly stranger: TestLibrary;
  readonly filters: readonly Attempt[];
}): Readonly<Record<string, readonly Attempt[]>> {
  const foreign = `/v1/rule/${owner.rule}`;
  const mine = `/v1/rule/${stranger.rule}`;
  const created = { name: 'mine', on: ['media.ready'], then: [{ do: 'set_usage', usage: 'raw' }] };
  const steps = (step: object) => ({ ...created, then: [step] });
  const filtered = filters.map(({ body, outcome }) => ({
    path: '/v1/rule',
    body: { ...created, enabled: false, filter: body ?? {} },
    outcome,
  }));
  return {
    'GET /v1/rule': [
      own('/v1/rule?limit=200'),
      refused(`/v1/rule?cursor=${owner.cursors['/v1/rule']}`, 'cursor_invalid'),
    ],
    'POST /v1/rule': [
      own('/v1/rule', created),
      ...filtered,
      refused('/v1/rule', 'validation_failed', steps({ do: 'deliver', destination_id: owner.destination })),
      refused('/v1/rule', 'validation_failed', steps({ do: 'webhook', webhook_id: owner.webhook })),
      refused('/v1/rule', 'unknown_tag_option', steps({ do: 'add_tags', tag_option_ids: [owner.tags.tag] })),
      refused('/v1/rule', 'unknown_tag_option', steps({ do: 'remove_tags', tag_option_ids: [owner.tags.player] })),
    ],
    'GET /v1/rule/{id}': [refused(foreign, 'not_found')],
    'PATCH /v1/rule/{id}': [
      refused(foreign, 'not_found', { name: 'changed' }),
      refused(mine, 'unknown_tag_option', { filter: { player: owner.tags.player } }),
    ],
    'DELETE /v1/rule/{id}': [refused(foreign, 'not_found')],
    'GET /v1/rule/{id}/run': [
      refused(`${foreign}/run`, 'not_found'),
      own(`${mine}/run?media=${owner.otherMedia['id']}`),
      refused(`${mine}/run?cursor=${owner.cursors['runs']}`, 'cursor_invalid'),
    ],
    'POST /v1/rule/dry_run': [
      ...filters.map(({ body, outcome }) => ({
        path: '/v1/rule/dry_run',
        body: { on: created.on, then: created.then, filter: body ?? {} },
        outcome,
      })),
      own('/v1/rule/dry_run', { on: created.on, then: created.then, media_ids: [owner.media['id']] }),
      own('/v1/rule/dry_run', { on: created.on, then: created.then, after: 0 }),
      refused('/v1/rule/dry_run', 'validation_failed', {
        on: created.on,
        then: [{ do: 'deliver', destination_id: owner.destination }],
      }),
    ],
    'POST /v1/rule/{id}/dry_run': [
      refused(`${foreign}/dry_run`, 'not_found', {}),
      own(`${mine}/dry_run`, { media_ids: [owner.media['id'], owner.otherMedia['id']] }),
      own(`${mine}/dry_run`, { after: 0 }),
    ],
  };
}

import { askForAction } from './api/index.ts';
import { type Clock, invalidField } from './base/index.ts';
import { type Deliveries, findDestination, type PlannedDelivery, queueDeliveries } from './delivery/index.ts';
import type { Jobs } from './jobs/index.ts';
import { insertClip } from './library/index.ts';
import type { RuleClips, RuleDeliveries, RuleTools, RuleWebhooks, StepDelivery } from './rules/index.ts';
import type { FilterJudge } from './search/index.ts';
import { findWebhook } from './webhooks/index.ts';

/** Satisfies what rules ask of searches, deliveries, webhooks and clips. */
export function createRuleTools(deps: {
  readonly judge: FilterJudge;
  readonly deliveries: Deliveries;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
}): RuleTools {
  return { judge: deps.judge, deliveries: ruleDeliveries(deps), webhooks: RULE_WEBHOOKS, clips: ruleClips(deps) };
}

function stepDelivery(one: PlannedDelivery): StepDelivery {
  const { id, state, path, errorCode: code, errorReason: reason } = one;
  const failure = code === null ? null : { code, reason: reason ?? code };
  return { id, quality: one.quality, state, path, failure };
}

function ruleDeliveries(deps: {
  readonly deliveries: Deliveries;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
}): RuleDeliveries {
  const { deliveries, jobs, clock } = deps;
  const { channels, pictures } = deliveries;
  return {
    async check(db, scope, { step, pointer }) {
      const { destination_id: id, rendition, qualities } = step;
      const destination = await findDestination(db, scope, id);
      if (!destination) {
        const detail = `expected the ID of a destination, received unknown ${id}`;
        throw invalidField(`${pointer}/destination_id`, detail);
      }
      if (rendition && qualities) {
        throw invalidField(`${pointer}/rendition`, 'expected either qualities or rendition, received both');
      }
      if (rendition) await pictures.check(scope, rendition.params);
    },
    async queue(write, asked) {
      const { step, mediaIds, clipIds, createdBy } = asked;
      const { planned } = await queueDeliveries({ channels, pictures, jobs, clock }, write, {
        destinationId: step.destination_id,
        mediaIds: clipIds ? [] : mediaIds,
        clipIds,
        qualities: step.qualities,
        rendition: step.rendition,
        // As somebody would who may not deliver what is not free for use.
        includeRestricted: false,
        again: false,
        createdBy,
        cause: { ruleId: asked.ruleId, run: asked.run },
      });
      const byMedia = new Map<number, StepDelivery[]>();
      for (const one of planned) byMedia.set(one.mediaId, [...(byMedia.get(one.mediaId) ?? []), stepDelivery(one)]);
      return byMedia;
    },
  };
}

const RULE_WEBHOOKS: RuleWebhooks = {
  async check(db, scope, { webhookId, pointer }) {
    if (await findWebhook(db, scope, webhookId)) return;
    throw invalidField(pointer, `expected the ID of a webhook, received unknown ${webhookId}`);
  },
};

function ruleClips({ jobs }: { readonly jobs: Pick<Jobs, 'enqueue'> }): RuleClips {
  return {
    async make({ tx, scope }, { step, actionId, createdBy }) {
      const { lead_ms: lead, lag_ms: lag, aspect, height } = step;
      const asked = await askForAction({ db: tx }, scope, {
        id: actionId,
        ...(lead !== undefined && { lead_ms: lead }),
        ...(lag !== undefined && { lag_ms: lag }),
        ...(aspect && { aspect }),
        ...(height !== undefined && { height }),
      });
      const clip = await insertClip(tx, scope, { ...asked, createdBy });
      await jobs.enqueue(tx, 'clip.make', { organizationId: scope.organizationId, clipId: clip.id });
      return clip.id;
    },
  };
}

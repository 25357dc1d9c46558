export {
  countPending as countPendingMessages,
  findMessage,
  listMessages,
  replayEvents,
  replayMessage,
} from './message-store.ts';
export {
  countWebhooks,
  deleteWebhook,
  disableWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './webhook-store.ts';
export { messageIdOf, payloadOf } from './webhook-sender.ts';
export { typesOf as webhookEventTypes } from './webhook-runner.ts';
export {
  DISABLED_REASONS,
  MESSAGE_STATES,
  type Webhook,
  WEBHOOK_STATUSES,
  type WebhookFields,
  type WebhookMessage,
} from './webhook-types.ts';
export { createWebhooks, type Webhooks } from './webhooks.ts';

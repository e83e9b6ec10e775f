/**
 * Webhooks: `createSender()` sends those that a contract declares, `standardWebhooks()` signs and verifies them, and
 * `webhookEvents()` is the schema of a receiver.
 *
 * @module
 */
export { createSender, type Sender, type SenderOptions, type SendWebhook, type WebhookMessage } from "./sender.ts";
export {
  type HeaderSource,
  standardWebhookHeaders,
  type StandardWebhooks,
  standardWebhooks,
  type StandardWebhooksOptions,
  type VerifiedWebhook,
} from "./standard_webhooks.ts";
export { type WebhookEvent, webhookEvents } from "./events.ts";
export { isPublicUrl } from "./public_url.ts";

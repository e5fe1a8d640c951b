// The entry for ES modules of what a receiver needs: the same classes as those that CommonJS gets.
// biome-ignore-all lint/performance/noBarrelFile: the entry of a published package
// biome-ignore-all lint/performance/noReExportAll: types alone, which cost nothing
export type * from './verify-webhook.ts';
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

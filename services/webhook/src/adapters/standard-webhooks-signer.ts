import { Webhook } from 'standardwebhooks';
import type { Sign } from '../ports.ts';

/** Secrets whose decoded form is kept; the oldest goes first. */
const MAX_CACHED = 10_000;

/** Signs with the reference library of Standard Webhooks. */
export function createSigner(): Sign {
  const webhooks = new Map<string, Webhook>();
  return (secret, webhookId, timestampSeconds, body) => {
    let webhook = webhooks.get(secret);
    if (!webhook) {
      webhook = new Webhook(secret);
      if (webhooks.size >= MAX_CACHED) webhooks.delete(webhooks.keys().next().value as string);
      webhooks.set(secret, webhook);
    }
    return webhook.sign(webhookId, new Date(timestampSeconds * 1000), body);
  };
}

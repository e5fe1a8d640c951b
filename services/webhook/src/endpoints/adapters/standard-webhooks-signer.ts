import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Sign } from '../domain/signed-headers.ts';

/** Secrets whose key is kept; the oldest goes first. */
const MAX_CACHED = 10_000;
const PREFIX = 'whsec_';

function keyOf(secret: string): KeyObject {
  const bytes = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  if (bytes.length === 0) throw new Error('A secret for webhooks must hold at least one byte');
  return createSecretKey(bytes);
}

/**
 * Signs by Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`. With the hash of Node, because the one in JavaScript that
 * the reference library brings is several times the work; a test holds this against the library.
 */
export function createSigner(): Sign {
  const keys = new Map<string, KeyObject>();
  return (secret, webhookId, timestampSeconds, body) => {
    let key = keys.get(secret);
    if (!key) {
      key = keyOf(secret);
      if (keys.size >= MAX_CACHED) keys.delete(keys.keys().next().value as string);
      keys.set(secret, key);
    }
    return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestampSeconds}.${body}`).digest('base64')}`;
  };
}

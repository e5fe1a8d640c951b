import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const USER_AGENT = 'Parcelway-Webhooks/1 (+https://www.standardwebhooks.com)';

/**
 * Signs by Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`. With the hash of Node, because the one in JavaScript that
 * the reference library brings is several times the work; a test holds this against the library.
 * @returns `v1,` and base64
 */
export function sign(secret: string, webhookId: string, timestampSeconds: number, body: string): string {
  const key = Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
  if (key.length === 0) throw new Error('A secret for webhooks must hold at least one byte');
  return `v1,${createHmac('sha256', key).update(`${webhookId}.${timestampSeconds}.${body}`).digest('base64')}`;
}

export interface SignedHeadersOptions {
  readonly eventId: string;
  readonly body: string;
  readonly secrets: readonly string[];
  /** Custom headers. Their names differ from those that are set here. */
  readonly extra: Readonly<Record<string, string>>;
}

/** Headers of one attempt, signed for this second (Standard Webhooks 1.0, one signature per valid secret). */
export function signedHeaders({ eventId, body, secrets, extra }: SignedHeadersOptions, now: number): Record<string, string> {
  const seconds = Math.floor(now / 1000);
  return {
    ...extra,
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => sign(secret, eventId, seconds, body)).join(' '),
  };
}

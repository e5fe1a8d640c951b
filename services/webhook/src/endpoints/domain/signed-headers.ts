import { createHmac } from 'node:crypto';
import { type Endpoint, timeOfChange } from './endpoint.ts';

const HOUR_MS = 3_600_000;
/** After a rotation the former secret signs too for this long, so that receivers can change over without a gap. */
export const FORMER_SECRET_MS = 24 * HOUR_MS;
/** Bytes of a secret. Standard Webhooks asks for 24 to 64. */
export const SECRET_BYTES = 32;

/** A signing secret in the notation of Standard Webhooks. @param random {@link SECRET_BYTES} random bytes */
export function secretOf(random: Uint8Array): string {
  return `whsec_${Buffer.from(random).toString('base64')}`;
}

/** The secrets that sign at an instant, the current one first. */
export function activeSecrets(endpoint: Endpoint, now: number): readonly string[] {
  const { secret, formerSecret, formerSecretUntil } = endpoint;
  return formerSecret !== null && formerSecretUntil !== null && now < formerSecretUntil ? [secret, formerSecret] : [secret];
}

/**
 * The endpoint with a new secret; the current one becomes the former. A secret that was former before ends now.
 * @param secret one that the endpoint has already changes nothing: the rotation has been made
 * @param endFormer the current one ends now as well
 */
export function rotate(endpoint: Endpoint, secret: string, endFormer: boolean, now: number): Endpoint {
  if (secret === endpoint.secret || secret === endpoint.formerSecret) return endpoint;
  return {
    ...endpoint,
    secret,
    formerSecret: endFormer ? null : endpoint.secret,
    formerSecretUntil: endFormer ? null : now + FORMER_SECRET_MS,
    updatedAt: timeOfChange(endpoint, now),
  };
}

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

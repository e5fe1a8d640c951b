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

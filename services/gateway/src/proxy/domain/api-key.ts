import { hash, timingSafeEqual } from 'node:crypto';
import type { Environment } from '@parcelway/contracts/environment';

/*
 * A key is `pf_test_` or `pf_live_`, 32 random characters of base64url (192 bits), and a checksum over both. The
 * checksum lets a typo, an invention or a key of the other environment be refused without a look-up.
 */

const PREFIXES: Readonly<Record<Environment, string>> = { sandbox: 'pf_test_', production: 'pf_live_' };
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** Random bytes of a secret. */
export const KEY_RANDOM_BYTES = 24;

/** A kind of secret: its prefix, and the label that its checksum also covers. */
export interface SecretKind {
  readonly prefix: string;
  readonly label: string;
}

function checksum(label: string, text: string): string {
  return hash('sha256', `${label}\n${text}`, 'base64url').slice(0, CHECKSUM_LENGTH);
}

/**
 * The text of a new secret.
 * @param random {@link KEY_RANDOM_BYTES} bytes from a cryptographic source
 */
export function composeSecret({ prefix, label }: SecretKind, random: Uint8Array): string {
  if (random.length !== KEY_RANDOM_BYTES) throw new Error(`A key is made of ${KEY_RANDOM_BYTES} random bytes`);
  const text = prefix + Buffer.from(random).toString('base64url');
  return text + checksum(label, text);
}

/** True when a text may be a secret of a kind: right prefix, length, characters and checksum. */
export function isPlausibleSecret({ prefix, label }: SecretKind, text: string): boolean {
  if (!text.startsWith(prefix) || !/^[A-Za-z0-9_-]{38}$/.test(text.slice(prefix.length))) return false;
  const body = text.slice(0, prefix.length + RANDOM_LENGTH);
  return constantTimeEqual(checksum(label, body), text.slice(body.length));
}

const kindOf = (environment: Environment): SecretKind => ({ prefix: PREFIXES[environment], label: 'parcelway-key' });

/** The text of a new key. @param random {@link KEY_RANDOM_BYTES} bytes from a cryptographic source */
export function composeKey(environment: Environment, random: Uint8Array): string {
  return composeSecret(kindOf(environment), random);
}

/** True when `key` may have been issued for `environment`. */
export function isPlausibleKey(environment: Environment, key: string): boolean {
  return isPlausibleSecret(kindOf(environment), key);
}

/** SHA-256 of a key, base64url; the only form in which a key is kept. */
export function hashKey(key: string): string {
  return hash('sha256', key, 'base64url');
}

/** What is shown of a key in lists: prefix and four more characters. */
export function visiblePrefix(key: string): string {
  return key.slice(0, 12);
}

/** Compares two texts in a time that depends on their lengths only. */
export function constantTimeEqual(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

import type { Environ } from '../config.ts';
import { secretVariables } from '../secret-files.ts';

const HIDDEN = '***';
/** Shorter ones would take ordinary words out of a text, and are no secrets anyway. */
const SHORTEST = 4;
/** These may hold a password and are no secret as a whole: what is wrong with a server has its address in it. */
const ADDRESSES: readonly string[] = ['MONGODB_URL', 'REDIS_URL'];

/** These name who asks, and are read from files along with the secrets. A short one is a word, which texts may hold too. */
const IDENTITIES: readonly string[] = ['KAFKA_USERNAME', 'S3_ACCESS_KEY'];
const RANDOM_LENGTH = 16;

/** User and password in an address, as they stand there and decoded. */
function credentialsIn(address: string): string[] {
  const [, userInfo = ''] = /^[a-z+]+:\/\/([^@/]*)@/.exec(address) ?? [];
  const [, password = ''] = /^[^:]*:(.*)$/.exec(userInfo) ?? [];
  try {
    return [userInfo, password, decodeURIComponent(password)];
  } catch {
    return [userInfo, password];
  }
}

/** Every text that must not be shown. */
function secretsIn(env: Environ): string[] {
  const names = [...secretVariables, 'PARCEL_ADMIN_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS'];
  return names.flatMap((name) => {
    const value = env[name] ?? '';
    if (IDENTITIES.includes(name) && value.length < RANDOM_LENGTH) return [];
    return ADDRESSES.includes(name) ? credentialsIn(value) : [value];
  });
}

/**
 * Takes the secrets of an installation out of texts: drivers quote in their errors what they were given.
 * @param env with the secrets already read from files
 * @param more further texts that must not be shown
 */
export function createRedaction(env: Environ, more: readonly string[] = []): (text: string) => string {
  const secrets = [...new Set([...secretsIn(env), ...more])].filter((secret) => secret.length >= SHORTEST);
  // Longest first: one may hold another.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

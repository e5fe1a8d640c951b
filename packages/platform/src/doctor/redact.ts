import type { Environ } from '../config.ts';
import { secretVariables } from '../secret-files.ts';

const HIDDEN = '***';
/** Shorter values are ordinary words and no secrets. */
const SHORTEST = 4;
/** These may contain a password but are not secret as a whole: errors should show the address of a server. */
const ADDRESSES: readonly string[] = ['MONGODB_URL', 'REDIS_URL'];

/** User names, which are read from files like the secrets. A short one may be an ordinary word of a text. */
const IDENTITIES: readonly string[] = ['KAFKA_USERNAME', 'S3_ACCESS_KEY'];
const RANDOM_LENGTH = 16;

/** The user and password in an address, as written and decoded. */
function credentialsIn(address: string): string[] {
  const [, userInfo = ''] = /^[a-z+]+:\/\/([^@/]*)@/.exec(address) ?? [];
  const [, password = ''] = /^[^:]*:(.*)$/.exec(userInfo) ?? [];
  try {
    return [userInfo, password, decodeURIComponent(password)];
  } catch {
    return [userInfo, password];
  }
}

/** The credentials in TRACKING_SOURCES, each by itself; none in a text that is no JSON. */
function credentialsOfSources(sources: string): string[] {
  try {
    const list = JSON.parse(sources) as readonly ({ readonly credentials?: unknown } | null)[];
    return list.flatMap((one) => Object.values(Object(one?.credentials))).filter((value): value is string => typeof value === 'string');
  } catch {
    return [];
  }
}

/** Every text that must not be shown. */
function secretsIn(env: Environ): string[] {
  const names = [...secretVariables, 'PARCEL_ADMIN_TOKEN', 'OTEL_EXPORTER_OTLP_HEADERS'];
  return names.flatMap((name) => {
    const value = env[name] ?? '';
    if (IDENTITIES.includes(name) && value.length < RANDOM_LENGTH) return [];
    if (name === 'TRACKING_SOURCES') return [value, ...credentialsOfSources(value)];
    return ADDRESSES.includes(name) ? credentialsIn(value) : [value];
  });
}

/**
 * Removes the secrets of an installation from texts: drivers quote their options in errors.
 * @param env with the secrets already read from files
 * @param more further texts that must not be shown
 */
export function createRedaction(env: Environ, more: readonly string[] = []): (text: string) => string {
  const secrets = [...new Set([...secretsIn(env), ...more])].filter((secret) => secret.length >= SHORTEST);
  // Longest first: one may contain another.
  secrets.sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

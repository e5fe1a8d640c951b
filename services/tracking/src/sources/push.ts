import { createHash, timingSafeEqual } from 'node:crypto';

/** Headers of a push, by name in lower case. */
export type PushHeaders = Readonly<Record<string, string | undefined>>;

/**
 * True when a push is signed with one of the secrets of its connection; two are valid during a rotation. Takes equally long for every wrong signature.
 * @param body as it came, byte by byte
 */
export type VerifyPush = (body: Uint8Array, headers: PushHeaders, secrets: readonly string[]) => boolean;

/** What a push says of one parcel. */
export interface PushedTrace {
  readonly trackingNumber: string;
  /** The source's own code of the carrier, where it names one that {@link SourcePushes.isOf} needs. */
  readonly carrier?: string | undefined;
  readonly raw: unknown;
}

/**
 * Reads a push whose signature is right.
 * @returns nothing for a push about something else, such as a test
 * @throws Error with the reason when it is no push of this source
 */
export type ParsePush = (body: Uint8Array) => readonly PushedTrace[];

/** Compares two texts in constant time. False for a value that is not text, such as a repeated header. */
function equalInConstantTime(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Parses a body of JSON. @throws Error when it is none */
export function parseJsonBody(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new Error('The push is not JSON in UTF-8');
  }
}

/**
 * True when a text is what one of the secrets makes of a push. The time is the same for every secret. An empty one proves nothing: anybody
 * could use it.
 */
export function isProvedBy(given: unknown, secrets: readonly string[], proofOf: (secret: string) => string): boolean {
  const matches = secrets.filter((secret) => secret !== '').map((secret) => equalInConstantTime(given, proofOf(secret)));
  return matches.includes(true);
}

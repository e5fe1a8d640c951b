import { createHash, timingSafeEqual } from 'node:crypto';

/** Headers of a push, by name in lower case. */
export type PushHeaders = Readonly<Record<string, string | undefined>>;

/** How a vendor proves its pushes. */
export interface PushProof {
  /** Headers that may hold the proof, in lower case. A push has one of them. */
  readonly headers: readonly string[];
  /** The proof that a secret makes; undefined when nothing proves the push. @param body as it came, byte by byte */
  of(secret: string, body: Uint8Array, headers: PushHeaders): string | undefined;
}

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
function equalInConstantTime(given: unknown, expected: string | undefined): boolean {
  if (typeof given !== 'string' || expected === undefined) return false;
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
 * True when one of the secrets proves a push; two are valid during a rotation. The time is the same for every secret. An empty one proves nothing: anybody
 * could use it.
 */
export function isProved({ headers: names, of }: PushProof, body: Uint8Array, headers: PushHeaders, secrets: readonly string[]): boolean {
  const given = names.map((name) => headers[name]).filter((value) => value !== undefined);
  const matches = secrets.filter((secret) => secret !== '').map((secret) => equalInConstantTime(given[0], of(secret, body, headers)));
  return given.length === 1 && matches.includes(true);
}

import type { IncomingMessage } from 'node:http';
import { AppError } from '@parcelway/kernel/app-error';

/** Header by which a client marks the attempts at one request (IETF draft "The Idempotency-Key HTTP Header Field"). */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';

const KEY = /^[\x21-\x7e]{1,64}$/;
/** A string of Structured Fields (RFC 9651, section 3.3.3). */
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key of a request, without quotes; undefined when it has none.
 * @throws AppError 42201 when it is not 1 to 64 visible ASCII characters
 */
export function idempotencyKeyOf(req: IncomingMessage): string | undefined {
  const given = req.headers['idempotency-key'];
  if (given === undefined) return undefined;
  const text = String(given);
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replaceAll(/\\(["\\])/g, '$1') : text;
  if (key !== undefined && KEY.test(key)) return key;
  const message = `${IDEMPOTENCY_KEY_HEADER} must be 1 to 64 visible ASCII characters, with or without double quotes around them`;
  throw AppError.validation([{ field: IDEMPOTENCY_KEY_HEADER, rule: 'pattern', message }]);
}

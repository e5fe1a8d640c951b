import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** Prefixes of the identifiers that leave the platform; each shows what it names. */
export type IdPrefix = 'tnt' | 'key' | 'evt' | 'ep' | 'we' | 'dlv' | 'att' | 'req' | 'res' | 'usr' | 'con' | 'imp' | 'aud' | 'call';

/** Random words drawn at a time: the call costs far more than the words. */
const drawn = new Uint32Array(1024);
let used = drawn.length;

function nextUint32(): number {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  return drawn[used++] as number;
}

const generator = new V7Generator({ nextUint32 });

/** A new time-ordered identifier such as `evt_0192f0c1…` (UUIDv7, RFC 9562, without hyphens). */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${generator.generate().toHex()}`;
}

/** The identifier of what a seed makes: the same for the same prefix and seed. Not ordered by time. */
export function idFromSeed(prefix: IdPrefix, seed: string): string {
  return `${prefix}_${bytesFromSeed(prefix, seed).toString('hex', 0, 16)}`;
}

/** 32 bytes, the same for the same purpose and seed, and unguessable when the seed is. */
export function bytesFromSeed(purpose: string, seed: string): Buffer {
  return createHash('sha256').update(`${purpose} ${seed}`).digest();
}

/** A random token of `bytes` bytes as base64url; 16 bytes or more are unguessable. */
export function newToken(bytes = 16): string {
  return randomBytes(bytes).toString('base64url');
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A new forecast number: `FC`, the UTC date `yyMMdd`, and ten random characters of Crockford's base 32 (50 bits),
 * such as `FC261121K7Q0Z4M2XT`. Readable over the telephone; uniqueness is enforced by the store.
 * @param now epoch milliseconds
 */
export function newForecastNo(now: number): string {
  return forecastNoOf(now, Uint8Array.from({ length: 10 }, nextUint32));
}

const FORECAST_NO = new RegExp(`^FC\\d{6}[${CROCKFORD}]{10}$`);

/** True for a text that has the form of a {@link newForecastNo}. */
export function isForecastNo(text: string): boolean {
  return FORECAST_NO.test(text);
}

/** As {@link newForecastNo}, the same for the same instant and seed: whoever tries again has the same number. */
export function forecastNoFromSeed(at: number, seed: string): string {
  return forecastNoOf(at, bytesFromSeed('forecast_no', seed).subarray(0, 10));
}

function forecastNoOf(now: number, bytes: Uint8Array): string {
  const date = new Date(now).toISOString().slice(2, 10).replaceAll('-', '');
  let text = '';
  for (const byte of bytes) text += CROCKFORD[byte & 31];
  return `FC${date}${text}`;
}

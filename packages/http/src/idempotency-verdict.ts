import { IDEMPOTENCY_KEPT_MS, type IdempotencyRecord, type RecordedResponse } from '@parcelway/kernel/idempotency-store';

/** An attempt expires after so long, which is longer than the gateway waits for any request. */
export const CLAIM_MS = 60_000;

/** What to do with a request whose key is known. */
export type Verdict =
  /** The response exists. */
  | { readonly kind: 'replay'; readonly response: RecordedResponse }
  /** Another attempt is running. */
  | { readonly kind: 'running' }
  /** The key belongs to a request with other content. */
  | { readonly kind: 'other-content' }
  /** The key is taken over; with the seed of the attempts before when it is the same request, so that nothing takes effect twice. */
  | { readonly kind: 'claim'; readonly seed: string | undefined; readonly createdAt: number };

/** Judges a request by the record of its key. @param now epoch milliseconds */
export function judge(known: IdempotencyRecord, fingerprint: string, now: number): Verdict {
  const afresh: Verdict = { kind: 'claim', seed: undefined, createdAt: now };
  if (now - known.createdAt >= IDEMPOTENCY_KEPT_MS) return afresh;
  const isSame = known.fingerprint === fingerprint;
  const hasFailed = known.claimedUntil === 0;
  if (!isSame) return known.response === null && hasFailed ? afresh : { kind: 'other-content' };
  if (known.response !== null) return { kind: 'replay', response: known.response };
  if (now < known.claimedUntil) return { kind: 'running' };
  return { kind: 'claim', seed: known.seed, createdAt: known.createdAt };
}

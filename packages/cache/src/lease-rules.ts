import type { RateLimit } from './rate-limiter.ts';

/*
 * How a process holds tokens of a shared bucket in advance. The bound on the error, and why it holds, is in
 * docs/adr/0024-leases-of-tokens.md.
 */

/** All processes together hold at most this part of a bucket: a hundredth. A smaller bucket than this has no leases. */
const LEASED_PART = 100;

/** A lease is as large as what is expected to be asked for in so many milliseconds, and is renewed after them. */
export const HORIZON_MS = 100;

/** A lease that was not renewed for so long is returned: nobody asks for its tokens. */
export const IDLE_MS = 200;

/** Tokens of a lease are not used after so many milliseconds, and it is then counted no longer. Its holder may be dead. */
export const LEASE_MS = 500;

/** Demand is measured over no shorter time than this, in milliseconds: two requests at once say nothing of the next second. */
export const MIN_PERIOD_MS = 2;

/** Requests are refused without asking for at most so many milliseconds: an operator may empty the store meanwhile. */
export const MAX_REFUSAL_MS = 100;

/** A smaller lease is used up before the next is requested: a token kept in reserve would cost it a call in ten. */
const MIN_LEASE_WITH_RESERVE = 16;

/** Part of a lease that is left when the next one is requested: an eighth. */
const RESERVED_PART = 8;

/** Tokens of a bucket that may be leased at a time, to all processes together. 0: each request asks. */
export function leasableTokens({ burst }: Pick<RateLimit, 'burst'>): number {
  return Math.floor(burst / LEASED_PART);
}

/** Tokens that are left of a lease when the next one is requested; -1 when it is used up first. @param size of the lease */
export function reserveOf(size: number): number {
  return size < MIN_LEASE_WITH_RESERVE ? -1 : Math.floor(size / RESERVED_PART);
}

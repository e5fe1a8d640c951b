import type { RateLimit } from './rate-limiter.ts';

/** What a process asks of a shared bucket, in whole tokens. */
export interface TokenRequest {
  /** For requests that wait: used at once, as far as they are there. */
  readonly needed: number;
  /** To hold for requests to come. */
  readonly ahead: number;
  /** Unused tokens of former leases that it keeps. */
  readonly held: number;
  /** Unused tokens of former leases that it returns. */
  readonly back: number;
}

/** What a shared bucket gives. */
export interface TokenGrant {
  /** Of those that were needed. */
  readonly taken: number;
  /** Of those that were asked for ahead; to be used within `LEASE_MS` from when the request was sent. */
  readonly leased: number;
  /** Thousandths of a token that are left in the bucket. */
  readonly level: number;
  /** Whole tokens that other processes leave of those that may be leased. */
  readonly free: number;
}

/** Buckets that processes share. */
export interface TokenStore {
  /**
   * Returns, takes and leases tokens in one step.
   * @returns rejects when the store fails; undefined when it is known to be away
   */
  exchange(bucket: string, limit: RateLimit, request: TokenRequest): Promise<TokenGrant> | undefined;
}

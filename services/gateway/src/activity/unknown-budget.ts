import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { type BucketLimit, secondsToToken, TOKEN, TokenBuckets } from '@parcelway/kernel/token-bucket';
import type { TenantCall } from '../proxy/ports.ts';

/** Entries with the outcome `unknown` of all keys of a tenant, at each gateway: so many at once, then one in 20 seconds. */
const OF_TENANT: BucketLimit = { perSecond: 1 / 20, burst: 100 };
/** What each key has besides, so that one of them cannot keep the others from changes. */
const OF_KEY: BucketLimit = { perSecond: 1 / 600, burst: 10 };
/** Tenants and keys whose buckets are known. */
const MAX_BUCKETS = 20_000;

/**
 * Bounds how many entries of the audit log a client leaves of changes that had no effect, or none that is known: by a loop of requests that it breaks off,
 * for example. A change that might leave a further one is refused; none is made without its entry. What is under way counts as unknown, so that
 * requests that are sent together are bounded like those that are sent one by one.
 */
export class UnknownBudget {
  readonly #clock: Clock;
  readonly #buckets = new TokenBuckets(MAX_BUCKETS);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Takes a place for an entry, which keeps it unless the place is given back: once the outcome is known, others may have it.
   * @throws AppError 42901 when neither the tenant nor the key has anything left
   */
  take({ tenantId, keyId }: Pick<TenantCall, 'tenantId' | 'keyId'>) {
    const [ofTenant, ofKey] = [this.#levelOf(tenantId, OF_TENANT), this.#levelOf(keyId, OF_KEY)];
    if (ofTenant >= TOKEN) return this.#place(tenantId, OF_TENANT);
    if (ofKey >= TOKEN) return this.#place(keyId, OF_KEY);
    const retryAfterSeconds = Math.min(secondsToToken(ofTenant, OF_TENANT), secondsToToken(ofKey, OF_KEY));
    throw new AppError(
      '42901',
      'Too many changes with this key are under way or ended without a known outcome: try again later, and wait for each response before you close its connection',
      { retryAfterSeconds, data: { retry_after_seconds: retryAfterSeconds } },
    );
  }

  #place(name: string, limit: BucketLimit) {
    this.#keep(name, this.#levelOf(name, limit) - TOKEN);
    return { giveBack: () => this.#keep(name, Math.min(this.#levelOf(name, limit) + TOKEN, limit.burst * TOKEN)) };
  }

  #levelOf(name: string, limit: BucketLimit): number {
    return this.#buckets.levelOf(name, limit, this.#clock.now());
  }

  #keep(name: string, level: number): void {
    this.#buckets.set(name, level, this.#clock.now());
  }
}

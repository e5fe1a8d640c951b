import type { Clock } from '@parcelway/kernel/clock';
import { levelAt, TOKEN } from '@parcelway/kernel/token-bucket';
import { LEASE_MS, leasableTokens } from '../lease-rules.ts';
import type { RateLimit } from '../rate-limiter.ts';
import type { TokenGrant, TokenRequest } from '../token-store.ts';

interface Lease {
  readonly tokens: number;
  readonly wanted: number;
  readonly ends: number;
}

interface SharedBucket {
  level: number;
  at: number;
  readonly leases: Map<string, Lease>;
}

/** What the script in Redis does, in memory: the shared side of a simulation. */
export class MemoryTokenStore {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, SharedBucket>();
  /** Exchanges so far. */
  calls = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns, takes and leases tokens. @param holder who asks */
  exchange(name: string, limit: RateLimit, holder: string, { needed, ahead, held, back }: TokenRequest): TokenGrant {
    this.calls += 1;
    const now = this.#clock.now();
    const bucket = this.#buckets.get(name) ?? { level: limit.burst * TOKEN, at: now, leases: new Map<string, Lease>() };
    this.#buckets.set(name, bucket);
    bucket.level = Math.min(limit.burst * TOKEN, levelAt(bucket, limit, now) + back * TOKEN);
    bucket.at = now;
    const taken = Math.min(needed, Math.floor(bucket.level / TOKEN));
    bucket.level -= taken * TOKEN;
    const leasable = leasableTokens(limit);
    const { free, share } = this.#shareOf(bucket, holder, leasable, now);
    const leased = Math.max(0, Math.min(ahead, Math.floor(bucket.level / TOKEN), share - held));
    bucket.level -= leased * TOKEN;
    if (leasable > 0 && held + ahead > 0) {
      bucket.leases.set(holder, { tokens: held + leased, wanted: held + ahead, ends: now + LEASE_MS });
    }
    return { taken, leased, level: bucket.level, free };
  }

  /** Forgets what has ended, and what the holder had. */
  #shareOf({ leases }: SharedBucket, holder: string, leasable: number, now: number): { readonly free: number; readonly share: number } {
    leases.delete(holder);
    for (const [other, { ends }] of leases) if (now >= ends) leases.delete(other);
    const others = [...leases.values()];
    const free = Math.max(0, leasable - others.reduce((sum, { tokens }) => sum + tokens, 0));
    const unwanted = leasable - others.reduce((sum, { wanted }) => sum + wanted, 0);
    return { free, share: Math.min(free, Math.max(Math.floor(leasable / (others.length + 1)), unwanted)) };
  }
}

import { FAILED_CALLS_RECORDED } from '@parcelway/contracts/activity-api';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import { PeriodicWriter } from '@parcelway/kernel/periodic-writer';
import { levelAfterTake, TokenBuckets } from '@parcelway/kernel/token-bucket';
import type { FailedCallRecord, FailedCallStore } from './failed-call-collection.ts';

/** What the log works with. */
export interface FailedCallLogOptions {
  readonly store: Pick<FailedCallStore, 'add'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const CALLS = { perSecond: 1 / FAILED_CALLS_RECORDED.everySeconds, burst: FAILED_CALLS_RECORDED.burst };
const REFUSALS = { perSecond: 1 / 60, burst: 5 };
/** Tenants whose buckets are known. */
const MAX_BUCKETS = 20_000;
const FLUSH_MS = 1000;
/** Calls of all tenants between two writes. More are not recorded. */
const MAX_PENDING = 5000;
/** A store that is out gets them again so often. */
const MAX_TRIES = 5;

const bucketOf = (tenantId: string, isRefusal: boolean): string => `${tenantId} ${isRefusal ? 'refusals' : 'calls'}`;

/**
 * Records failed calls, as many of each tenant as its bucket has: a client in a loop needs no more of them, and takes no other tenant's room, nor that of the
 * store. It writes once a second, so that no request pays for it.
 */
export class FailedCallLog extends PeriodicWriter {
  readonly #options: FailedCallLogOptions;
  #pending: FailedCallRecord[] = [];
  #tries = 0;
  /** Tenant, and whether its calls were too many → what is left of its bucket. */
  readonly #buckets = new TokenBuckets(MAX_BUCKETS);

  constructor(options: FailedCallLogOptions) {
    super(FLUSH_MS);
    this.#options = options;
  }

  /**
   * Whether a failed call of a tenant will be recorded now: asked before its content is read.
   * @param isRefusal true when nobody has looked at the request: there were too many, or the key works no longer. These have a small bucket of their own
   */
  hasRoom(tenantId: string, isRefusal: boolean): boolean {
    return this.#pending.length < MAX_PENDING && levelAfterTake(this.#levelOf(tenantId, isRefusal)) !== undefined;
  }

  /** Records a call, if it {@link hasRoom}. */
  note(call: Omit<FailedCallRecord, 'callId'>, isRefusal = false): void {
    const left = levelAfterTake(this.#levelOf(call.tenantId, isRefusal));
    if (left === undefined || this.#pending.length >= MAX_PENDING) return;
    this.#buckets.set(bucketOf(call.tenantId, isRefusal), left, this.#options.clock.now());
    this.#pending.push({ callId: newId('call'), ...call });
  }

  #levelOf(tenantId: string, isRefusal: boolean): number {
    const limit = isRefusal ? REFUSALS : CALLS;
    return this.#buckets.levelOf(bucketOf(tenantId, isRefusal), limit, this.#options.clock.now());
  }

  /** Writes what was noted. Never rejects: after a failure the next write tries it again, some times. */
  protected async write(): Promise<void> {
    if (this.#pending.length === 0) return;
    const written = this.#pending;
    this.#pending = [];
    try {
      await this.#options.store.add(written);
      this.#tries = 0;
    } catch (error) {
      this.#tries += 1;
      const isLastTry = this.#tries >= MAX_TRIES;
      if (isLastTry) this.#tries = 0;
      else this.#pending = [...written, ...this.#pending].slice(0, MAX_PENDING);
      this.#options.logger.warn({ err: error, calls: written.length, dropped: isLastTry }, 'Failed calls could not be recorded');
    }
  }
}

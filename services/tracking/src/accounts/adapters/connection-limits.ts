import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parcelway/kernel/clock';
import type { TrackingSource } from '../../sources/source.ts';
import { patienceOf, SourceRefusal } from '../../sources/source-refusal.ts';
import { NotNow } from '../../watch/domain/sources.ts';
import type { CallLedgers } from '../call-ledgers.ts';
import {
  blockCalls,
  blockOf,
  type CallKind,
  type CallLimits,
  type CallPurpose,
  type CallVerdict,
  notePush,
  takeCall,
} from '../domain/call-ledger.ts';

/** A vendor that has pushed within this time is taken for one that pushes. */
const PUSHES_FOR_MS = 2 * 86_400_000;
/** How long a process believes what it has read of the pushes that others received. */
const READ_AGAIN_MS = 60_000;

/** How long a call may wait for its turn. */
export const MAX_WAIT_MS: Readonly<Record<CallPurpose, number>> = { query: 2000, background: 3000 };
/** Tests are no way to call a vendor as often as one likes. */
const TESTS_PER_SECOND = 1;

interface LimitsOptions {
  readonly source: Pick<TrackingSource, 'limits' | 'quotaFor'>;
  readonly connectionId: string;
  readonly ledgers: CallLedgers;
  readonly clock: Clock;
}

/**
 * What a connection may call: the limits that its source declares, and those that the vendor names in a refusal; and when its vendor has pushed. All processes
 * keep to the same ledger.
 */
export class ConnectionLimits {
  readonly #options: LimitsOptions;
  #lastPush = { at: 0, readAt: Number.NEGATIVE_INFINITY };

  constructor(options: LimitsOptions) {
    this.#options = options;
  }

  /** Notes that the vendor has pushed. @throws AppError 50301 when the store is out */
  async notePush(): Promise<void> {
    const now = this.#options.clock.now();
    this.#lastPush = { at: now, readAt: now };
    await this.#options.ledgers.change(this.#options.connectionId, (ledger) => notePush(ledger, now));
  }

  /** True when the vendor has ever pushed, as far as is known here. */
  get hasPushed(): boolean {
    return this.#lastPush.at > 0;
  }

  /** True when the vendor pushes what it knows: then a daily look is enough. */
  async pushes(): Promise<boolean> {
    const now = this.#options.clock.now();
    if (now - this.#lastPush.readAt >= READ_AGAIN_MS) {
      const { lastPushAt } = await this.#options.ledgers.read(this.#options.connectionId);
      this.#lastPush = { at: lastPushAt, readAt: now };
    }
    return now - this.#lastPush.at < PUSHES_FOR_MS;
  }

  /**
   * Counts one call and waits for its turn. A refusal during the wait applies to it, too: it is not granted but stays counted.
   * @param limits what the call keeps to; default: the limits of the source
   * @throws AppError 50301 when the store is out
   */
  async take(purpose: CallPurpose, kind: CallKind, limits: CallLimits = this.#options.source.limits): Promise<CallVerdict> {
    const { ledgers, connectionId, clock } = this.#options;
    const verdict = await ledgers.take(connectionId, (ledger) =>
      takeCall(ledger, limits, { kind, purpose, now: clock.now(), maxWaitMs: MAX_WAIT_MS[purpose] }),
    );
    const waitMs = verdict.isGranted ? verdict.at - clock.now() : 0;
    if (waitMs <= 0) return verdict;
    await sleep(waitMs);
    return blockOf(await ledgers.read(connectionId), kind, clock.now()) ?? verdict;
  }

  /** Waits for the turn of one call more, which is no registration. @throws SourceRefusal 'throttled' when it may not be made soon */
  async nextCall(purpose: CallPurpose): Promise<void> {
    this.#assertGranted(await this.take(purpose, 'other'));
  }

  /** Waits for the turn of a test. @throws SourceRefusal 'throttled' when it may not be made soon */
  async nextTest(): Promise<void> {
    const { limits } = this.#options.source;
    const requestsPerSecond = Math.min(limits.requestsPerSecond ?? TESTS_PER_SECOND, TESTS_PER_SECOND);
    this.#assertGranted(await this.take('query', 'other', { ...limits, requestsPerSecond }));
  }

  #assertGranted(verdict: CallVerdict): void {
    if (verdict.isGranted) return;
    const cause = new NotNow(verdict.until, verdict.reason);
    const retryAfterMs = verdict.until - this.#options.clock.now();
    throw new SourceRefusal('throttled', 'Our own limits allow no further call', { retryAfterMs, cause });
  }

  /**
   * Keeps to the limit that a refusal names: a quota of registrations stops those alone, anything else every call.
   * @param kind of the call that was refused
   * @returns when the next such call may begin, epoch milliseconds
   */
  async keepTo(refusal: SourceRefusal, kind: CallKind): Promise<number> {
    const until = this.#options.clock.now() + patienceOf(refusal);
    const isOfRegistrations =
      kind === 'register' && refusal.reason === 'quota used up' && this.#options.source.quotaFor === 'registrations';
    const blocked = isOfRegistrations ? 'registrationsBlockedUntil' : 'blockedUntil';
    await this.#options.ledgers.change(this.#options.connectionId, (ledger) => blockCalls(ledger, until, blocked));
    return until;
  }
}
